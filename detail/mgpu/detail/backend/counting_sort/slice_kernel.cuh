// A kernel for one who counts a part of the keys, and writes a slice of all of them.
#pragma once
#include <mgpu/detail/backend/counting_sort/counting_sort_kernel.cuh>
#include <mgpu/detail/block/offsets_from_counts.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Writes the starts anew from the counts, for a slice of the sorted keys: starts[v] = how many of the slice's keys have a
// lower value than v, where `first` keys come before the slice. The grid is one block.
template <int bits, int threads>
__global__ void __launch_bounds__(threads)
    counting_sort_slice_kernel(counting_sort_state<bits>* state, std::uint64_t first) {
  auto& warps = simt::shared<std::uint64_t[threads_per_warp]>();
  detail::block_offsets_from_counts<threads>(state->counts, state->starts, warps);
  simt::sync_block();
  for (int v = static_cast<int>(simt::thread_rank()); v < state->num_values; v += threads) {
    state->starts[v] -= smaller(state->starts[v], first);
  }
}

}  // namespace mgpu::detail
