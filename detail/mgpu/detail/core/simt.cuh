// The hardware seam: every CUDA instruction that a kernel may use, one thin function each.
// Nothing else in the library names CUDA's device vocabulary, so that the same kernels also run over the
// emulator in test/emulator, which defines these functions on fibers.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail::simt {

constexpr std::uint32_t full_mask = 0xffffffffu;

struct launch_shape {
  unsigned num_blocks;
  unsigned threads_per_block;
  std::size_t shared_bytes;         // dynamic shared memory of one block: sizeof of the kernel's storage
  unsigned blocks_per_cluster = 1;  // more from sm_90 on; neighbouring blocks, which run at the same time
  // From sm_90 on: starts once each block of the kernel before it in the stream, its primary, has ended or called
  // launch_dependents(), and calls wait_for_primary() in all its threads. If it has dependents too, that comes first:
  // of three kernels the first has then ended when the third starts.
  bool early = false;
};

// A launch as the runtime wants it said.
class launch_configuration {
 public:
  launch_configuration(launch_shape const& shape, cudaStream_t stream) {
    config_.gridDim = dim3(shape.num_blocks);
    config_.blockDim = dim3(shape.threads_per_block);
    config_.dynamicSmemBytes = shape.shared_bytes;
    config_.stream = stream;
    config_.attrs = attributes_;
    if (shape.blocks_per_cluster > 1) {
      cudaLaunchAttribute& cluster = attributes_[config_.numAttrs++];
      cluster.id = cudaLaunchAttributeClusterDimension;
      cluster.val.clusterDim.x = shape.blocks_per_cluster;
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

// How many clusters of this shape the current device has room for at a time.
inline cudaError_t max_active_clusters(int& count, void const* kernel, launch_shape const& shape) {
  return cudaOccupancyMaxActiveClusters(&count, kernel, launch_configuration(shape, nullptr).get());
}

}  // namespace mgpu::detail::simt

#if defined(MGPU_EMULATED)
#include <emulator/simt.h>
#else

namespace mgpu::detail::simt {

namespace impl {
template <class T>
struct identity {
  using type = T;
};
}  // namespace impl

// What of a launch is the same for all kernels: inlined, it would make most of the host's code.
MGPU_NOINLINE inline cudaError_t enqueue_any(void const* kernel, launch_shape const& shape, cudaStream_t stream,
                                             void** arguments) {
  return cudaLaunchKernelExC(launch_configuration(shape, stream).get(), kernel, arguments);
}

// Queues a kernel on a stream. For host/launch.h, which checks the result; nobody else calls it.
template <class... Params>
inline cudaError_t enqueue(void (*kernel)(Params...), launch_shape const& shape, cudaStream_t stream,
                           typename impl::identity<Params>::type const&... arguments) {
  void* pointers[] = {const_cast<void*>(static_cast<void const*>(&arguments))...};
  return enqueue_any(reinterpret_cast<void const*>(kernel), shape, stream, pointers);
}

#if defined(__CUDACC__)

__device__ __forceinline__ unsigned thread_rank() { return threadIdx.x; }
__device__ __forceinline__ unsigned block_rank() { return blockIdx.x; }
__device__ __forceinline__ unsigned block_count() { return gridDim.x; }
__device__ __forceinline__ unsigned threads_per_block() { return blockDim.x; }
__device__ __forceinline__ unsigned lane() { return threadIdx.x % threads_per_warp; }
__device__ __forceinline__ unsigned warp() { return threadIdx.x / threads_per_warp; }

__device__ __forceinline__ void sync_block() { __syncthreads(); }
__device__ __forceinline__ void sync_warp(std::uint32_t mask = full_mask) { __syncwarp(mask); }

// Votes and shuffles: `mask` names exactly the lanes that arrive.
__device__ __forceinline__ bool all(std::uint32_t mask, bool predicate) { return __all_sync(mask, predicate); }
__device__ __forceinline__ bool any(std::uint32_t mask, bool predicate) { return __any_sync(mask, predicate); }
__device__ __forceinline__ std::uint32_t ballot(std::uint32_t mask, bool predicate) {
  return __ballot_sync(mask, predicate);
}
__device__ __forceinline__ std::uint32_t match_any(std::uint32_t mask, std::uint32_t value) {
  return __match_any_sync(mask, value);
}
template <class T>
__device__ __forceinline__ T shuffle(std::uint32_t mask, T value, unsigned source_lane) {
  return __shfl_sync(mask, value, source_lane);
}
template <class T>
__device__ __forceinline__ T shuffle_up(std::uint32_t mask, T value, unsigned delta) {
  return __shfl_up_sync(mask, value, delta);
}
template <class T>
__device__ __forceinline__ T shuffle_down(std::uint32_t mask, T value, unsigned delta) {
  return __shfl_down_sync(mask, value, delta);
}
template <class T>
__device__ __forceinline__ T shuffle_xor(std::uint32_t mask, T value, unsigned lane_mask) {
  return __shfl_xor_sync(mask, value, lane_mask);
}

// Of all lanes, which all call it.
__device__ __forceinline__ std::uint32_t sum_of_warp(std::uint32_t value) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_add_sync(full_mask, value);
#else
  for (unsigned distance = 1; distance < 32; distance *= 2) value += shuffle_xor(full_mask, value, distance);
  return value;
#endif
}
__device__ __forceinline__ std::uint32_t maximum_of_warp(std::uint32_t value) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_max_sync(full_mask, value);
#else
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    std::uint32_t const other = shuffle_xor(full_mask, value, distance);
    value = other > value ? other : value;
  }
  return value;
#endif
}

