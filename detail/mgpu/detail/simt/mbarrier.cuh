// The hardware seam, part of barriers in shared memory, by which the warps of one block hand work over to one
// another, from sm_80 on.
#pragma once
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

// Arrives: threads that wait for the phase see what this thread did before.
__device__ __forceinline__ void mbarrier_arrive(mbarrier& barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(impl::shared_address(barrier)) : "memory");
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

}  // namespace mgpu::detail::simt
#endif
