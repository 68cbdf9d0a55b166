// How a block of a digit pass puts a tile in order carefully: keys stay where they are in shared memory, and only their
// source indices are put in order, by matching. This takes few steps and little code.
#pragma once
#include <mgpu/detail/backend/onesweep/portion.h>
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/simt/async_copy.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Moves the items of a tile to their targets. is_first says that the tile's counts have not been published yet. Called
// by all threads of the block.
template <class Sweep>
__device__ __forceinline__ void sweep_carefully(Sweep& sweep, onesweep_tile const& tile, bool is_first) {
  using ranker = typename Sweep::ranker;
  auto& shared = sweep.shared;
  simt::async_copies copies;
  sweep.load(sweep.keys, cuda::std::addressof(shared.items.keys[0]), tile, copies);
  copies.wait();
  simt::sync_block();
  auto const digit_of_item = [&](int i) { return sweep.digit_of(shared.items.keys[i]); };
  auto const my_rows = ranker::share_of(tile.valid);
  ranker::count_rows(shared.rank, my_rows, digit_of_item);
  simt::sync_block();
  typename ranker::bins const mine = sweep.scan_bins(tile.index, is_first, 0);
  sweep.place_bins(mine);
  if (is_first) sweep.look_back(tile.index, mine);
  ranker::place_rows(shared.rank, my_rows, digit_of_item,
                     [&](int i, std::uint32_t target) { shared.sources[target] = static_cast<std::uint16_t>(i); });
  simt::sync_block();
  if (simt::thread_rank() == 0) sweep.take_ticket();

  constexpr int at_a_time = 4;
  auto const write_column = [&](auto const& column, auto item) {
    using T = typename std::decay_t<decltype(column)>::T;
    column.with_target(sweep.target(), [&](auto target) {
#pragma unroll 1
      for (int first = static_cast<int>(simt::thread_rank_anew()); first < tile.valid;
           first += at_a_time * Sweep::threads) {
        uninitialized_array<T, at_a_time> batch;
        std::uint32_t bins[at_a_time];
#pragma unroll
        for (int k = 0; k < at_a_time; ++k) {
          int const i = first + k * Sweep::threads;
          if (i >= tile.valid) break;
          int const source = shared.sources[i];
          batch[k] = item(source);
          bins[k] = digit_of_item(source);
        }
#pragma unroll
        for (int k = 0; k < at_a_time; ++k) {
          int const i = first + k * Sweep::threads;
          if (i < tile.valid) *(target + (shared.targets[bins[k]] + i)) = batch[k];
        }
      }
    });
  };
  write_column(sweep.keys, [&](int source) { return shared.items.keys[source]; });
  sweep.values.with_source(sweep.source(), [&](auto values) {
    write_column(sweep.values,
                 [&](int source) { return static_cast<typename Sweep::Value>(*(values + (tile.begin + source))); });
  });
}

}  // namespace mgpu::detail
