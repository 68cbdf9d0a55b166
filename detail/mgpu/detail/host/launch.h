// The one place where kernels are launched.
#pragma once
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/host/call.h>
#include <mgpu/detail/host/check.h>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace mgpu::detail {

// To ask the runtime takes as long as a tenth of a small call, so each thread remembers what it asked and set last.

// What is known of a kernel on a device.
struct kernel_facts {
  void const* kernel;
  int device;
  int arch;                  // that it was compiled for, which need not be the device's own
  std::size_t shared_bytes;  // that a block may have
  int blocks_per_cluster;    // that a cluster may have; 0 where that was not asked yet
};

inline kernel_facts& facts_of(device_call const& call, void const* kernel) {
  constexpr std::size_t num_kernels = 256;
  constexpr std::size_t bytes_of_any = 48 * 1024;
  thread_local kernel_facts kernels[num_kernels] = {};
  int const device = call.device();
  kernel_facts& known = kernels[reinterpret_cast<std::uintptr_t>(kernel) / 16 % num_kernels];
  if (known.kernel != kernel || known.device != device) {
    cudaFuncAttributes attributes{};
    detail::check(cudaFuncGetAttributes(&attributes, kernel), call.name(), "cudaFuncGetAttributes");
    known = {kernel, device, attributes.ptxVersion, bytes_of_any, 0};
  }
  return known;
}

// The architecture the kernel was compiled for: what its tuning was chosen by.
template <class... Params>
int compiled_arch(device_call const& call, void (*kernel)(Params...)) {
  return facts_of(call, reinterpret_cast<void const*>(kernel)).arch;
}

// Of the call's device.
inline int num_multiprocessors(device_call const& call) {
  thread_local int device = -1;
  thread_local int count = 0;
  if (device != call.device()) {
    detail::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, call.device()), call.name(),
                  "cudaDeviceGetAttribute");
    device = call.device();
  }
  return count;
}

// Sets words to zero in stream order. Up to 4 KB travel with the command; for more the runtime launches a kernel, which
// takes 2.5 us longer on an H200: so what is a little more goes in two pieces.
inline void clear(device_call const& call, std::uint64_t* words, std::int64_t num_words) {
  constexpr std::int64_t words_of_command = 512;
  std::int64_t const first = num_words <= 2 * words_of_command ? smaller(num_words, words_of_command) : num_words;
  auto const set = [&](std::uint64_t* begin, std::int64_t count) {
    detail::check(cudaMemsetAsync(begin, 0, static_cast<std::size_t>(count) * sizeof(std::uint64_t), call.stream()),
                  call.name(), "cudaMemsetAsync");
  };
  set(words, first);
  if (first < num_words) set(words + first, num_words - first);
}

struct grid_shape {
  std::int64_t num_blocks;
  int threads_per_block;
  std::size_t shared_bytes = 0;
  int blocks_per_cluster = 1;
  bool early = false;  // as in simt::launch_shape
};

// Lets blocks of the kernel have so much shared memory.
inline void allow_shared(device_call const& call, void const* kernel, std::size_t bytes) {
  kernel_facts& known = facts_of(call, kernel);
  if (bytes <= known.shared_bytes) return;
  int most = 0;
  detail::check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, call.device()), call.name(),
                "cudaDeviceGetAttribute");
  if (bytes > static_cast<std::size_t>(most)) fail_for_shared(call.name(), known.arch, bytes, most);
  detail::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
                call.name(), "cudaFuncSetAttribute");
  known.shared_bytes = bytes;
}

// How many blocks of this shape a cluster may have, at most `wanted`. Eight are always possible from sm_90 on; more on
// some devices, if they are not partitioned.
template <class... Params>
int blocks_per_cluster(device_call const& call, grid_shape const& shape, void (*kernel)(Params...), int wanted) {
  constexpr int always_possible = 8;
  constexpr int most = 16;
  if (wanted <= always_possible) return wanted;
  auto const* const function = reinterpret_cast<void const*>(kernel);
  kernel_facts& known = facts_of(call, function);
  if (known.blocks_per_cluster == 0) {
    allow_shared(call, function, shape.shared_bytes);
    detail::check(cudaFuncSetAttribute(function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), call.name(),
                  "cudaFuncSetAttribute");
    int fitting = 0;
    cudaError_t const status = simt::max_active_clusters(
        fitting, function, {most, static_cast<unsigned>(shape.threads_per_block), shape.shared_bytes, most});
    if (status != cudaSuccess) detail::forget(status);
    known.blocks_per_cluster = fitting > 0 ? most : always_possible;
  }
  return smaller(wanted, known.blocks_per_cluster);
}

MGPU_NOINLINE inline simt::launch_shape prepare_launch(device_call const& call, grid_shape const& shape,
                                                       void const* kernel) {
  allow_shared(call, kernel, shape.shared_bytes);
  if (shape.num_blocks > std::numeric_limits<std::int32_t>::max()) {
    detail::check(cudaErrorInvalidConfiguration, call.name(), "kernel launch");
  }
  return {static_cast<unsigned>(shape.num_blocks), static_cast<unsigned>(shape.threads_per_block), shape.shared_bytes,
          static_cast<unsigned>(shape.blocks_per_cluster), shape.early};
}

// Launches a kernel on the call's stream.
template <class... Params, class... Args>
void launch(device_call const& call, grid_shape const& shape, void (*kernel)(Params...), Args const&... args) {
  simt::launch_shape const prepared = prepare_launch(call, shape, reinterpret_cast<void const*>(kernel));
  detail::check(simt::enqueue(kernel, prepared, call.stream(), args...), call.name(), "kernel launch");
}

}  // namespace mgpu::detail
