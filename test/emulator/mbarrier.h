// This is the emulated twin of the seam's hand-over part, simt/mbarrier.cuh. It is compiled in the kernel's
// translation unit, so that a race checker sees what arrivals and waits order.
#pragma once
#include <emulator/device.h>
#include <mgpu/detail/simt/mbarrier.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cuda/std/bit>
#include <cstdint>
#include <cstring>

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

// Returns the state after `change`; a phase ends when neither arrivals nor bytes are to come.
template <class Change>
std::uint64_t changed(std::uint64_t before, Change change) {
  auto state = cuda::std::bit_cast<mbarrier_state>(before);
  change(state);
  if (state.to_come == 0 && state.bytes == 0) {
    ++state.phase;
    state.to_come = state.count;
  }
  return cuda::std::bit_cast<std::uint64_t>(state);
}
}  // namespace impl

inline void mbarrier_init(mbarrier& barrier, unsigned count) {
  auto const state = cuda::std::bit_cast<std::uint64_t>(impl::mbarrier_state{0, 0, count, count});
  __atomic_store_n(&barrier.state, state, __ATOMIC_RELAXED);
}
inline void mbarrier_init_fence() {}

inline void mbarrier_arrive_expecting(mbarrier& barrier, unsigned bytes) {
  emulator::device::before_atomic(emulator::device::access::store);
  std::uint64_t before = __atomic_load_n(&barrier.state, __ATOMIC_RELAXED);
  std::uint64_t after;
  do {
    after = impl::changed(before, [&](impl::mbarrier_state& state) {
      --state.to_come;
      state.bytes += bytes;
    });
  } while (!__atomic_compare_exchange_n(&barrier.state, &before, after, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
}
inline void mbarrier_arrive(mbarrier& barrier) { mbarrier_arrive_expecting(barrier, 0); }

inline void mbarrier_wait(mbarrier& barrier, unsigned parity) {
  auto const phase = [&] {
    return cuda::std::bit_cast<impl::mbarrier_state>(__atomic_load_n(&barrier.state, __ATOMIC_ACQUIRE)).phase;
  };
  while (phase() % 2 == parity) emulator::device::spin_pause();
}

// Words arrive no sooner than one waits for them. They are stored by who does, so that they show nothing of what the
// threads did that sent them.
inline void mbarrier_wait_in_cluster(mbarrier& barrier, unsigned parity) {
  mbarrier_wait(barrier, parity);
  for (emulator::device::word_in_flight word; emulator::device::take_word(&barrier.state, word);) {
    std::memcpy(word.to, &word.word, word.bytes);
  }
  __atomic_fetch_add(&barrier.state, 0, __ATOMIC_ACQ_REL);  // others that wait see them
}

template <class T>
void store_async(T& mine, T word, mbarrier& barrier, unsigned rank) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  emulator::device::before_atomic(emulator::device::access::store);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &word, sizeof(T));
  emulator::device::send_word(
      {&in_cluster_block(barrier, rank).state, &in_cluster_block(mine, rank), bits, sizeof(T)}, rank,
      [](std::uint64_t before) {
        return impl::changed(before, [](impl::mbarrier_state& state) { state.bytes -= sizeof(T); });
      });
}
// A race checker does not tell what a thread has loaded from what it has stored.
template <class T>
void store_async_of_loaded(T& mine, T word, mbarrier& barrier, unsigned rank) {
  __atomic_fetch_add(&in_cluster_block(barrier, rank).state, 0, __ATOMIC_RELEASE);
  store_async(mine, word, barrier, rank);
}

}  // namespace mgpu::detail::simt
