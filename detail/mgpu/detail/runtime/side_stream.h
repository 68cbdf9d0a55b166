// A stream beside that of a call, for work that is to run while the call's stream does something else.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/scratch.h>
#include <mgpu/detail/runtime/user_scratch.h>

namespace mgpu::detail {

class side_stream {
 public:
  // To make both takes the host a few microseconds, which is as long as to look for kept ones.
  explicit side_stream(device_call const& outer)
      : outer_(outer), stream_(made_stream(outer)), call_(outer.name(), stream_, false, no_scratch_) {
    cudaError_t const status = cudaEventCreateWithFlags(&event_, cudaEventDisableTiming);
    if (status == cudaSuccess) return;
    detail::forget(cudaStreamDestroy(stream_));
    detail::fail(status, outer.name(), "cudaEventCreateWithFlags");
  }
  // Both are destroyed once their work has ended. After an exception the outer call's stream still waits for that, as it
  // gives back memory that may be in use here.
  ~side_stream() {
    if (!has_joined_) detail::forget(let_outer_wait());
    detail::forget(cudaEventDestroy(event_));
    detail::forget(cudaStreamDestroy(stream_));
  }
  side_stream(side_stream const&) = delete;
  side_stream& operator=(side_stream const&) = delete;

  // Returns the call whose work is done here. It waits for what is in the outer call's stream only after fork(), it has
  // no scratch memory, and the outer stream does not wait for it until join().
  device_call const& call() {
    has_joined_ = false;
    return call_;
  }
  // Lets the later work of this stream wait for the work that is in the outer call's.
  void fork() {
    detail::check(cudaEventRecord(event_, outer_.stream()), outer_.name(), "cudaEventRecord");
    detail::check(cudaStreamWaitEvent(stream_, event_, 0), outer_.name(), "cudaStreamWaitEvent");
  }
  // Lets the later work of the outer call's stream wait for the work that is in this one.
  void join() {
    detail::check(let_outer_wait(), outer_.name(), "cudaStreamWaitEvent");
    has_joined_ = true;
  }

 private:
  static cudaStream_t made_stream(device_call const& outer) {
    cudaStream_t made = nullptr;
    detail::check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), outer.name(), "cudaStreamCreateWithFlags");
    return made;
  }
  cudaError_t let_outer_wait() const {
    cudaError_t const status = cudaEventRecord(event_, stream_);
    return status == cudaSuccess ? cudaStreamWaitEvent(outer_.stream(), event_, 0) : status;
  }

  device_call const& outer_;
  cudaStream_t stream_;
  scratch_of<buffer_scratch> no_scratch_{buffer_scratch{nullptr, 0}};
  device_call call_;
  cudaEvent_t event_ = nullptr;
  bool has_joined_ = true;
};

}  // namespace mgpu::detail
