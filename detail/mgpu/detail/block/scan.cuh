// One block scans one integer a thread.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <cstdint>

namespace mgpu::detail {

// Returns the sum of the integers of the threads before it to each thread of the first num_warps warps; the other
// threads get a value of no use. `warps` is shared memory. Called by all threads; has one barrier.
template <unsigned num_warps>
__device__ __forceinline__ std::uint32_t block_exclusive_scan(std::uint32_t mine, std::uint32_t (&warps)[num_warps]) {
  cuda::std::plus<> op;
  std::uint32_t const up_to = detail::warp_inclusive_scan(mine, threads_per_warp, op);
  if (simt::lane() == threads_per_warp - 1 && simt::warp() < num_warps) warps[simt::warp()] = up_to;
  simt::sync_block();
  // The lanes add up the sums of the warps before this one, side by side.
  constexpr unsigned group = num_warps <= 8 ? 8 : threads_per_warp;
  unsigned const warp = simt::lane() % group;
  std::uint32_t before = warp < num_warps && warp < simt::warp() ? warps[warp] : 0;
#pragma unroll
  for (unsigned distance = 1; distance < group; distance *= 2) {
    before += simt::shuffle_xor(simt::full_mask, before, distance);
  }
  return before + up_to - mine;
}

}  // namespace mgpu::detail
