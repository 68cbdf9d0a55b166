// A device policy gets memory from these allocators and this memory resource, which count; streams last for a scope.
#pragma once
#include <support/device.h>
#include <cuda_runtime_api.h>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace test {

struct memory_counts {
  int allocations = 0;
  int frees = 0;
  std::size_t bytes = 0;  // how many the last allocation asked for
  bool mismatch = false;  // something was given back that was not taken like that
};

// Allocates characters as a Thrust allocator. A copy counts in the same place.
class counting_allocator {
 public:
  using value_type = char;
  explicit counting_allocator(memory_counts& counts) : counts_(&counts) {}

  char* allocate(std::ptrdiff_t count) {
    void* memory = nullptr;
    require(cudaMalloc(&memory, static_cast<std::size_t>(count)));
    ++counts_->allocations;
    counts_->bytes = static_cast<std::size_t>(count);
    last_ = memory;
    return static_cast<char*>(memory);
  }
  void deallocate(char* memory, std::size_t count) {
    ++counts_->frees;
    if (memory != last_ || count != counts_->bytes) counts_->mismatch = true;
    cudaFree(memory);
  }

 protected:
  memory_counts* counts_;
  void* last_ = nullptr;
};

// This allocator can only be used by reference.
class pinned_allocator : public counting_allocator {
 public:
  using counting_allocator::counting_allocator;
  pinned_allocator(pinned_allocator const&) = delete;
  pinned_allocator& operator=(pinned_allocator const&) = delete;
};

// Gives memory as the resources of thrust::mr do.
class counting_resource {
 public:
  explicit counting_resource(memory_counts& counts) : counts_(&counts) {}

  void* allocate(std::size_t bytes, std::size_t alignment) {
    void* memory = nullptr;
    require(cudaMalloc(&memory, bytes));
    ++counts_->allocations;
    counts_->bytes = bytes;
    alignment_ = alignment;
    if (alignment == 0 || reinterpret_cast<std::uintptr_t>(memory) % alignment != 0) counts_->mismatch = true;
    return memory;
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
    ++counts_->frees;
    if (bytes != counts_->bytes || alignment != alignment_) counts_->mismatch = true;
    cudaFree(memory);
  }

 private:
  memory_counts* counts_;
  std::size_t alignment_ = 0;
};

// This allocator has no memory.
struct empty_allocator {
  using value_type = char;
  char* allocate(std::ptrdiff_t) { throw std::bad_alloc(); }
  void deallocate(char*, std::size_t) {}
};

// This stream does not wait for the default stream.
class stream {
 public:
  stream() { require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~stream() { cudaStreamDestroy(stream_); }
  stream(stream const&) = delete;
  stream& operator=(stream const&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// This stream is captured until end() or the end of the scope, in the same thread. The graph is thrown away.
class captured_stream {
 public:
  explicit captured_stream(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    require(cudaStreamBeginCapture(stream_, mode));
  }
  ~captured_stream() { static_cast<void>(end()); }
  captured_stream(captured_stream const&) = delete;
  captured_stream& operator=(captured_stream const&) = delete;
  operator cudaStream_t() const { return stream_; }

  // Returns cudaSuccess if nothing has invalidated the capture.
  cudaError_t end() {
    if (std::exchange(ended_, true)) return cudaSuccess;
    cudaGraph_t graph = nullptr;
    cudaError_t const status = cudaStreamEndCapture(stream_, &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    return status;
  }

 private:
  stream stream_;
  bool ended_ = false;
};

}  // namespace test
