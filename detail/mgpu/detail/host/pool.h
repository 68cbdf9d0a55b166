// The pool that scratch memory comes from by default: one per device, stream-ordered, the library's own, so that the
// settings of the device's default pool stay the user's.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/host/check.h>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace mgpu::detail {

class scratch_pool {
 public:
  // Memory for work on `stream` of the current device. Neither blocks nor synchronises, and works during capture.
  // On a device without pools (cudaDevAttrMemoryPoolsSupported) it falls back to cudaMalloc, which may do both.
  static void* allocate(char const* call, std::size_t bytes, cudaStream_t stream) {
    void* memory = nullptr;
    if (cudaMemPool_t const pool = of_current_device(call)) {
      check(cudaMallocFromPoolAsync(&memory, bytes, pool, stream), call, "cudaMallocFromPoolAsync");
    } else {
      check(cudaMalloc(&memory, bytes), call, "cudaMalloc");
    }
    return memory;
  }

  static void deallocate(void* memory, cudaStream_t stream) noexcept {
    cudaError_t const status = supported() ? cudaFreeAsync(memory, stream) : cudaFree(memory);
    if (status != cudaSuccess) forget(status);  // only after an error that this or the next call reports
  }

  // How many bytes of unused memory the current device's pool keeps between calls.
  static void keep(std::uint64_t bytes) {
    if (cudaMemPool_t const pool = of_current_device("mgpu::keep_scratch"))
      set_threshold(pool, bytes, "mgpu::keep_scratch");
  }

  // Gives what the current device's pool keeps unused back to the device.
  static void release() {
    if (cudaMemPool_t const pool = of_current_device("mgpu::release_scratch")) {
      check(cudaMemPoolTrimTo(pool, 0), "mgpu::release_scratch", "cudaMemPoolTrimTo");
    }
  }

 private:
  static constexpr int max_devices = 128;
  static constexpr std::uint64_t default_share = 16;  // keeps up to 1/16 of the device's memory

  static bool supported() {
    int device = 0, yes = 0;
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&yes, cudaDevAttrMemoryPoolsSupported, device) == cudaSuccess && yes != 0;
  }

  // Null where the device has no pools. Pools live as long as the process.
  static cudaMemPool_t of_current_device(char const* call) {
    static std::array<std::atomic<cudaMemPool_t>, max_devices> pools{};
    static std::mutex creation;
    int device = 0;
    check(cudaGetDevice(&device), call, "cudaGetDevice");
    if (device >= max_devices) return nullptr;
    std::atomic<cudaMemPool_t>& pool = pools[static_cast<std::size_t>(device)];
    if (cudaMemPool_t const known = pool.load(std::memory_order_acquire)) return known;
    std::lock_guard<std::mutex> const lock(creation);
    if (pool.load(std::memory_order_relaxed) == nullptr) pool.store(create(device, call), std::memory_order_release);
    return pool.load(std::memory_order_relaxed);
  }

  static cudaMemPool_t create(int device, char const* call) {
    if (!supported()) return nullptr;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaMemPool_t pool = nullptr;
    check(cudaMemPoolCreate(&pool, &properties), call, "cudaMemPoolCreate");
    std::size_t free_bytes = 0, total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes), call, "cudaMemGetInfo");
    set_threshold(pool, total_bytes / default_share, call);
    return pool;
  }

  static void set_threshold(cudaMemPool_t pool, std::uint64_t bytes, char const* call) {
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), call, "cudaMemPoolSetAttribute");
  }
};

}  // namespace mgpu::detail
