// One block finds which bits are set in any of its threads' numbers.
#pragma once
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_traits.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Returns how many bits there are up to the highest one that is set, which is 0 where none is. T is unsigned.
template <class T>
__device__ __forceinline__ int width_of_bits(T bits) {
  if constexpr (sizeof(T) <= 4) {
    return 32 - simt::leading_zeros(bits);
  } else {
    constexpr int half = 4 * static_cast<int>(sizeof(T));
    auto const high = static_cast<smallest_unsigned<half>>(bits >> half);
    return high != 0 ? half + detail::width_of_bits(high)
                     : detail::width_of_bits(static_cast<smallest_unsigned<half>>(bits));
  }
}

// Returns a number of the `width` lowest bits.
template <class T>
__device__ __forceinline__ T bits_below(int width) {
  // A shift by all bits is not defined.
  return width == 0 ? T{0} : static_cast<T>(static_cast<T>(~T{0}) >> (8 * static_cast<int>(sizeof(T)) - width));
}

// Returns which bits are set in the number of any lane, to all. Called by all lanes.
template <class T>
__device__ __forceinline__ T warp_or_of_bits(T mine) {
  T all = 0;
#pragma unroll
  for (int word = 0; word < divide_up(static_cast<int>(sizeof(T)), 4); ++word) {
    all |= static_cast<T>(static_cast<T>(simt::or_of_warp(static_cast<std::uint32_t>(mine >> (32 * word))))
                          << (32 * word));
  }
  return all;
}

// Returns which bits are set in the number of any thread, to all. `of_warps` is shared memory. Called by all threads;
// has one barrier.
template <class T, int num_warps>
__device__ __forceinline__ T block_or_of_bits(T mine, T (&of_warps)[num_warps]) {
  T const of_warp = detail::warp_or_of_bits(mine);
  if (simt::lane() == 0) of_warps[simt::warp()] = of_warp;
  simt::sync_block();
  T const other = simt::lane() < num_warps ? of_warps[simt::lane()] : T{0};
  return detail::warp_or_of_bits(other);
}

}  // namespace mgpu::detail
