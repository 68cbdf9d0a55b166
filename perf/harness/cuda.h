// The benchmarks use the CUDA runtime by this: an error is an exception, memory and events free themselves.
#pragma once
#include <cuda_runtime_api.h>
#include <cstddef>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf {

// Returns nothing if there is a GPU that this program has code for, else why none can be used.
std::string why_no_gpu();

// Returns how many GPUs the machine has.
inline int num_gpus() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

// Returns what the head of the JSON says of the GPU, its clocks, the driver and versions, as names and values.
std::vector<std::pair<std::string, std::string>> gpu_context();

inline void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// This is memory of the device, or of the host where the GPU writes without a detour. Its last owner frees it.
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

using event = std::shared_ptr<CUevent_st>;
inline event make_event() {
  cudaEvent_t created = nullptr;
  check(cudaEventCreate(&created), "cudaEventCreate");
  return {created, cudaEventDestroy};
}

// This allocator for Thrust keeps what it is given back until as many bytes are asked for again, so that only the first
// of many equal calls pays. They must be on one stream, as memory is given back before the work that uses it is done.
class arena {
 public:
  using value_type = char;

  char* allocate(std::size_t bytes) {
    if (auto const kept = unused_.extract(bytes)) return kept.mapped();
    owners_.push_back(device_memory(bytes));
    return static_cast<char*>(owners_.back().get());
  }
  void deallocate(char* pointer, std::size_t bytes) { unused_.emplace(bytes, pointer); }

 private:
  std::multimap<std::size_t, char*> unused_;
  std::vector<memory> owners_;
};

}  // namespace perf
