// The hardware seam, host part: how a kernel is put on a stream.
#pragma once
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/config.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail::simt {

struct grid_shape {
  std::int64_t num_blocks;
  int threads_per_block;
  std::size_t shared_bytes = 0;  // dynamic shared memory of one block: sizeof of the kernel's storage
  int blocks_per_cluster = 1;    // more than 1 from sm_90 on; neighbouring blocks, which run at the same time
  // An early kernel, from sm_90 on, starts once each block of its primary, the kernel before it in the stream, has ended
  // or called launch_dependents(). All its threads call wait_for_primary(), before launch_dependents(), or skip_launch():
  // of three kernels the first has ended when the third starts, or the second is skipped.
  bool early = false;
};

// A launch in the form that the CUDA runtime takes.
class launch_configuration {
 public:
  launch_configuration(grid_shape const& shape, cudaStream_t stream) {
    config_.gridDim = dim3(static_cast<unsigned>(shape.num_blocks));
    config_.blockDim = dim3(static_cast<unsigned>(shape.threads_per_block));
    config_.dynamicSmemBytes = shape.shared_bytes;
    config_.stream = stream;
    config_.attrs = attributes_;
    if (shape.blocks_per_cluster > 1) {
      cudaLaunchAttribute& cluster = attributes_[config_.numAttrs++];
      cluster.id = cudaLaunchAttributeClusterDimension;
      cluster.val.clusterDim.x = static_cast<unsigned>(shape.blocks_per_cluster);
      cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    }
    if (shape.early) {
      cudaLaunchAttribute& early = attributes_[config_.numAttrs++];
      early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      early.val.programmaticStreamSerializationAllowed = 1;
    }
  }
  launch_configuration(launch_configuration const&) = delete;
  launch_configuration& operator=(launch_configuration const&) = delete;
  cudaLaunchConfig_t const* get() const { return &config_; }

 private:
  cudaLaunchAttribute attributes_[2] = {};
  cudaLaunchConfig_t config_{};
};

// A parameter of this type takes no part in deduction: the kernel alone says what its arguments become.
template <class T>
using argument_of = typename std::remove_reference<T>::type const&;

}  // namespace mgpu::detail::simt

#if defined(MGPU_EMULATED)
#include <emulator/launch.h>
#else

namespace mgpu::detail::simt {

// The part of a launch that is the same for all kernels. Inlined, it would make up most of the host's code.
MGPU_NOINLINE inline cudaError_t enqueue_any(void const* kernel, grid_shape const& shape, cudaStream_t stream,
                                             void** arguments) {
  return cudaLaunchKernelExC(launch_configuration(shape, stream).get(), kernel, arguments);
}

// Queues a kernel on a stream. Only runtime/launch.h calls it, and checks the result.
template <class... Params>
inline cudaError_t enqueue(void (*kernel)(Params...), grid_shape const& shape, cudaStream_t stream,
                           argument_of<Params>... arguments) {
  void* pointers[] = {const_cast<void*>(static_cast<void const*>(cuda::std::addressof(arguments)))...};
  return enqueue_any(reinterpret_cast<void const*>(kernel), shape, stream, pointers);
}

}  // namespace mgpu::detail::simt

#endif  // MGPU_EMULATED
