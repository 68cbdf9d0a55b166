// The hardware seam, memory part: atomics with explicit order at device scope, and what a polling loop needs.
#pragma once
#include <mgpu/detail/core/config.h>

#if defined(MGPU_EMULATED)
#include <emulator/atomic.h>
#elif defined(__CUDACC__)
#include <cuda/atomic>

namespace mgpu::detail::simt {

template <class T>
using device_atomic = cuda::atomic_ref<T, cuda::thread_scope_device>;

template <class T>
__device__ __forceinline__ T load_acquire(T& place) {
  return device_atomic<T>(place).load(cuda::memory_order_acquire);
}
template <class T>
__device__ __forceinline__ T load_relaxed(T& place) {
  return device_atomic<T>(place).load(cuda::memory_order_relaxed);
}
template <class T>
__device__ __forceinline__ void store_release(T& place, T value) {
  device_atomic<T>(place).store(value, cuda::memory_order_release);
}
template <class T>
__device__ __forceinline__ void store_relaxed(T& place, T value) {
  device_atomic<T>(place).store(value, cuda::memory_order_relaxed);
}
// Returns what was there before.
template <class T>
__device__ __forceinline__ T add_relaxed(T& place, T value) {
  return device_atomic<T>(place).fetch_add(value, cuda::memory_order_relaxed);
}
// The same; the last of several threads to do it sees what the others wrote before they did.
template <class T>
__device__ __forceinline__ T add_acq_rel(T& place, T value) {
  return device_atomic<T>(place).fetch_add(value, cuda::memory_order_acq_rel);
}
// As add_relaxed on shared memory, between the threads of one block. Not an atomic_ref: that adds at a generic address,
// which is slower.
template <class T>
__device__ __forceinline__ T add_shared(T& place, T value) {
  return atomicAdd_block(&place, value);
}
// Sets bits likewise.
template <class T>
__device__ __forceinline__ void or_shared(T& place, T bits) {
  static_cast<void>(atomicOr_block(&place, bits));
}

// What the thread read and wrote before comes, for all threads of the device, before what it reads and writes after.
__device__ __forceinline__ void fence_device() { __threadfence(); }

// Called once per turn of a loop that waits for another thread.
__device__ __forceinline__ void spin_pause() { __nanosleep(20); }

}  // namespace mgpu::detail::simt
#endif
