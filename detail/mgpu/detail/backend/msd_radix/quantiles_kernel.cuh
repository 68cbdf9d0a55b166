// This kernel of a radix sort by the most significant digits makes the table of quantiles, where the survey has asked for
// one: it counts some keys of each cell. Blocks do not wait for one another.
#pragma once
#include <mgpu/detail/backend/msd_radix/quantiles.cuh>
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/block/or_of_bits.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/grid/last_block.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The memory of a block that counts the keys of cells.
template <class Tuning>
struct msd_radix_cell_counter {
  static constexpr int rows_per_warp = 8;  // rows of 32 keys that a warp looks at
  static constexpr int max_blocks = 128;

  template <int arch>
  struct storage {
    std::uint32_t segments[quantile_table(Tuning::at(arch)).num_segments];
    std::uint32_t counts[quantile_table(Tuning::at(arch)).max_cells];
    std::uint32_t warps[Tuning::at(arch).histogram_threads_per_block / threads_per_warp];
    std::uint32_t sum;
    bool is_last;
  };
};

namespace impl {

// Makes quantiles of the counts of keys. Called by all threads of a block.
template <class Tuning, class Shared>
__device__ __forceinline__ void make_quantiles(Shared& shared, std::uint32_t* cells, std::uint32_t num_cells,
                                               int quantile_bits) {
  constexpr msd_radix_tuning tuning = Tuning::at(current_arch());
  constexpr int threads = tuning.histogram_threads_per_block;
  constexpr int cells_per_thread = divide_up(quantile_table(tuning).max_cells, threads);
  std::uint32_t const num_quantiles = 1u << quantile_bits;
  auto const first = simt::thread_rank() * cells_per_thread;
  std::uint32_t weights[larger(1, cells_per_thread)];
  std::uint32_t mine = 0;
#pragma unroll
  for (int i = 0; i < cells_per_thread; ++i) {
    weights[i] = 0;
    if (first + i >= num_cells) continue;
    // A cell can have more keys than those looked at let expect: a standard deviation more, which is about the root.
    std::uint32_t const seen = simt::load_relaxed(cells[first + i]);
    weights[i] = seen + (1u << detail::width_of_bits(seen + 1) / 2);
    mine += weights[i];
  }
  std::uint32_t before = detail::block_exclusive_scan(mine, shared.warps);
  if (simt::thread_rank() == threads - 1) shared.sum = before + mine;
  simt::sync_block();
  std::uint64_t const sum = shared.sum;
  auto const quantile = [&](std::uint32_t weight) {
    return smaller(num_quantiles - 1, static_cast<std::uint32_t>(std::uint64_t{num_quantiles} * weight / sum));
  };
#pragma unroll
  for (int i = 0; i < cells_per_thread; ++i) {
    if (first + i >= num_cells) continue;
    std::uint32_t const begin = quantile(before);
    before += weights[i];
    cells[first + i] = detail::word_of_cell(begin, quantile(before) - begin, quantile_bits);
  }
}

}  // namespace impl

// Counts some keys of each cell, and makes the table of quantiles, of so many bits, of the counts. The grid has any
// number of blocks.
template <class Tuning, bool descending, class Keys>
__global__ void __launch_bounds__(Tuning::at(current_arch()).histogram_threads_per_block)
    msd_radix_quantiles_kernel(Keys keys, std::int64_t num_items, int quantile_bits,
                               msd_radix_state<ordered_bits_t<iterator_value_t<Keys>>> state) {
  constexpr msd_radix_tuning tuning = Tuning::at(current_arch());
  constexpr quantile_table table(tuning);
  constexpr int threads = tuning.histogram_threads_per_block;
  constexpr int rows_per_warp = msd_radix_cell_counter<Tuning>::rows_per_warp;
  using Key = iterator_value_t<Keys>;
  using Bits = ordered_bits_t<Key>;
  auto& shared = simt::shared<typename msd_radix_cell_counter<Tuning>::template storage<current_arch()>>();
  int const thread = static_cast<int>(simt::thread_rank());
  simt::wait_for_primary();
  std::uint32_t const num_cells = state.found->num_cells;
  simt::launch_dependents();
  if (num_cells == 0) return;
  for (int i = thread; i < table.num_segments; i += threads) shared.segments[i] = state.segments[i];
  for (int i = thread; i < table.max_cells; i += threads) shared.counts[i] = 0;
  simt::sync_block();
  quantile_of<table.segment_bits> const quantile(shared.segments, shared.counts, quantile_bits);
  std::int64_t const num_rows = std::int64_t{simt::block_count()} * (threads / threads_per_warp) * rows_per_warp;
  std::int64_t const first_row =
      (std::int64_t{simt::block_rank()} * (threads / threads_per_warp) + simt::warp()) * rows_per_warp;
  Bits bits[rows_per_warp];
#pragma unroll
  for (int r = 0; r < rows_per_warp; ++r) {
    std::int64_t const begin = num_items * (first_row + r) / num_rows;
    bits[r] = detail::directed_bits<descending>(
        static_cast<Key>(*(keys + smaller(begin + static_cast<int>(simt::lane()), num_items - 1))));
  }
#pragma unroll
  for (Bits const of_row : bits) {
    simt::add_shared(shared.counts[quantile.cell(detail::highest_bits(of_row, state.found->width))], 1u);
  }
  simt::sync_block();
  for (int i = thread; i < static_cast<int>(num_cells); i += threads) {
    if (shared.counts[i] != 0) simt::add_relaxed<std::uint32_t>(state.cells[i], shared.counts[i]);
  }
  if (!detail::is_last_block(state.found->blocks_done, shared.is_last)) return;
  impl::make_quantiles<Tuning>(shared, state.cells, num_cells, quantile_bits);
  if (thread == 0) state.found->blocks_done = 0;
}

}  // namespace mgpu::detail
