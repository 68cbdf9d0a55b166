// One call of the user's on the device, from its policy to its end: its stream, scratch memory, launches, and whether
// it waits.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/scratch.h>
#include <cstddef>
#if defined(MGPU_NVTX)
#include <nvtx3/nvtx3.hpp>
#endif

namespace mgpu::detail {

// With MGPU_NVTX, profilers show the call by its name, from its begin to its end on the host.
#if defined(MGPU_NVTX)
using named_range = nvtx3::scoped_range;
#else
struct named_range {
  explicit named_range(char const*) {}
};
#endif

class device_call {
 public:
  // `name` is the name under which errors are reported, such as "mgpu::sort".
  device_call(char const* name, cudaStream_t stream, bool blocking, scratch_source& source)
      : name_(name), stream_(stream), blocking_(blocking), source_(source) {}
  // Makes the call of a step of `outer`, with scratch memory of its own. It does not wait, as `outer` does that at
  // its end.
  device_call(device_call const& outer, scratch_source& source)
      : name_(outer.name_), stream_(outer.stream_), blocking_(false), source_(source), device_(outer.device_) {}
  device_call(device_call const&) = delete;
  device_call& operator=(device_call const&) = delete;

  // Gives the memory back after an exception, which may leave work in flight that still uses it. A second error, of
  // giving it back, would only hide the first, and is forgotten.
  ~device_call() {
    if (memory_ == nullptr) return;
    if (blocking_) detail::forget(cudaStreamSynchronize(stream_));
    detail::forget(source_.deallocate(memory_, bytes_, stream_));
  }

  char const* name() const { return name_; }
  cudaStream_t stream() const { return stream_; }

  // Returns the current device, which the runtime is asked for once.
  int device() const {
    if (device_ < 0) detail::check(cudaGetDevice(&device_), name_, "cudaGetDevice");
    return device_;
  }

  // Returns whether the stream is captured, so that nothing runs yet.
  bool is_capturing() const {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    detail::check(cudaStreamIsCapturing(stream_, &status), name_, "cudaStreamIsCapturing");
    return status != cudaStreamCaptureStatusNone;
  }

  // Gets the call's one piece of scratch memory. Returns false if this is a size query: then the backend returns
  // without a launch. It is called once a call, before the first launch, even where the layout is empty.
  bool allocate(scratch_layout const& layout) {
    if (std::size_t* const query = source_.size_query()) {
      *query = layout.bytes();
      return false;
    }
    if (layout.bytes() != 0) {
      memory_ = source_.allocate(name_, layout.bytes(), stream_);
      bytes_ = layout.bytes();
    }
    return true;
  }

  // Ends a call that has nothing to do, which needs no scratch memory.
  void skip() {
    if (std::size_t* const query = source_.size_query()) *query = 0;
  }

  // Returns the piece that scratch_layout::add put at `offset`.
  template <class T>
  T* scratch(std::size_t offset) const {
    return reinterpret_cast<T*>(aligned_up(reinterpret_cast<std::size_t>(memory_)) + offset);
  }

  // Waits for the result if the policy says so, and gives the scratch memory back. Memory that is freed in stream
  // order is given back before the wait, so that the host does it while the device works, and the runtime knows after
  // the wait that it is unused.
  void finish() {
    bool const waits = blocking_ && source_.size_query() == nullptr;
    cudaError_t freed = cudaSuccess;
    auto const give_back = [&] {
      if (memory_ == nullptr) return;
      freed = source_.deallocate(memory_, bytes_, stream_);
      memory_ = nullptr;
    };
    if (!waits || source_.frees_in_stream_order()) give_back();
    if (waits) detail::check(cudaStreamSynchronize(stream_), name_, "cudaStreamSynchronize");
    give_back();
    detail::check(freed, name_, "cudaFreeAsync");
  }

 private:
  char const* name_;
  cudaStream_t stream_;
  bool blocking_;
  scratch_source& source_;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  mutable int device_ = -1;
};

}  // namespace mgpu::detail
