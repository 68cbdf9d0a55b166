// One block scans an integer of each thread. Sums commute and can be taken back, which saves steps of block/scan.cuh.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <type_traits>

namespace mgpu::detail {

// Returns the sum of the integers of the threads before it to each thread of the first num_warps warps; the other
// threads get a value of no use. `warps` is shared memory. Called by all threads; has one barrier.
template <unsigned num_warps, class T>
__device__ __forceinline__ T block_exclusive_scan(T mine, T (&warps)[num_warps]) {
  cuda::std::plus<> op;
  T const up_to = detail::warp_inclusive_scan(mine, threads_per_warp, op);
  if (simt::lane() == threads_per_warp - 1 && simt::warp() < num_warps) warps[simt::warp()] = up_to;
  simt::sync_block();
  // The lanes add up the sums of the warps before this one, side by side.
  constexpr unsigned group = num_warps <= 8 ? 8 : threads_per_warp;
  unsigned const warp = simt::lane() % group;
  T before = warp < num_warps && warp < simt::warp() ? warps[warp] : 0;
#pragma unroll
  for (unsigned distance = 1; distance < group; distance *= 2) {
    before += simt::shuffle_xor(simt::full_mask, before, distance);
  }
  return before + up_to - mine;
}

}  // namespace mgpu::detail
