// The host asks here how many blocks a cluster may have.
#pragma once
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <mgpu/detail/simt/launch.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

// Returns how many blocks of this shape a cluster on the stream may have at most: a power of two. The stream of a green
// context has some of the multiprocessors, where there may be room for less than on the whole device, and for one block
// alone if those lie apart.
inline int ask_largest_cluster(device_call const& call, grid_shape const& shape, void const* kernel,
                               cudaStream_t stream) {
  allow_shared(call, kernel, shape.shared_bytes);
  set_attribute(call, kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  for (int blocks = 16; blocks > 1; blocks /= 2) {
    int fitting = 0;
    simt::launch_configuration const cluster({blocks, shape.threads_per_block, shape.shared_bytes, blocks}, stream);
    cudaError_t const status = cudaOccupancyMaxActiveClusters(&fitting, kernel, cluster.get());
    detail::forget(status);
    if (status == cudaSuccess && fitting > 0) return blocks;
  }
  return 1;
}

// Returns the same for the call's stream, remembered by its handle and its id: the handle may have been another
// stream's before, or stand for a stream of the current context. A stream that is captured may not be asked for its id:
// then what was last learnt of the handle counts, or else what holds for the whole device.
inline int largest_cluster(device_call const& call, grid_shape const& shape, void const* kernel) {
  struct cluster_facts {
    void const* kernel;
    int device;
    int largest;
    cudaStream_t stream;
    unsigned long long id;
  };
  constexpr std::size_t num_facts = 256;
  thread_local cluster_facts facts[num_facts] = {};
  cudaStream_t const stream = call.stream();
  std::size_t const hash =
      reinterpret_cast<std::uintptr_t>(kernel) / 16 + reinterpret_cast<std::uintptr_t>(stream) / 64;
  cluster_facts& known = facts[hash % num_facts];
  bool const is_known = known.kernel == kernel && known.device == call.device() && known.stream == stream;

  if (call.is_capturing()) return is_known ? known.largest : ask_largest_cluster(call, shape, kernel, nullptr);
  unsigned long long id = 0;
  detail::check(cudaStreamGetId(stream, &id), call.name(), "cudaStreamGetId");
  if (!is_known || known.id != id) {
    known = {kernel, call.device(), ask_largest_cluster(call, shape, kernel, stream), stream, id};
  }
  return known.largest;
}

// Returns how many blocks of this shape a cluster may have, at most `wanted`.
template <class... Params>
int blocks_per_cluster(device_call const& call, grid_shape const& shape, void (*kernel)(Params...), int wanted) {
  if (wanted <= 1) return wanted;
  return smaller(wanted, largest_cluster(call, shape, reinterpret_cast<void const*>(kernel)));
}

}  // namespace mgpu::detail
