// This is the emulated twin of the seam's hand-over part, simt/mbarrier.cuh. It is compiled in the kernel's
// translation unit, so that a race checker sees what arrivals and waits order.
#pragma once
#include <emulator/device.h>
#include <mgpu/detail/simt/mbarrier.cuh>
#include <cstdint>

namespace mgpu::detail::simt {

// The state has the phase from bit 40 up, then 20 bits of arrivals still to come, then 20 of the count of a phase.
namespace impl {
constexpr int mbarrier_bits = 20;
constexpr std::uint64_t mbarrier_mask = (std::uint64_t{1} << mbarrier_bits) - 1;
}  // namespace impl

inline void mbarrier_init(mbarrier& barrier, unsigned count) {
  std::uint64_t const state = std::uint64_t{count} << impl::mbarrier_bits | count;
  __atomic_store_n(&barrier.state, state, __ATOMIC_RELAXED);
}

inline void mbarrier_arrive(mbarrier& barrier) {
  emulator::device::before_atomic(emulator::device::access::store);
  std::uint64_t before = __atomic_load_n(&barrier.state, __ATOMIC_RELAXED);
  std::uint64_t after;
  do {
    std::uint64_t const count = before & impl::mbarrier_mask;
    std::uint64_t const to_come = (before >> impl::mbarrier_bits & impl::mbarrier_mask) - 1;
    std::uint64_t const phase = before >> 2 * impl::mbarrier_bits;
    bool const last = to_come == 0;
    after = (phase + last) << 2 * impl::mbarrier_bits | (last ? count : to_come) << impl::mbarrier_bits | count;
  } while (!__atomic_compare_exchange_n(&barrier.state, &before, after, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
}

inline void mbarrier_wait(mbarrier& barrier, unsigned parity) {
  while ((__atomic_load_n(&barrier.state, __ATOMIC_ACQUIRE) >> 2 * impl::mbarrier_bits & 1) == parity) {
    emulator::device::spin_pause();
  }
}

}  // namespace mgpu::detail::simt
