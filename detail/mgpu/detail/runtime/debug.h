// Debug aids of a program's own build (README.md): with MGPU_SYNC_LAUNCHES an error that a kernel makes is told with
// its name.
#pragma once
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>

namespace mgpu::detail {

// Waits for the kernel, so that what went wrong in it is told with its name; but not while the stream is captured, when
// nothing runs.
inline void wait_for_kernel(device_call const& call, void const* kernel) {
  if (call.is_capturing()) return;
  cudaError_t const result = cudaStreamSynchronize(call.stream());
  if (result == cudaSuccess) return;
  char const* name = nullptr;
  if (cudaFuncGetName(&name, kernel) != cudaSuccess) name = "a kernel";
  detail::check(result, call.name(), name);
}

}  // namespace mgpu::detail
