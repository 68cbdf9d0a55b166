// The one place where kernels are launched.
#pragma once
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/host/call.h>
#include <mgpu/detail/host/check.h>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace mgpu::detail {

// The architecture the kernel was compiled for, which need not be the device's own: what its tuning was chosen by.
template <class... Params>
int compiled_arch(device_call const& call, void (*kernel)(Params...)) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, reinterpret_cast<void const*>(kernel)), call.name(),
        "cudaFuncGetAttributes");
  return attributes.ptxVersion;
}

// Of the current device.
inline int num_multiprocessors(device_call const& call) {
  int device = 0;
  int count = 0;
  check(cudaGetDevice(&device), call.name(), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), call.name(),
        "cudaDeviceGetAttribute");
  return count;
}

struct grid_shape {
  std::int64_t num_blocks;
  int threads_per_block;
  std::size_t shared_bytes = 0;
};

// Launches a kernel on the call's stream.
template <class... Params, class... Args>
void launch(device_call const& call, grid_shape shape, void (*kernel)(Params...), Args const&... args) {
  constexpr std::size_t always_allowed = 48 * 1024;
  if (shape.shared_bytes > always_allowed) {
    check(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shape.shared_bytes)),
          call.name(), "cudaFuncSetAttribute");
  }
  if (shape.num_blocks > std::numeric_limits<std::int32_t>::max()) {
    check(cudaErrorInvalidConfiguration, call.name(), "kernel launch");
  }
  check(simt::enqueue(kernel,
                      {static_cast<unsigned>(shape.num_blocks), static_cast<unsigned>(shape.threads_per_block),
                       shape.shared_bytes},
                      call.stream(), args...),
        call.name(), "kernel launch");
}

}  // namespace mgpu::detail
