// The CUDA runtime as the benchmarks use it: every error is an exception, memory and events free themselves.
#pragma once
#include <cuda_runtime_api.h>
#include <cstddef>
#include <list>
#include <stdexcept>
#include <string>

namespace perf {

inline void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// Memory that only ever grows, so that rows of rising size do not each pay an allocation: the device's, or the host's
// that the GPU writes to without a detour.
template <bool on_host>
class memory {
 public:
  memory() = default;
  memory(memory const&) = delete;
  memory& operator=(memory const&) = delete;
  ~memory() { release(); }

  void* reserve(std::size_t bytes) {
    if (bytes > bytes_) {
      release();
      check(on_host ? cudaMallocHost(&memory_, bytes) : cudaMalloc(&memory_, bytes), "allocating memory");
      bytes_ = bytes;
    }
    return memory_;
  }
  void release() {
    static_cast<void>(on_host ? cudaFreeHost(memory_) : cudaFree(memory_));
    memory_ = nullptr;
    bytes_ = 0;
  }
  void* get() const { return memory_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};
using device_memory = memory<false>;
using pinned_memory = memory<true>;

// An allocator for Thrust that keeps what it got, so that only the first call pays. For calls on one stream, where
// memory may be used again as soon as the call that gave it back was queued.
class arena {
 public:
  using value_type = char;

  char* allocate(std::ptrdiff_t bytes) {
    auto const size = static_cast<std::size_t>(bytes);
    for (block& each : blocks_) {
      if (!each.used && each.memory.bytes() >= size) return use(each);
    }
    blocks_.emplace_back().memory.reserve(size);
    return use(blocks_.back());
  }
  void deallocate(char* memory, std::size_t) {
    for (block& each : blocks_) {
      if (each.memory.get() == memory) each.used = false;
    }
  }

 private:
  struct block {
    device_memory memory;
    bool used = false;
  };
  static char* use(block& which) {
    which.used = true;
    return static_cast<char*>(which.memory.get());
  }
  std::list<block> blocks_;
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
