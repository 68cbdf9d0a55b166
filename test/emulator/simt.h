// This is the emulated twin of the hardware seam, simt/simt.cuh: the same functions over fibers.
#pragma once
#include <emulator/device.h>
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// These functions are the emulator's, not the library's: ASan need not look at them, which it would at every turn.
#if defined(__clang__) && defined(MGPU_EMULATOR_ASAN)
#pragma clang attribute push(__attribute__((no_sanitize("address", "undefined"))), apply_to = function)
#endif

namespace mgpu::detail::simt {

namespace impl {

template <class T>
inline char const type_tag = 0;  // its address tells types apart

using operation = emulator::device::warp_operation;

template <class T>
T shuffle(operation kind, std::uint32_t mask, T value, unsigned source_lane) {
  static_assert(std::is_trivially_copyable_v<T>, "lanes exchange bytes");
  T result = value;
  emulator::device::warp_collective({kind, mask, &type_tag<T>, &value, &result, sizeof(T), source_lane});
  return result;
}

}  // namespace impl

inline unsigned thread_rank() { return emulator::device::position().thread; }
inline unsigned block_rank() { return emulator::device::position().block; }
inline unsigned block_count() { return emulator::device::position().num_blocks; }
inline unsigned threads_per_block() { return emulator::device::position().threads_per_block; }
inline unsigned lane() { return emulator::device::position().lane; }
inline unsigned warp() { return emulator::device::position().warp; }

inline void sync_block() { emulator::device::sync_block(); }
inline void sync_warp(std::uint32_t mask = full_mask) {
  emulator::device::warp_collective({impl::operation::sync, mask});
}

inline bool all(std::uint32_t mask, bool predicate) {
  return emulator::device::warp_collective(impl::operation::all, mask, predicate) != 0;
}
inline bool any(std::uint32_t mask, bool predicate) {
  return emulator::device::warp_collective(impl::operation::any, mask, predicate) != 0;
}
inline std::uint32_t ballot(std::uint32_t mask, bool predicate) {
  return emulator::device::warp_collective(impl::operation::ballot, mask, predicate);
}
inline std::uint32_t match_any(std::uint32_t mask, std::uint32_t value) {
  return emulator::device::warp_collective(impl::operation::match_any, mask, value);
}

// As on the device, a lane whose source is beyond the warp gets its own value back.
template <class T>
T shuffle(std::uint32_t mask, T value, unsigned source_lane) {
  return impl::shuffle(impl::operation::shuffle, mask, value, source_lane % threads_per_warp);
}
template <class T>
T shuffle_up(std::uint32_t mask, T value, unsigned delta) {
  unsigned const source = delta <= lane() ? lane() - delta : lane();
  return impl::shuffle(impl::operation::shuffle_up, mask, value, source);
}
template <class T>
T shuffle_down(std::uint32_t mask, T value, unsigned delta) {
  unsigned const source = delta < threads_per_warp - lane() ? lane() + delta : lane();
  return impl::shuffle(impl::operation::shuffle_down, mask, value, source);
}
template <class T>
T shuffle_xor(std::uint32_t mask, T value, unsigned lane_mask) {
  unsigned const source = (lane() ^ lane_mask) < threads_per_warp ? lane() ^ lane_mask : lane();
  return impl::shuffle(impl::operation::shuffle_xor, mask, value, source);
}

inline std::uint32_t sum_of_warp(std::uint32_t value) {
  return emulator::device::warp_collective(impl::operation::sum, full_mask, value);
}
inline std::uint32_t or_of_warp(std::uint32_t value) {
  return emulator::device::warp_collective(impl::operation::bitwise_or, full_mask, value);
}
inline std::uint32_t maximum_of_warp(std::uint32_t value) {
  return emulator::device::warp_collective(impl::operation::maximum, full_mask, value);
}

inline std::uint32_t add_unsigned_bytes(std::uint32_t word, std::uint32_t sum) {
  for (int k = 0; k < 4; ++k) sum += word >> (8 * k) & 0xff;
  return sum;
}
inline std::uint32_t add_signed_bytes(std::uint32_t word, std::uint32_t sum) {
  for (int k = 0; k < 4; ++k) sum += static_cast<std::uint32_t>(static_cast<std::int8_t>(word >> (8 * k) & 0xff));
  return sum;
}

inline unsigned population_count(std::uint32_t bits) { return static_cast<unsigned>(__builtin_popcount(bits)); }
inline int leading_zeros(std::uint32_t bits) { return bits == 0 ? 32 : __builtin_clz(bits); }
inline void increment_if(bool condition, int& count) { count += condition ? 1 : 0; }
template <class T>
inline int items_between(T const* first, T const* last) {
  return static_cast<int>(last - first);
}
inline void forget(std::uint32_t&) {}
inline unsigned thread_rank_anew() { return thread_rank(); }

inline unsigned cluster_rank() { return emulator::device::position().cluster_rank; }
inline unsigned blocks_per_cluster() { return emulator::device::position().blocks_per_cluster; }
inline void arrive_cluster() { emulator::device::arrive_cluster(true); }
inline void arrive_cluster_relaxed() { emulator::device::arrive_cluster(false); }
inline void wait_cluster() { emulator::device::wait_cluster(); }
template <class T>
T& in_cluster_block(T& mine, unsigned rank) {
  return *static_cast<T*>(emulator::device::in_cluster_block(cuda::std::addressof(mine), sizeof(T), rank));
}

inline void launch_dependents() { emulator::device::launch_dependents(); }
inline void skip_launch() { emulator::device::skip_launch(); }
inline void wait_for_primary() { emulator::device::wait_for_primary(); }

template <class Storage>
Storage& shared() {
  static_assert(alignof(Storage) <= 128, "dynamic shared memory is aligned to 128 bytes");
  static_assert(sizeof(Storage) <= max_shared_bytes(current_arch()), "more shared memory than a block has");
  return *static_cast<Storage*>(emulator::device::shared_memory(sizeof(Storage)));
}

}  // namespace mgpu::detail::simt

#if defined(__clang__) && defined(MGPU_EMULATOR_ASAN)
#pragma clang attribute pop
#endif
