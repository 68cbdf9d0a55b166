// The CUDA runtime as the benchmarks use it: every error is an exception, memory and events free themselves.
#pragma once
#include <cuda_runtime_api.h>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf {

inline void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// Memory of the device, or of the host where the GPU writes without a detour. It is freed with the last that refers to
// it.
using memory = std::shared_ptr<void>;
inline memory device_memory(std::size_t bytes) {
  void* pointer = nullptr;
  check(cudaMalloc(&pointer, bytes), "cudaMalloc");
  return {pointer, cudaFree};
}
inline memory pinned_memory(std::size_t bytes) {
  void* pointer = nullptr;
  check(cudaMallocHost(&pointer, bytes), "cudaMallocHost");
  return {pointer, cudaFreeHost};
}

// An allocator for Thrust that keeps what it got, so that only the first call pays. For calls on one stream, where
// memory may be used again as soon as the call that gave it back was queued.
class arena {
 public:
  using value_type = char;

  char* allocate(std::ptrdiff_t bytes) {
    auto const is_fit = [&](block const& each) { return !each.used && each.bytes >= bytes; };
    auto found = std::find_if(blocks_.begin(), blocks_.end(), is_fit);
    if (found == blocks_.end()) {
      found = blocks_.insert(found, {device_memory(static_cast<std::size_t>(bytes)), bytes, false});
    }
    found->used = true;
    return static_cast<char*>(found->owner.get());
  }
  void deallocate(char* pointer, std::size_t) {
    for (block& each : blocks_) {
      if (each.owner.get() == pointer) each.used = false;
    }
  }

 private:
  struct block {
    memory owner;
    std::ptrdiff_t bytes;
    bool used;
  };
  std::vector<block> blocks_;
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
