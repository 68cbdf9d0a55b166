// This is the emulated twin of the seam's memory part, simt/atomic.cuh. Each access is a point where the scheduler
// may interrupt the thread. It is compiled in the kernel's translation unit, so that a race checker sees the
// accesses.
#pragma once
#include <emulator/device.h>
#include <type_traits>

namespace mgpu::detail::simt {

namespace impl {

// The order is a template parameter, because an order that is no constant would be taken for the strongest.
template <int order, class T>
T atomic_load(T& place) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8, "a device loads this in one piece");
  emulator::device::before_atomic(emulator::device::access::load);
  std::remove_cv_t<T> value;
  __atomic_load(&place, &value, order);
  return value;
}

template <int order, class T>
void atomic_store(T& place, T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8, "a device stores this in one piece");
  emulator::device::before_atomic(emulator::device::access::store);
  __atomic_store(&place, &value, order);
}

}  // namespace impl

template <class T>
T load_acquire(T& place) {
  return impl::atomic_load<__ATOMIC_ACQUIRE>(place);
}
template <class T>
T load_relaxed(T& place) {
  return impl::atomic_load<__ATOMIC_RELAXED>(place);
}
template <class T>
void store_release(T& place, T value) {
  impl::atomic_store<__ATOMIC_RELEASE>(place, value);
}
template <class T>
void store_relaxed(T& place, T value) {
  impl::atomic_store<__ATOMIC_RELAXED>(place, value);
}
template <class T>
T add_relaxed(T& place, T value) {
  static_assert(std::is_integral_v<T>);
  emulator::device::before_atomic(emulator::device::access::store);
  return __atomic_fetch_add(&place, value, __ATOMIC_RELAXED);
}
template <class T>
T add_acq_rel(T& place, T value) {
  static_assert(std::is_integral_v<T>);
  emulator::device::before_atomic(emulator::device::access::store);
  return __atomic_fetch_add(&place, value, __ATOMIC_ACQ_REL);
}
template <class T>
T compare_exchange_relaxed(T& place, T expected, T value) {
  static_assert(std::is_integral_v<T>);
  emulator::device::before_atomic(emulator::device::access::store);
  __atomic_compare_exchange_n(&place, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
template <class T>
T add_shared(T& place, T value) {
  static_assert(std::is_integral_v<T>);
  emulator::device::before_atomic(emulator::device::access::shared);
  return __atomic_fetch_add(&place, value, __ATOMIC_RELAXED);
}
template <class T>
void max_shared(T& place, T value) {
  static_assert(std::is_integral_v<T>);
  emulator::device::before_atomic(emulator::device::access::shared);
  T before = __atomic_load_n(&place, __ATOMIC_RELAXED);
  while (before < value &&
         !__atomic_compare_exchange_n(&place, &before, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}
template <class T>
void or_shared(T& place, T bits) {
  static_assert(std::is_integral_v<T>);
  emulator::device::before_atomic(emulator::device::access::shared);
  __atomic_fetch_or(&place, bits, __ATOMIC_RELAXED);
}

// A fence is made an access to one common word, which a race checker understands; it does not understand fences.
namespace impl {
inline unsigned fence_word = 0;
}
inline void fence_device() { __atomic_fetch_add(&impl::fence_word, 0, __ATOMIC_ACQ_REL); }

inline void spin_pause() { emulator::device::spin_pause(); }

}  // namespace mgpu::detail::simt
