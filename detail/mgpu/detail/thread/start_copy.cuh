// One thread starts to copy an item from global to shared memory, asynchronously where that is possible.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/async_copy.cuh>

namespace mgpu::detail {

// Tells whether asynchronous copies can take such items: others come through registers.
template <class T>
__host__ __device__ constexpr bool has_async_copies() {
  return alignof(T) >= 4 && current_arch() >= 80;
}
// The most bytes of an item that one copy takes.
template <class T>
constexpr int async_piece_bytes = smaller(16, static_cast<int>(alignof(T)));

// Starts to copy one item to shared memory, by one thread; the caller waits for it.
template <class T>
__device__ __forceinline__ void start_copy(simt::async_copies& copies, T const* from, T* to_shared) {
  if constexpr (has_async_copies<T>()) {
#pragma unroll
    for (int at = 0; at < static_cast<int>(sizeof(T)); at += async_piece_bytes<T>) {
      copies.template start<async_piece_bytes<T>>(reinterpret_cast<char*>(to_shared) + at,
                                                  reinterpret_cast<char const*>(from) + at);
    }
  } else {
    *to_shared = *from;
  }
}

}  // namespace mgpu::detail
