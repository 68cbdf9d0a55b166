// One block orders the items of a tile by a digit, stable: by atomics, which take least time, and again by matching
// where the order did not come out stable (radix_rank.cuh).
#pragma once
#include <mgpu/detail/block/radix_rank.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The functions are called by all threads, in the order in which they stand here. digit_of(i) tells the digit of item i.
template <class Ranker, int tile_items>
struct block_digit_pass {
  struct temp_storage {
    typename Ranker::temp_storage rank;
    std::uint32_t is_misplaced;         // whether an item comes right behind a later one of its bin
    std::uint16_t sources[tile_items];  // source indices of the items in order
  };
  // Once the digits are counted, a thread knows its bins, and its warp's hot digit.
  struct counts {
    typename Ranker::bins bins;
    int hot_digit;
  };

  // Counts the first num_items items, and calls on_total(bin, total) in the thread that has the bin, before the second of
  // two barriers. Where few digits may be likely, it looks for a hot one.
  template <class DigitOf, class OnTotal>
  static __device__ __forceinline__ counts count(temp_storage& temp, int num_items, bool may_be_hot, DigitOf digit_of,
                                                 OnTotal on_total) {
    auto const rows = Ranker::share_of(num_items);
    counts all{{}, may_be_hot ? Ranker::hot_digit_of(rows, digit_of) : -1};
    Ranker::count_rows(temp.rank, rows, digit_of, all.hot_digit);
    simt::sync_block();
    if (simt::thread_rank() == 0) temp.is_misplaced = 0;
    Ranker::for_each_bin([&](int b, int bin) {
      all.bins.totals[b] = Ranker::total(temp.rank, bin);
      on_total(bin, all.bins.totals[b]);
    });
    Ranker::scan_totals(temp.rank, all.bins);
    return all;
  }

  // Calls put(i, target) for each item; if needs_order is false, items of a bin may come in any order. put may be called
  // twice for an item, after which placed_digit_of(target) tells its digit, and the last target counts. A barrier is owed
  // before what was put is read.
  template <class DigitOf, class Put, class PlacedDigitOf>
  static __device__ __forceinline__ void place(temp_storage& temp, int num_items, counts const& all, bool needs_order,
                                               DigitOf digit_of, Put put, PlacedDigitOf placed_digit_of) {
    auto const rows = Ranker::share_of(num_items);
    place_bins(temp, all);
    Ranker::place_rows_by_atomics(temp.rank, rows, digit_of, all.hot_digit, [&](int i, std::uint32_t target) {
      put(i, target);
      temp.sources[target] = static_cast<std::uint16_t>(i);
    });
    if (!needs_order) return;
    simt::sync_block();
    bool is_misplaced = false;
#pragma unroll 4
    for (int i = static_cast<int>(simt::thread_rank()); i < num_items;
         i += static_cast<int>(simt::threads_per_block())) {
      // The source indices descend only where bins begin.
      if (i > 0 && temp.sources[i] < temp.sources[i - 1] && placed_digit_of(i) == placed_digit_of(i - 1)) {
        is_misplaced = true;
      }
    }
    if (is_misplaced) simt::or_shared(temp.is_misplaced, 1u);
    simt::sync_block();
    if (temp.is_misplaced == 0) return;
    Ranker::count_rows(temp.rank, rows, digit_of);
    simt::sync_block();
    place_bins(temp, all);
    Ranker::place_rows(temp.rank, rows, digit_of, put);
  }

 private:
  static __device__ __forceinline__ void place_bins(temp_storage& temp, counts const& all) {
    Ranker::for_each_bin([&](int b, int bin) { Ranker::place_bin(temp.rank, bin, all.bins.starts[b]); });
    simt::sync_block();
  }
};

}  // namespace mgpu::detail
