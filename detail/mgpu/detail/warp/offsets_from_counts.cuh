// A warp turns counts in global memory into offsets. It reads rows of one count a lane, which lie side by side, several
// rows at a time: what binds is how long a load takes.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <mgpu/detail/warp/shuffle.cuh>
#include <cstdint>

namespace mgpu::detail {

// Calls f(index, count) for each of num_rows rows of counts from index `first` on. Past the last count, f gets 0.
// Called by all lanes; f as well. No barrier.
template <int num_rows, int num_counts, class F>
__device__ __forceinline__ void for_each_row_of_counts(std::uint64_t (&counts)[num_counts], int first, F f) {
  constexpr int rows_at_once = smaller(num_rows, 8);
  int const mine = first + static_cast<int>(simt::lane());
  for (int r = 0; r < num_rows; r += rows_at_once) {
    std::uint64_t row[rows_at_once];
#pragma unroll
    for (int i = 0; i < rows_at_once; ++i) {
      int const index = mine + (r + i) * threads_per_warp;
      row[i] = r + i < num_rows && index < num_counts ? counts[index] : 0;
    }
#pragma unroll
    for (int i = 0; i < rows_at_once; ++i) {
      if (r + i < num_rows) f(mine + (r + i) * threads_per_warp, row[i]);
    }
  }
}

// Writes offsets[i] = offset + counts[first] + ... + counts[i - 1] for each count i of num_rows rows, and also calls
// f(i, count), as above. Called by all lanes. No barrier.
template <int num_rows, int num_counts, class F>
__device__ __forceinline__ void warp_offsets_from_counts(std::uint64_t (&counts)[num_counts],
                                                         std::uint64_t (&offsets)[num_counts], int first,
                                                         std::uint64_t offset, F f) {
  cuda::std::plus<> op;
  detail::for_each_row_of_counts<num_rows>(counts, first, [&](int index, std::uint64_t count) {
    f(index, count);
    std::uint64_t const up_to = detail::warp_inclusive_scan(count, threads_per_warp, op);
    if (index < num_counts) offsets[index] = offset + up_to - count;
    offset += detail::shuffle(up_to, threads_per_warp - 1);
  });
}

}  // namespace mgpu::detail
