// A digit pass of a radix sort in one sweep over the items: Adinets, Merrill, arXiv:2206.01784.
#pragma once
#include <mgpu/detail/backend/onesweep/histogram_kernel.cuh>
#include <mgpu/detail/backend/onesweep/plan.h>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/block/radix_rank.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/atomic.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/grid/bin_look_back.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// A column of a tile in shared memory; nothing at all where there are no values.
template <class T, int num_items>
struct tile_column {
  alignas(16) T items[num_items];
};
template <int num_items>
struct tile_column<no_value, num_items> {};

template <class Tuning, class Key, class Value>
struct onesweep_pass {
  template <int arch>
  struct storage {
    static constexpr onesweep_tuning tuning = Tuning::at(arch);
    using digits = onesweep_digits<Tuning, Key, arch>;
    using ranker = block_radix_rank<tuning.threads_per_block, tuning.items_per_thread, digits::bits>;
    typename ranker::temp_storage rank;
    tile_column<Key, tuning.tile_items()> keys;
    tile_column<Value, tuning.tile_items()> values;
    std::int64_t targets[digits::num_bins];    // of the first item of each bin, less its place in the tile
    std::uint32_t recounts[digits::num_bins];  // of a missing tile
    int tile;
    int missing;
  };
};

// The items of one launch: fewer than 2^30, as counts have 30 bits; in whole tiles but for the last launch of a pass.
struct onesweep_portion {
  std::int64_t begin;
  std::int64_t num_items;
  int num_tiles;
  int digit;
  int number;  // of `portions` of the pass
  int portions;
  int most_tiles;  // of any portion
};

template <class Tuning, bool descending, class Keys, class Values>
class onesweep_sweep {
  using Key = typename Keys::T;
  using Value = typename Values::T;
  static constexpr onesweep_tuning tuning = Tuning::at(current_arch());
  static constexpr int threads = tuning.threads_per_block;
  static constexpr int items_per_thread = tuning.items_per_thread;

 public:
  using storage = typename onesweep_pass<Tuning, Key, Value>::template storage<current_arch()>;
  using digits = typename storage::digits;
  using ranker = typename storage::ranker;
  static constexpr int num_bins = digits::num_bins;
  static constexpr int bins_per_thread = ranker::bins_per_thread;

  storage& shared;
  onesweep_state<digits>& state;
  Keys const& keys;
  Values const& values;
  onesweep_portion portion;
  bin_counts<num_bins> counts;       // zero before
  bin_counts<num_bins> next_counts;  // zeroed for the next pass
  std::uint64_t& ticket;             // zero before

  // Called by all threads of the block, once.
  __device__ __forceinline__ void run() {
    for (;;) {
      if (simt::thread_rank() == 0) {
        shared.tile = static_cast<int>(simt::add_relaxed<std::uint64_t>(ticket, 1));
        shared.missing = -1;
      }
      simt::sync_block();
      int const tile = shared.tile;
      if (tile >= portion.num_tiles) return;
      sweep_tile(tile);
      simt::sync_block();  // before shared memory is used again
    }
  }

 private:
  __device__ __forceinline__ std::uint32_t digit_of(Key const& key) const {
    return digits::get(directed_bits<descending>(key), portion.digit);
  }
  __device__ __forceinline__ int valid_items(int tile) const {
    return static_cast<int>(
        smaller<std::int64_t>(tuning.tile_items(), portion.num_items - std::int64_t{tile} * tuning.tile_items()));
  }
  // Calls f(b, bin) for the bins of this thread.
  template <class F>
  static __device__ __forceinline__ void for_each_bin(F f) {
#pragma unroll
    for (int b = 0; b < bins_per_thread; ++b) {
      int const bin = static_cast<int>(simt::thread_rank()) * bins_per_thread + b;
      if (bin < num_bins) f(b, bin);
    }
  }

  __device__ __forceinline__ void sweep_tile(int tile) {
    std::int64_t const begin = portion.begin + std::int64_t{tile} * tuning.tile_items();
    int const valid = valid_items(tile);

    // Load, and rank by digit within warps.
    uninitialized_array<Key, items_per_thread> my_keys;
    uninitialized_array<Value, items_per_thread> my_values;
    load(keys, begin, valid, my_keys);
    std::uint32_t my_digits[items_per_thread];
    std::uint32_t ranks[items_per_thread];
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) my_digits[i] = ranker::place(i) < valid ? digit_of(my_keys[i]) : 0;
    ranker::rank_in_warps(shared.rank, my_digits, valid, ranks);
    if constexpr (has_values<Value>) load(values, begin, valid, my_values);
    simt::sync_block();

    // Count the tile, and tell the others.
    std::uint32_t totals[bins_per_thread] = {};
    for_each_bin([&](int b, int bin) {
      totals[b] = ranker::total(shared.rank, bin);
      counts.publish(tile, bin, tile == 0 ? counts.inclusive : counts.of_tile, totals[b]);
      for (int t = tile; t < portion.most_tiles; t += portion.num_tiles) {
        simt::store_relaxed(next_counts.word(t, bin), 0u);
      }
    });
    ranker::scan_totals(shared.rank, totals);
    simt::sync_block();

