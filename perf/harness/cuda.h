// The CUDA runtime as the benchmarks use it: every error an exception, memory and events that free themselves.
#pragma once
#include <cuda_runtime_api.h>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace perf {

inline void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// Device memory that only ever grows, so that rows of rising size do not each pay an allocation.
class device_memory {
 public:
  device_memory() = default;
  device_memory(device_memory const&) = delete;
  device_memory& operator=(device_memory const&) = delete;
  ~device_memory() { release(); }

  void* reserve(std::size_t bytes) {
    if (bytes > bytes_) {
      release();
      check(cudaMalloc(&memory_, bytes), "cudaMalloc");
      bytes_ = bytes;
    }
    return memory_;
  }
  void release() {
    static_cast<void>(cudaFree(memory_));
    memory_ = nullptr;
    bytes_ = 0;
  }
  void* get() const { return memory_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

// Host memory that the GPU writes to without a detour.
template <class T>
class pinned {
 public:
  pinned() { check(cudaMallocHost(&memory_, sizeof(T)), "cudaMallocHost"); }
  pinned(pinned const&) = delete;
  pinned& operator=(pinned const&) = delete;
  ~pinned() { static_cast<void>(cudaFreeHost(memory_)); }

  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

class event {
 public:
  event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  event(event const&) = delete;
  event& operator=(event const&) = delete;
  ~event() { static_cast<void>(cudaEventDestroy(event_)); }

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  void wait() { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
  friend double microseconds(event const& from, event const& to) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, from.event_, to.event_), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace perf
