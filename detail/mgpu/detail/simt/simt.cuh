// The hardware seam: every CUDA instruction that a kernel may use, as one thin function each. Nothing else in the
// library names CUDA's device vocabulary, so that the same kernels also run over the emulator in test/emulator, which
// defines these functions on fibers.
#pragma once
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/config.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail::simt {

constexpr std::uint32_t full_mask = 0xffffffffu;

}  // namespace mgpu::detail::simt

#if defined(MGPU_EMULATED)
#include <emulator/simt.h>
#elif defined(__CUDACC__)

namespace mgpu::detail::simt {

// These tell where a thread is: in its block, in its warp, and its block in the grid, which has one dimension.
__device__ __forceinline__ unsigned thread_rank() { return threadIdx.x; }
__device__ __forceinline__ unsigned block_rank() { return blockIdx.x; }
__device__ __forceinline__ unsigned block_count() { return gridDim.x; }
__device__ __forceinline__ unsigned threads_per_block() { return blockDim.x; }
__device__ __forceinline__ unsigned lane() { return threadIdx.x % threads_per_warp; }
__device__ __forceinline__ unsigned warp() { return threadIdx.x / threads_per_warp; }

// These are barriers: of all threads of the block, and of the lanes of a warp that `mask` names.
__device__ __forceinline__ void sync_block() { __syncthreads(); }
__device__ __forceinline__ void sync_warp(std::uint32_t mask = full_mask) { __syncwarp(mask); }

// These are votes and shuffles; `mask` names exactly the lanes that arrive.
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

// These functions return a result over the values of all 32 lanes to each; all lanes call them.
__device__ __forceinline__ std::uint32_t sum_of_warp(std::uint32_t value) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_add_sync(full_mask, value);
#else
  for (unsigned distance = 1; distance < 32; distance *= 2) value += shuffle_xor(full_mask, value, distance);
  return value;
#endif
}
__device__ __forceinline__ std::uint32_t or_of_warp(std::uint32_t value) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_or_sync(full_mask, value);
#else
  for (unsigned distance = 1; distance < 32; distance *= 2) value |= shuffle_xor(full_mask, value, distance);
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

// Both functions return sum plus the four bytes of `word`, each an unsigned or a signed integer, modulo 2^32.
__device__ __forceinline__ std::uint32_t add_unsigned_bytes(std::uint32_t word, std::uint32_t sum) {
  return __dp4a(word, 0x01010101u, sum);
}
__device__ __forceinline__ std::uint32_t add_signed_bytes(std::uint32_t word, std::uint32_t sum) {
  return static_cast<std::uint32_t>(__dp4a(static_cast<int>(word), 0x01010101, static_cast<int>(sum)));
}

__device__ __forceinline__ unsigned population_count(std::uint32_t bits) { return __popc(bits); }
__device__ __forceinline__ int leading_zeros(std::uint32_t bits) { return __clz(static_cast<int>(bits)); }

// Adds one to `count` if the condition holds. The compiler's own code adds in any case, and then chooses.
__device__ __forceinline__ void increment_if(bool condition, int& count) {
  asm("{.reg .pred p; setp.ne.s32 p, %1, 0; @p add.s32 %0, %0, 1;}" : "+r"(count) : "r"(int{condition}));
}
// Returns how many items lie between two places in shared memory, without the 64 bits of a difference of pointers.
template <class T>
__device__ __forceinline__ int items_between(T const* first, T const* last) {
  auto const address = [](T const* place) { return static_cast<std::uint32_t>(__cvta_generic_to_shared(place)); };
  return static_cast<int>((address(last) - address(first)) / static_cast<std::uint32_t>(sizeof(T)));
}

// Makes the compiler forget what it knows of a word, so that it computes anew what it would otherwise keep in
// registers.
__device__ __forceinline__ void forget(std::uint32_t& word) { asm volatile("" : "+r"(word)); }
// Returns thread_rank(), computed anew, for rarely run code in a loop whose registers are needed for what it does
// most.
__device__ __forceinline__ unsigned thread_rank_anew() {
  std::uint32_t thread = thread_rank();
  forget(thread);
  return thread;
}

// A cluster is some blocks that run at the same time and reach into each other's shared memory, from sm_90 on. Before
// that, and where the launch asks for none, a block is a cluster of its own.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__device__ __forceinline__ unsigned cluster_rank() { return __clusterRelativeBlockRank(); }
__device__ __forceinline__ unsigned blocks_per_cluster() { return __clusterSizeInBlocks(); }

// The barrier of a cluster has two halves: what a thread of the cluster did before it arrived is seen by all threads
// that have waited. Both are called by all threads, in turns.
__device__ __forceinline__ void arrive_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
// Arrives at the same barrier, and shows others nothing: that saves the fence, which takes half of the barrier's time.
// Others see nevertheless what a sync_block() orders before another thread's arrive_cluster(). Loads from another block's
// memory may still be under way, until what they return has been used. All lanes of a warp call the same one of the two.
__device__ __forceinline__ void arrive_cluster_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
__device__ __forceinline__ void wait_cluster() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }

// Returns what stands where `mine` does in the shared memory of the cluster's block `rank`. That block has started
// once a wait_cluster() has returned; it must not end before the access.
template <class T>
__device__ __forceinline__ T& in_cluster_block(T& mine, unsigned rank) {
  return *static_cast<T*>(__cluster_map_shared_rank(cuda::std::addressof(mine), rank));
}
#else
__device__ __forceinline__ unsigned cluster_rank() { return 0; }
__device__ __forceinline__ unsigned blocks_per_cluster() { return 1; }
__device__ __forceinline__ void arrive_cluster() { __syncthreads(); }
__device__ __forceinline__ void arrive_cluster_relaxed() { __syncthreads(); }
__device__ __forceinline__ void wait_cluster() {}
template <class T>
__device__ __forceinline__ T& in_cluster_block(T& mine, unsigned) {
  return mine;
}
#endif

// Lets a kernel that is launched early start once all blocks of its primary, this kernel, have called this or ended.
// That is so from sm_90 on; before that, and where the launch is not early, neither this nor wait_for_primary() does
// anything.
__device__ __forceinline__ void launch_dependents() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
// Returns when the primary has ended; then this thread can read what it wrote by any load.
__device__ __forceinline__ void wait_for_primary() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Ends a launch that is early and does nothing, before its primary may have ended; called by all its threads. What that
// primary had waited for has ended.
__device__ __forceinline__ void skip_launch() {}

// Returns the block's shared memory as the kernel's one storage struct. The launch passes sizeof(Storage).
template <class Storage>
__device__ __forceinline__ Storage& shared() {
  static_assert(current_arch() == 0 || sizeof(Storage) <= max_shared_bytes(current_arch()),
                "mgpu: this tuning, or so large a type, takes more shared memory than a block has");
  extern __shared__ __align__(128) unsigned char mgpu_shared_memory[];
  return *reinterpret_cast<Storage*>(mgpu_shared_memory);
}

}  // namespace mgpu::detail::simt

#endif
