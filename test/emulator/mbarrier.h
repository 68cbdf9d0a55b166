// This is the emulated twin of the seam's hand-over part, simt/mbarrier.cuh. It is compiled in the kernel's
// translation unit, so that a race checker sees what arrivals and waits order.
#pragma once
#include <emulator/device.h>
#include <mgpu/detail/simt/mbarrier.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cuda/std/bit>
#include <cstdint>

namespace mgpu::detail::simt {

// Its state is one word: that of the phase, the bytes that stores still have to bring, which may be below 0 for a while,
// the arrivals still to come, and how many these are in a phase.
namespace impl {
struct mbarrier_state {
  std::uint64_t phase : 10;
  std::uint64_t bytes : 30;
  std::uint64_t to_come : 12;
  std::uint64_t count : 12;
};

// Changes the state as `change` says; a phase ends when neither arrivals nor bytes are to come.
template <class Change>
void change_mbarrier(mbarrier& barrier, Change change) {
  std::uint64_t before = __atomic_load_n(&barrier.state, __ATOMIC_RELAXED);
  std::uint64_t after;
  do {
    auto state = cuda::std::bit_cast<mbarrier_state>(before);
    change(state);
    if (state.to_come == 0 && state.bytes == 0) {
      ++state.phase;
      state.to_come = state.count;
    }
    after = cuda::std::bit_cast<std::uint64_t>(state);
  } while (!__atomic_compare_exchange_n(&barrier.state, &before, after, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
}
}  // namespace impl

inline void mbarrier_init(mbarrier& barrier, unsigned count) {
  auto const state = cuda::std::bit_cast<std::uint64_t>(impl::mbarrier_state{0, 0, count, count});
  __atomic_store_n(&barrier.state, state, __ATOMIC_RELAXED);
}
inline void mbarrier_init_fence() {}

inline void mbarrier_arrive_expecting(mbarrier& barrier, unsigned bytes) {
  emulator::device::before_atomic(emulator::device::access::store);
  impl::change_mbarrier(barrier, [&](impl::mbarrier_state& state) {
    --state.to_come;
    state.bytes += bytes;
  });
}
inline void mbarrier_arrive(mbarrier& barrier) { mbarrier_arrive_expecting(barrier, 0); }

inline void mbarrier_wait(mbarrier& barrier, unsigned parity) {
  auto const phase = [&] {
    return cuda::std::bit_cast<impl::mbarrier_state>(__atomic_load_n(&barrier.state, __ATOMIC_ACQUIRE)).phase;
  };
  while (phase() % 2 == parity) emulator::device::spin_pause();
}
inline void mbarrier_wait_in_cluster(mbarrier& barrier, unsigned parity) { mbarrier_wait(barrier, parity); }

template <class T>
void store_async(T& mine, T word, mbarrier& barrier, unsigned rank) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  emulator::device::before_atomic(emulator::device::access::store);
  in_cluster_block(mine, rank) = word;
  impl::change_mbarrier(in_cluster_block(barrier, rank),
                        [](impl::mbarrier_state& state) { state.bytes -= sizeof(T); });
}

}  // namespace mgpu::detail::simt
