// The hardware seam, memory part: atomics with explicit order at device scope, and what a polling loop needs.
#pragma once
#include <mgpu/detail/core/config.h>

#if defined(MGPU_EMULATED)
#include <emulator/atomic.h>
#elif defined(__CUDACC__)
#include <cstdint>
#include <type_traits>

namespace mgpu::detail::simt {

// These are the instructions that cuda::atomic_ref compiles to, at device scope, on words of 4 and 8 bytes.
// (<cuda/atomic> takes a compiler longer than this library does.)
namespace impl {
template <class T>
using word_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class To, class From>
__device__ __forceinline__ To bits_as(From const& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

__device__ __forceinline__ void load_acquire(std::uint32_t& value, void const* place) {
  asm volatile("ld.acquire.gpu.b32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
}
__device__ __forceinline__ void load_acquire(std::uint64_t& value, void const* place) {
  asm volatile("ld.acquire.gpu.b64 %0, [%1];" : "=l"(value) : "l"(place) : "memory");
}
__device__ __forceinline__ void load_relaxed(std::uint32_t& value, void const* place) {
  asm volatile("ld.relaxed.gpu.b32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
}
__device__ __forceinline__ void load_relaxed(std::uint64_t& value, void const* place) {
  asm volatile("ld.relaxed.gpu.b64 %0, [%1];" : "=l"(value) : "l"(place) : "memory");
}
__device__ __forceinline__ void store_release(void* place, std::uint32_t value) {
  asm volatile("st.release.gpu.b32 [%0], %1;" ::"l"(place), "r"(value) : "memory");
}
__device__ __forceinline__ void store_release(void* place, std::uint64_t value) {
  asm volatile("st.release.gpu.b64 [%0], %1;" ::"l"(place), "l"(value) : "memory");
}
__device__ __forceinline__ void store_relaxed(void* place, std::uint32_t value) {
  asm volatile("st.relaxed.gpu.b32 [%0], %1;" ::"l"(place), "r"(value) : "memory");
}
__device__ __forceinline__ void store_relaxed(void* place, std::uint64_t value) {
  asm volatile("st.relaxed.gpu.b64 [%0], %1;" ::"l"(place), "l"(value) : "memory");
}
__device__ __forceinline__ std::uint32_t add_relaxed(void* place, std::uint32_t value) {
  std::uint32_t before;
  asm volatile("atom.add.relaxed.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(place), "r"(value) : "memory");
  return before;
}
__device__ __forceinline__ std::uint64_t add_relaxed(void* place, std::uint64_t value) {
  std::uint64_t before;
  asm volatile("atom.add.relaxed.gpu.u64 %0, [%1], %2;" : "=l"(before) : "l"(place), "l"(value) : "memory");
  return before;
}
__device__ __forceinline__ std::uint32_t add_acq_rel(void* place, std::uint32_t value) {
  std::uint32_t before;
  asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(place), "r"(value) : "memory");
  return before;
}
__device__ __forceinline__ std::uint64_t add_acq_rel(void* place, std::uint64_t value) {
  std::uint64_t before;
  asm volatile("atom.add.acq_rel.gpu.u64 %0, [%1], %2;" : "=l"(before) : "l"(place), "l"(value) : "memory");
  return before;
}
__device__ __forceinline__ std::uint32_t compare_exchange_relaxed(void* place, std::uint32_t expected,
                                                                  std::uint32_t value) {
  std::uint32_t before;
  asm volatile("atom.cas.relaxed.gpu.b32 %0, [%1], %2, %3;"
               : "=r"(before)
               : "l"(place), "r"(expected), "r"(value)
               : "memory");
  return before;
}
}  // namespace impl

// These functions load and store with acquire, release or relaxed order, at device scope.
template <class T>
__device__ __forceinline__ T load_acquire(T& place) {
  impl::word_of<T> value;
  impl::load_acquire(value, &place);
  return impl::bits_as<T>(value);
}
template <class T>
__device__ __forceinline__ T load_relaxed(T& place) {
  impl::word_of<T> value;
  impl::load_relaxed(value, &place);
  return impl::bits_as<T>(value);
}
template <class T>
__device__ __forceinline__ void store_release(T& place, T value) {
  impl::store_release(&place, impl::bits_as<impl::word_of<T> >(value));
}
template <class T>
__device__ __forceinline__ void store_relaxed(T& place, T value) {
  impl::store_relaxed(&place, impl::bits_as<impl::word_of<T> >(value));
}
// Adds, and returns what was there before.
template <class T>
__device__ __forceinline__ T add_relaxed(T& place, T value) {
  return static_cast<T>(impl::add_relaxed(&place, static_cast<impl::word_of<T> >(value)));
}
// Does the same with acquire and release order; the last of several threads to do it sees what the others wrote
// before they did.
template <class T>
__device__ __forceinline__ T add_acq_rel(T& place, T value) {
  return static_cast<T>(impl::add_acq_rel(&place, static_cast<impl::word_of<T> >(value)));
}
// Puts a number there if it finds what is expected, and returns what it found.
template <class T>
__device__ __forceinline__ T compare_exchange_relaxed(T& place, T expected, T value) {
  return static_cast<T>(impl::compare_exchange_relaxed(&place, static_cast<impl::word_of<T> >(expected),
                                                       static_cast<impl::word_of<T> >(value)));
}
// Adds in shared memory, among the threads of one block, and returns what was there before. It is an instruction of
// its own, as add_relaxed adds at a generic address, which is slower.
template <class T>
__device__ __forceinline__ T add_shared(T& place, T value) {
  return atomicAdd_block(&place, value);
}
// Makes a number in shared memory at least as large as this one, among the threads of one block.
template <class T>
__device__ __forceinline__ void max_shared(T& place, T value) {
  static_cast<void>(atomicMax_block(&place, value));
}
// Sets bits in shared memory, among the threads of one block.
template <class T>
__device__ __forceinline__ void or_shared(T& place, T bits) {
  static_cast<void>(atomicOr_block(&place, bits));
}

// A fence: to all threads of the device, what this thread read and wrote before it comes before what this thread
// reads and writes after it.
__device__ __forceinline__ void fence_device() { __threadfence(); }

// Pauses; it is called once per turn of a loop that waits for another thread.
__device__ __forceinline__ void spin_pause() { __nanosleep(20); }

}  // namespace mgpu::detail::simt
#endif