    // Exchange the items in shared memory, ordered by digit.
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (ranker::place(i) < valid) {
        std::uint32_t const target = ranker::target(shared.rank, my_digits[i], ranks[i]);
        shared.keys.items[target] = my_keys[i];
        if constexpr (has_values<Value>) shared.values.items[target] = my_values[i];
      }
    }

    // Find where each bin's items go.
    look_back(tile, totals);
    simt::sync_block();

    int const thread = static_cast<int>(simt::thread_rank());
    keys.with_target(state.plan.target[portion.digit], [&](auto target) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        int const slot = i * threads + thread;
        if (slot < valid) {
          Key const key = shared.keys.items[slot];
          *(target + (shared.targets[digit_of(key)] + slot)) = key;
        }
      }
    });
    if constexpr (has_values<Value>) {
      values.with_target(state.plan.target[portion.digit], [&](auto target) {
#pragma unroll
        for (int i = 0; i < items_per_thread; ++i) {
          int const slot = i * threads + thread;
          if (slot < valid) {
            *(target + (shared.targets[digit_of(shared.keys.items[slot])] + slot)) = shared.values.items[slot];
          }
        }
      });
    }
  }

  template <class Column, class T>
  __device__ __forceinline__ void load(Column const& column, std::int64_t begin, int valid,
                                       uninitialized_array<T, items_per_thread>& items) const {
    column.with_source(state.plan.source[portion.digit], [&](auto source) {
      if (valid == tuning.tile_items()) {
#pragma unroll
        for (int i = 0; i < items_per_thread; ++i) items[i] = *(source + (begin + ranker::place(i)));
      } else {
#pragma unroll
        for (int i = 0; i < items_per_thread; ++i) {
          if (ranker::place(i) < valid) items[i] = *(source + (begin + ranker::place(i)));
        }
      }
    });
  }

  // Fills shared.targets. The last tile of the portion moves the starts on for the next one.
  __device__ __forceinline__ void look_back(int tile, std::uint32_t const (&totals)[bins_per_thread]) {
    using walk = bin_look_back<num_bins, tuning.look_back_window>;
    uninitialized_array<walk, bins_per_thread> walks;
    for_each_bin([&](int b, int) { walks[b] = walk(tile); });
    for (;;) {
      for_each_bin([&](int b, int bin) {
        int const missing = walks[b].advance(counts, bin, tuning.patience);
        if (missing >= 0) simt::store_relaxed(shared.missing, missing);
      });
      simt::sync_block();
      int const missing = simt::load_relaxed(shared.missing);
      if (missing < 0) break;
      simt::sync_block();
      supply(missing);
    }
    for_each_bin([&](int b, int bin) {
      std::uint32_t const before = walks[b].sum();
      if (tile > 0) counts.publish(tile, bin, counts.inclusive, before + totals[b]);
      std::uint64_t const start = state.starts[portion.number % 2][portion.digit][bin] + before;
      shared.targets[bin] = static_cast<std::int64_t>(start) - shared.rank.starts[bin];
      if (tile == portion.num_tiles - 1) {
        state.starts[(portion.number + 1) % 2][portion.digit][bin] = start + totals[b];
      }
    });
  }

  // The fallback: counts a missing tile, which no pass overwrites before this one ends, and publishes it.
  __device__ __forceinline__ void supply(int missing) {
    if (simt::thread_rank() == 0) simt::store_relaxed(shared.missing, -1);
    for_each_bin([&](int, int bin) { shared.recounts[bin] = 0; });
    simt::sync_block();
    std::int64_t const begin = portion.begin + std::int64_t{missing} * tuning.tile_items();
    int const valid = valid_items(missing);
    keys.with_source(state.plan.source[portion.digit], [&](auto source) {
#pragma unroll 1
      for (int i = static_cast<int>(simt::thread_rank()); i < valid; i += threads) {
        Key const key = *(source + (begin + i));
        simt::add_shared(shared.recounts[digit_of(key)], 1u);
      }
    });
    simt::sync_block();
    for_each_bin([&](int, int bin) {
      if (counts.load(missing, bin) == 0) counts.publish(missing, bin, counts.of_tile, shared.recounts[bin]);
    });
    simt::sync_block();
  }
};

// Orders the items of a portion by one digit, stable, if the plan says so. Any number of blocks, which take tiles in
// turns. A block that waits for another's counts makes them itself after a while, so no forward progress between
// blocks is assumed.
template <class Tuning, bool descending, class Keys, class Values>
__global__ void __launch_bounds__(Tuning::at(current_arch()).threads_per_block,
                                  Tuning::at(current_arch()).blocks_per_sm)
    onesweep_pass_kernel(Keys keys, Values values, onesweep_portion portion, void* memory, std::uint32_t* counts,
                         std::uint32_t* other_counts, std::uint64_t* ticket) {
  using sweep = onesweep_sweep<Tuning, descending, Keys, Values>;
  auto& state = *static_cast<onesweep_state<typename sweep::digits>*>(memory);
  if (!state.plan.is_made[portion.digit]) return;
  // Launches that do something use the two sets of counts in turns, and clear the other one.
  bool const second = (state.plan.passes_before[portion.digit] * portion.portions + portion.number) % 2 != 0;
  sweep{simt::shared<typename sweep::storage>(), state,  keys, values, portion, {second ? other_counts : counts},
        {second ? counts : other_counts},        *ticket}
      .run();
}

}  // namespace mgpu::detail
