// Scratch memory comes by default from a pool: a stream-ordered one for each device, the library's own, so that the
// settings of the device's default pool stay the user's.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/check.h>
#include <atomic>
#include <cstddef>
#include <cstdint>

// There is one set of pools for the whole program, whatever architectures its files are compiled for.
namespace mgpu::program {

struct scratch_pools {
  static constexpr int max_devices = 128;
  std::atomic<cudaMemPool_t> of_device[max_devices];  // null where the device has no pool, or none yet
};
inline scratch_pools& pools() {
  static scratch_pools all{};
  return all;
}

}  // namespace mgpu::program

namespace mgpu::detail {

class scratch_pool {
 public:
  struct allocation {
    void* memory;
    bool pooled;
  };

  // Returns memory for work on `stream` of the current device. It neither blocks nor synchronises, and works during
  // capture. On a device without pools (cudaDevAttrMemoryPoolsSupported) it falls back to cudaMalloc, which may do
  // both.
  static allocation allocate(char const* call, std::size_t bytes, cudaStream_t stream) {
    void* memory = nullptr;
    cudaMemPool_t const pool = of_current_device(call);
    if (pool != nullptr) {
      detail::check(cudaMallocFromPoolAsync(&memory, bytes, pool, stream), call, "cudaMallocFromPoolAsync");
    } else {
      detail::check(cudaMalloc(&memory, bytes), call, "cudaMalloc");
    }
    return {memory, pool != nullptr};
  }

  static cudaError_t deallocate(allocation const& given, cudaStream_t stream) noexcept {
    return given.pooled ? cudaFreeAsync(given.memory, stream) : cudaFree(given.memory);
  }

  // Sets how many bytes of unused memory the current device's pool keeps between calls. It works during capture.
  static void keep(std::uint64_t bytes) {
    char const* const call = "mgpu::keep_scratch";
    relaxed_capture_mode const scope(call);
    if (cudaMemPool_t const pool = of_current_device(call)) set_threshold(pool, bytes, call);
  }

  // Gives what the current device's pool keeps unused back to the device. It works during capture.
  static void release() {
    char const* const call = "mgpu::release_scratch";
    relaxed_capture_mode const scope(call);
    if (cudaMemPool_t const pool = of_current_device(call)) {
      detail::check(cudaMemPoolTrimTo(pool, 0), call, "cudaMemPoolTrimTo");
    }
  }

 private:
  static constexpr std::uint64_t default_share = 16;  // the pool keeps up to 1/16 of the device's memory

  // Returns the device's pool, or null where it has none. The pool is made at its first use, and lives as long as the
  // process.
  static cudaMemPool_t of_current_device(char const* call) {
    int device = 0;
    detail::check(cudaGetDevice(&device), call, "cudaGetDevice");
    if (device >= program::scratch_pools::max_devices) return nullptr;
    std::atomic<cudaMemPool_t>& pool = program::pools().of_device[static_cast<std::size_t>(device)];
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

  static cudaMemPool_t create(int device, char const* call) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaMemPool_t pool = nullptr;
    detail::check(cudaMemPoolCreate(&pool, &properties), call, "cudaMemPoolCreate");
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    try {
      detail::check(cudaMemGetInfo(&free_bytes, &total_bytes), call, "cudaMemGetInfo");
      set_threshold(pool, total_bytes / default_share, call);
    } catch (...) {
      static_cast<void>(cudaMemPoolDestroy(pool));
      throw;
    }
    return pool;
  }

  static void set_threshold(cudaMemPool_t pool, std::uint64_t bytes, char const* call) {
    detail::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), call,
                  "cudaMemPoolSetAttribute");
  }
};

}  // namespace mgpu::detail
