// Kernels are launched here and nowhere else.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/debug.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/simt/launch.h>
#include <cstdint>
#include <limits>

namespace mgpu::detail {

using simt::grid_shape;

// Makes the kernel ready for a launch of this shape.
MGPU_NOINLINE inline void prepare_launch(device_call const& call, grid_shape const& shape, void const* kernel) {
  allow_shared(call, kernel, shape.shared_bytes);
  if (shape.num_blocks > std::numeric_limits<std::int32_t>::max()) {
    detail::check(cudaErrorInvalidConfiguration, call.name(), "kernel launch");
  }
}

// Launches a kernel on the call's stream, or throws.
template <class... Params, class... Args>
void launch(device_call const& call, grid_shape const& shape, void (*kernel)(Params...), Args const&... args) {
  prepare_launch(call, shape, reinterpret_cast<void const*>(kernel));
  detail::check(simt::enqueue(kernel, shape, call.stream(), args...), call.name(), "kernel launch");
#if defined(MGPU_SYNC_LAUNCHES)
  detail::wait_for_kernel(call, reinterpret_cast<void const*>(kernel));
#endif
}

}  // namespace mgpu::detail
