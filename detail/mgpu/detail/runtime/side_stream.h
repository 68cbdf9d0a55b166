// A stream beside that of a call, for a copy that is to run while the call's stream does something else.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>

namespace mgpu::detail {

class side_stream {
 public:
  explicit side_stream(device_call const& call) : call_(call) {
    detail::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), call.name(),
                  "cudaStreamCreateWithFlags");
    cudaError_t const status = cudaEventCreateWithFlags(&event_, cudaEventDisableTiming);
    if (status == cudaSuccess) return;
    detail::forget(cudaStreamDestroy(stream_));
    detail::fail(status, call.name(), "cudaEventCreateWithFlags");
  }
  // Both are destroyed once their work has ended. After an exception the call's stream still waits for that, as it
  // gives back memory that may be in use here.
  ~side_stream() {
    if (is_forked_) detail::forget(wait(call_.stream(), stream_));
    detail::forget(cudaEventDestroy(event_));
    detail::forget(cudaStreamDestroy(stream_));
  }
  side_stream(side_stream const&) = delete;
  side_stream& operator=(side_stream const&) = delete;

  cudaStream_t get() const { return stream_; }

  // Lets this stream's later work wait for the work that is in the call's stream.
  void fork() {
    is_forked_ = true;
    detail::check(wait(stream_, call_.stream()), call_.name(), "cudaStreamWaitEvent");
  }
  // Lets the later work of the call's stream wait for the work that is in this one.
  void join() {
    detail::check(wait(call_.stream(), stream_), call_.name(), "cudaStreamWaitEvent");
    is_forked_ = false;
  }

 private:
  cudaError_t wait(cudaStream_t later, cudaStream_t earlier) const {
    cudaError_t const status = cudaEventRecord(event_, earlier);
    return status == cudaSuccess ? cudaStreamWaitEvent(later, event_, 0) : status;
  }

  device_call const& call_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
  bool is_forked_ = false;
};

}  // namespace mgpu::detail
