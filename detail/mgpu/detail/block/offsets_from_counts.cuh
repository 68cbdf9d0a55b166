// One block turns counts in global memory into offsets.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/offsets_from_counts.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <cstdint>

namespace mgpu::detail {

// Writes offsets[i] = counts[0] + ... + counts[i - 1]. Called by all threads of the block, each warp of which has rows
// of its own; it reads them twice. `warps` is shared memory. Has a barrier.
template <int threads, int num_counts>
__device__ __forceinline__ void block_offsets_from_counts(std::uint64_t (&counts)[num_counts],
                                                          std::uint64_t (&offsets)[num_counts],
                                                          std::uint64_t (&warps)[threads_per_warp]) {
  constexpr int rows_per_warp = divide_up(num_counts, threads);
  cuda::std::plus<> op;
  int const first = static_cast<int>(simt::warp()) * rows_per_warp * threads_per_warp;
  std::uint64_t sum = 0;
  detail::for_each_row_of_counts<rows_per_warp>(counts, first, [&](int, std::uint64_t count) { sum += count; });
  std::uint64_t const up_to = detail::warp_inclusive_scan(sum, threads_per_warp, op);
  if (simt::lane() == threads_per_warp - 1) warps[simt::warp()] = up_to;
  simt::sync_block();
  std::uint64_t offset = 0;
  for (unsigned warp = 0; warp < simt::warp(); ++warp) offset += warps[warp];
  detail::warp_offsets_from_counts<rows_per_warp>(counts, offsets, first, offset, [](int, std::uint64_t) {});
}

}  // namespace mgpu::detail
