// Kernels are launched here and nowhere else.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/debug.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/simt/launch.h>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace mgpu::detail {

// The shape of a launch; `early` is explained at simt::launch_shape.
struct grid_shape {
  std::int64_t num_blocks;
  int threads_per_block;
  std::size_t shared_bytes = 0;
  int blocks_per_cluster = 1;
  bool early = false;
};

// Makes the kernel ready for a launch of this shape, and returns the shape as simt/ takes it.
MGPU_NOINLINE inline simt::launch_shape prepare_launch(device_call const& call, grid_shape const& shape,
                                                       void const* kernel) {
  allow_shared(call, kernel, shape.shared_bytes);
  if (shape.num_blocks > std::numeric_limits<std::int32_t>::max()) {
    detail::check(cudaErrorInvalidConfiguration, call.name(), "kernel launch");
  }
  return {static_cast<unsigned>(shape.num_blocks), static_cast<unsigned>(shape.threads_per_block), shape.shared_bytes,
          static_cast<unsigned>(shape.blocks_per_cluster), shape.early};
}

// Launches a kernel on the call's stream, or throws.
template <class... Params, class... Args>
void launch(device_call const& call, grid_shape const& shape, void (*kernel)(Params...), Args const&... args) {
  simt::launch_shape const prepared = prepare_launch(call, shape, reinterpret_cast<void const*>(kernel));
  detail::check(simt::enqueue(kernel, prepared, call.stream(), args...), call.name(), "kernel launch");
#if defined(MGPU_SYNC_LAUNCHES)
  detail::wait_for_kernel(call, reinterpret_cast<void const*>(kernel));
#endif
}

}  // namespace mgpu::detail