__device__ __forceinline__ unsigned population_count(std::uint32_t bits) { return __popc(bits); }
__device__ __forceinline__ int leading_zeros(std::uint32_t bits) { return __clz(static_cast<int>(bits)); }

// The compiler forgets what it knows of a word: it computes anew what it would otherwise keep in registers.
__device__ __forceinline__ void forget(std::uint32_t& word) { asm volatile("" : "+r"(word)); }
// thread_rank(), for code that is rarely run in a loop whose registers are needed for what it does most.
__device__ __forceinline__ unsigned thread_rank_anew() {
  std::uint32_t thread = thread_rank();
  forget(thread);
  return thread;
}

// Clusters: blocks that run at the same time and reach into each other's shared memory. From sm_90 on; before that,
// and where the launch asks for none, a block is a cluster of its own.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__device__ __forceinline__ unsigned cluster_rank() { return __clusterRelativeBlockRank(); }
__device__ __forceinline__ unsigned blocks_per_cluster() { return __clusterSizeInBlocks(); }

// The barrier of a cluster, in two halves: what a thread of the cluster did before it arrived is seen by all that
// have waited. Called by all threads, in turns.
__device__ __forceinline__ void arrive_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ __forceinline__ void wait_cluster() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }

// The same place in the shared memory of the cluster's block `rank`. That block has started once a wait_cluster() has
// returned; it must not end before the access.
template <class T>
__device__ __forceinline__ T& in_cluster_block(T& mine, unsigned rank) {
  return *static_cast<T*>(__cluster_map_shared_rank(&mine, rank));
}
#else
__device__ __forceinline__ unsigned cluster_rank() { return 0; }
__device__ __forceinline__ unsigned blocks_per_cluster() { return 1; }
__device__ __forceinline__ void arrive_cluster() { __syncthreads(); }
__device__ __forceinline__ void wait_cluster() {}
template <class T>
__device__ __forceinline__ T& in_cluster_block(T& mine, unsigned) {
  return mine;
}
#endif

// Two kernels of which the second is launched early: once all blocks of the first have come here or ended, it may
// start. From sm_90 on; before that, and where the launch is not early, neither function does anything.
__device__ __forceinline__ void launch_dependents() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
// Returns when the first has ended, and its writes are there for this thread to read by any load.
__device__ __forceinline__ void wait_for_primary() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// The block's shared memory as the kernel's one storage struct. The launch passes sizeof(Storage).
template <class Storage>
__device__ __forceinline__ Storage& shared() {
  static_assert(current_arch() == 0 || sizeof(Storage) <= max_shared_bytes(current_arch()),
                "mgpu: this tuning, or so large a type, takes more shared memory than a block has");
  extern __shared__ __align__(128) unsigned char mgpu_shared_memory[];
  return *reinterpret_cast<Storage*>(mgpu_shared_memory);
}

#endif  // __CUDACC__

}  // namespace mgpu::detail::simt

#endif  // MGPU_EMULATED
