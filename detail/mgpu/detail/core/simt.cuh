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
  std::size_t shared_bytes;  // dynamic shared memory of one block: sizeof of the kernel's storage
};

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

// Queues a kernel on a stream. For host/launch.h, which checks the result; nobody else calls it.
template <class... Params>
inline cudaError_t enqueue(void (*kernel)(Params...), launch_shape shape, cudaStream_t stream,
                           typename impl::identity<Params>::type const&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.num_blocks);
  config.blockDim = dim3(shape.threads_per_block);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  void* pointers[] = {const_cast<void*>(static_cast<void const*>(&arguments))...};
  return cudaLaunchKernelExC(&config, reinterpret_cast<void const*>(kernel), pointers);
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

__device__ __forceinline__ unsigned population_count(std::uint32_t bits) { return __popc(bits); }

// The block's shared memory as the kernel's one storage struct. The launch passes sizeof(Storage).
template <class Storage>
__device__ __forceinline__ Storage& shared() {
  extern __shared__ __align__(128) unsigned char mgpu_shared_memory[];
  return *reinterpret_cast<Storage*>(mgpu_shared_memory);
}

#endif  // __CUDACC__

}  // namespace mgpu::detail::simt

#endif  // MGPU_EMULATED
