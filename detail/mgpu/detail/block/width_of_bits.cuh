// One block finds how many bits of its threads' numbers are in use.
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

// Returns, to all threads, how many bits there are up to the highest one that is set in the number of any thread.
// `widths` is shared memory. Called by all threads; has one barrier.
template <int num_warps, class T>
__device__ __forceinline__ int block_width_of_bits(T mine, int (&widths)[num_warps]) {
  auto const of_warp = simt::maximum_of_warp(static_cast<std::uint32_t>(detail::width_of_bits(mine)));
  if (simt::lane() == 0) widths[simt::warp()] = static_cast<int>(of_warp);
  simt::sync_block();
  int width = 0;
#pragma unroll
  for (int const other : widths) width = larger(width, other);
  return width;
}

}  // namespace mgpu::detail
