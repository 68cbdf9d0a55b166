// The pool that scratch memory comes from by default: one per device, stream-ordered, the library's own, so that the
// settings of the device's default pool stay the user's.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/host/check.h>
#include <atomic>
#include <cstddef>
#include <cstdint>

// One for the whole program, whatever architectures its files are compiled for.
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

  // Memory for work on `stream` of the current device. Neither blocks nor synchronises, and works during capture.
  // On a device without pools (cudaDevAttrMemoryPoolsSupported) it falls back to cudaMalloc, which may do both.
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

  // How many bytes of unused memory the current device's pool keeps between calls.
  static void keep(std::uint64_t bytes) {
    if (cudaMemPool_t const pool = of_current_device("mgpu::keep_scratch"))
      set_threshold(pool, bytes, "mgpu::keep_scratch");
  }

  // Gives what the current device's pool keeps unused back to the device.
  static void release() {
    if (cudaMemPool_t const pool = of_current_device("mgpu::release_scratch")) {
      detail::check(cudaMemPoolTrimTo(pool, 0), "mgpu::release_scratch", "cudaMemPoolTrimTo");
    }
  }

 private:
  static constexpr std::uint64_t default_share = 16;  // keeps up to 1/16 of the device's memory

  // Makes the pool at the first use; it lives as long as the process. Null where the device has none.
  static cudaMemPool_t of_current_device(char const* call) {
    int device = 0;
    detail::check(cudaGetDevice(&device), call, "cudaGetDevice");
    if (device >= program::scratch_pools::max_devices) return nullptr;
    std::atomic<cudaMemPool_t>& pool = program::pools().of_device[static_cast<std::size_t>(device)];
    if (cudaMemPool_t const known = pool) return known;
    cudaMemPool_t const created = create(device, call);
    cudaMemPool_t known = nullptr;
    if (pool.compare_exchange_strong(known, created) || created == nullptr) return created;
    static_cast<void>(cudaMemPoolDestroy(created));  // another thread was faster
    return known;
  }

  static cudaMemPool_t create(int device, char const* call) {
    int supported = 0;
    detail::check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device), call,
                  "cudaDeviceGetAttribute");
    if (supported == 0) return nullptr;
    relaxed_capture_mode const scope(call);
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
