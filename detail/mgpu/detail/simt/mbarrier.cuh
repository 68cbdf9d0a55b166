// The hardware seam, part of barriers in shared memory, by which the warps of one block hand work over to one
// another, from sm_80 on, and the blocks of a cluster words, from sm_90 on.
#pragma once
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/config.h>
#include <cstdint>

namespace mgpu::detail::simt {

// Counts arrivals; a phase ends when `count` threads have arrived, and then the next begins. Phases are told apart by
// parity, from 0 on. The barrier lives in shared memory. Between its init and any other use a sync_block() is needed.
struct alignas(8) mbarrier {
  std::uint64_t state;
};

// A warp arrives by one lane, after sync_warp(). compute-sanitizer's racecheck does not follow that to the other
// lanes' accesses: so in programs built for it (-DMGPU_RACECHECK) each lane arrives.
#if defined(MGPU_RACECHECK)
constexpr unsigned arrivals_per_warp = threads_per_warp;
#else
constexpr unsigned arrivals_per_warp = 1;
#endif

}  // namespace mgpu::detail::simt

#if defined(MGPU_EMULATED)
#include <emulator/mbarrier.h>
#elif defined(__CUDACC__)

namespace mgpu::detail::simt {

namespace impl {
__device__ __forceinline__ unsigned shared_address(mbarrier& barrier) {
  return static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
}
}  // namespace impl

// Makes the barrier ready for `count` arrivals a phase. Called by one thread.
__device__ __forceinline__ void mbarrier_init(mbarrier& barrier, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(impl::shared_address(barrier)), "r"(count) : "memory");
}

// Lets other blocks of the cluster store to the block by the barriers that this thread has made ready, once they know by
// arrive_cluster_relaxed() that it has.
__device__ __forceinline__ void mbarrier_init_fence() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

// Arrives: threads that wait for the phase see what this thread did before.
__device__ __forceinline__ void mbarrier_arrive(mbarrier& barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(impl::shared_address(barrier)) : "memory");
}

// Arrives, and lets the phase last until store_async() has brought as many bytes, too.
__device__ __forceinline__ void mbarrier_arrive_expecting(mbarrier& barrier, unsigned bytes) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(impl::shared_address(barrier)),
               "r"(bytes)
               : "memory");
#endif
}

// Returns when the phase of that parity has ended. A thread may be at most one phase behind the barrier.
__device__ __forceinline__ void mbarrier_wait(mbarrier& barrier, unsigned parity) {
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{\n"
        "  .reg .pred p;\n"
#if __CUDA_ARCH__ >= 900
        "  mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"  // sleeps a while
#else
        "  mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
#endif
        "  selp.u32 %0, 1, 0, p;\n"
        "}"
        : "=r"(done)
        : "r"(impl::shared_address(barrier)), "r"(parity)
        : "memory");
  }
}

// The same, where other blocks of the cluster have stored: then what they stored is seen.
__device__ __forceinline__ void mbarrier_wait_in_cluster(mbarrier& barrier, unsigned parity) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{\n"
        "  .reg .pred p;\n"
        "  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
        "  selp.u32 %0, 1, 0, p;\n"
        "}"
        : "=r"(done)
        : "r"(impl::shared_address(barrier)), "r"(parity)
        : "memory");
  }
#endif
}

// Stores `word` where `mine` stands in the shared memory of the cluster's block `rank`, some time; its bytes are counted
// by the barrier that stands there where `barrier` stands here. The block has started, and does not end before. The word
// alone is shown, and nothing that was stored before.
template <class T>
__device__ __forceinline__ void store_async(T& mine, T word, mbarrier& barrier, unsigned rank) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  auto const in_block = [&](void const* place) {
    unsigned address;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(address)
        : "r"(static_cast<unsigned>(__cvta_generic_to_shared(place))), "r"(rank));
    return address;
  };
  if constexpr (sizeof(T) == 4) {
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(
                     in_block(cuda::std::addressof(mine))),
                 "r"(static_cast<std::uint32_t>(word)), "r"(in_block(&barrier))
                 : "memory");
  } else {
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(
                     in_block(cuda::std::addressof(mine))),
                 "l"(static_cast<std::uint64_t>(word)), "r"(in_block(&barrier))
                 : "memory");
  }
#endif
}

// The same, of a word that was computed from all that the block has loaded: so others that see it may write there.
template <class T>
__device__ __forceinline__ void store_async_of_loaded(T& mine, T word, mbarrier& barrier, unsigned rank) {
  simt::store_async(mine, word, barrier, rank);
}

}  // namespace mgpu::detail::simt
#endif
