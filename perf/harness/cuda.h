// The benchmarks use the CUDA runtime by this: an error is an exception, memory frees itself, and there is one
// stream.
#pragma once
#include <cuda_runtime_api.h>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

namespace perf {

inline void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// Returns the stream that all work is queued on, but for what ranks do on theirs.
inline cudaStream_t stream() {
  static cudaStream_t const only = [] {
    cudaStream_t created = nullptr;
    check(cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking), "cudaStreamCreate");
    return created;
  }();
  return only;
}

inline cudaEvent_t make_event() {
  cudaEvent_t created = nullptr;
  check(cudaEventCreate(&created), "cudaEventCreate");
  return created;
}

inline void wait_for_stream() { check(cudaStreamSynchronize(stream()), "cudaStreamSynchronize"); }

inline void copy_async(void* to, void const* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream()), "cudaMemcpyAsync");
}

// This is memory of the device, or of the host where the GPU writes without a detour. Its last owner frees it. There
// is some even if no bytes are asked for, so that it can be told from no memory.
using memory = std::shared_ptr<void>;
inline memory device_memory(std::size_t bytes) {
  void* pointer = nullptr;
  check(cudaMalloc(&pointer, std::max<std::size_t>(bytes, 1)), "cudaMalloc");
  return {pointer, cudaFree};
}
inline memory pinned_memory(std::size_t bytes) {
  void* pointer = nullptr;
  check(cudaMallocHost(&pointer, bytes), "cudaMallocHost");
  return {pointer, cudaFreeHost};
}

}  // namespace perf
