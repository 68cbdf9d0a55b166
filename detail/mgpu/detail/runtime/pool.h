// Scratch memory comes by default from a pool: a stream-ordered one for each device, the library's own, so that the
// settings of the device's default pool stay the user's.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/scratch.h>
#include <atomic>
#include <cstddef>
#include <cstdint>

// There is one set of pools for the whole program, whatever architectures its files are compiled for.
namespace mgpu::program {

constexpr int max_devices = 128;
// Returns the pools by device: null where it has none, or none yet.
inline auto& pools() {
  static std::atomic<cudaMemPool_t> of_device[max_devices]{};
  return of_device;
}

}  // namespace mgpu::program

namespace mgpu::detail {

class scratch_pool {
 public:
  // Returns the device's pool, or null where it has none. The pool is made at its first use, and lives as long as the
  // process.
  static cudaMemPool_t of_current_device(char const* call) {
    int device = 0;
    detail::check(cudaGetDevice(&device), call, "cudaGetDevice");
    if (device >= program::max_devices) return nullptr;
    std::atomic<cudaMemPool_t>& pool = program::pools()[static_cast<std::size_t>(device)];
    if (cudaMemPool_t const known = pool) return known;
    int supported = 0;
    detail::check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device), call,
                  "cudaDeviceGetAttribute");
    if (supported == 0) return nullptr;
    relaxed_capture_mode const scope(call);  // it lasts until a pool that is not needed is destroyed, too
    cudaMemPool_t const created = create(device, call);
    cudaMemPool_t known = nullptr;
    if (pool.compare_exchange_strong(known, created)) return created;
    static_cast<void>(cudaMemPoolDestroy(created));  // another thread was faster
    return known;
  }

 private:
  static cudaMemPool_t create(int device, char const* call) {
    std::size_t free_bytes = 0, total_bytes = 0;
    detail::check(cudaMemGetInfo(&free_bytes, &total_bytes), call, "cudaMemGetInfo");
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaMemPool_t pool = nullptr;
    detail::check(cudaMemPoolCreate(&pool, &properties), call, "cudaMemPoolCreate");
    std::uint64_t kept_bytes = total_bytes / 16;  // the pool keeps up to so many between calls
    cudaError_t const status = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept_bytes);
    if (status != cudaSuccess) static_cast<void>(cudaMemPoolDestroy(pool));
    detail::check(status, call, "cudaMemPoolSetAttribute");
    return pool;
  }
};

// Takes memory from the pool of the current device. That neither blocks nor synchronises, and works during capture. On
// a device without pools (cudaDevAttrMemoryPoolsSupported) it falls back to cudaMalloc, which may do both.
class pool_scratch : public usual_scratch {
 public:
  void* allocate(char const* call, std::size_t bytes, cudaStream_t stream) {
    void* memory = nullptr;
    cudaMemPool_t const pool = scratch_pool::of_current_device(call);
    pooled_ = pool != nullptr;
    if (pooled_) {
      detail::check(cudaMallocFromPoolAsync(&memory, bytes, pool, stream), call, "cudaMallocFromPoolAsync");
    } else {
      detail::check(cudaMalloc(&memory, bytes), call, "cudaMalloc");
    }
    return memory;
  }
  cudaError_t deallocate(void* memory, std::size_t, cudaStream_t stream) noexcept {
    return pooled_ ? cudaFreeAsync(memory, stream) : cudaFree(memory);
  }
  bool frees_in_stream_order() const noexcept { return pooled_; }

 private:
  bool pooled_ = false;
};

}  // namespace mgpu::detail
