// A digit pass of a radix sort in one sweep over the items: Adinets, Merrill, arXiv:2206.01784.
#pragma once
#include <mgpu/detail/backend/onesweep/histogram_kernel.cuh>
#include <mgpu/detail/backend/onesweep/plan.h>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/block/radix_rank.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/async_copy.cuh>
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
    tile_column<Value, tuning.tile_items()> values;  // as they lie in the input
    std::uint16_t numbers[tuning.tile_items()];      // of the ordered items in the input tile
    std::int64_t targets[digits::num_bins];          // of the first item of each bin, less its place in the tile
    std::uint32_t recounts[digits::num_bins];        // of a missing tile
    int tile;
    int missing;
    bool is_unstable;  // the order that came out
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
        shared.is_unstable = false;
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

  // How a tile is put in order: a full one quickly, with a check whether it came out stable. The last one of a pass,
  // and what did not come out stable, in the careful way.
  using quick = std::true_type;
  using careful = std::false_type;
  template <class F>
  static __device__ __forceinline__ void with_way(bool is_quick, F f) {
    if (is_quick) {
      f(quick{});
    } else {
      f(careful{});
    }
  }
  static __device__ __forceinline__ bool takes_part(quick, int, int) { return true; }
  static __device__ __forceinline__ bool takes_part(careful, int i, int valid) { return ranker::place(i) < valid; }

  __device__ __forceinline__ void sweep_tile(int tile) {
    std::int64_t const begin = portion.begin + std::int64_t{tile} * tuning.tile_items();
    int const valid = valid_items(tile);
    uninitialized_array<Key, items_per_thread> my_keys;
    typename ranker::numbers ranks;
    simt::async_copies value_copies;
    std::uint32_t totals[bins_per_thread] = {};
    std::uint32_t starts[bins_per_thread];
    bool const is_full = valid == tuning.tile_items();

#pragma unroll 1
    for (bool is_first = true;; is_first = false) {
      bool const is_quick = is_first && is_full;
      with_way(is_quick, [&](auto way) {
        load_keys(way, begin, valid, my_keys);
        if constexpr (has_values<Value>) {
          if (is_first) load_values(way, begin, valid, value_copies);
        }
        rank(way, valid, my_keys, ranks);
      });
      simt::sync_block();

      if (is_first) {
        for_each_bin([&](int b, int bin) {
          totals[b] = ranker::total(shared.rank, bin);
          if (bin == num_bins - 1) totals[b] -= static_cast<std::uint32_t>(tuning.tile_items() - valid);
          counts.publish(tile, bin, tile == 0 ? counts.inclusive : counts.of_tile, totals[b]);
          for (int t = tile; t < portion.most_tiles; t += portion.num_tiles) {
            simt::store_relaxed(next_counts.word(t, bin), 0u);
          }
        });
        ranker::scan_totals(shared.rank, totals, starts);
      }
      for_each_bin([&](int b, int bin) { ranker::place_bin(shared.rank, bin, starts[b]); });
      simt::sync_block();

      with_way(is_quick, [&](auto way) { exchange_keys(way, valid, my_keys, ranks); });
      if (is_first) {
        look_back(tile, totals, starts);
      } else {
        simt::sync_block();
      }
      with_way(is_quick, [&](auto way) {
        if (!read_ordered(way, valid, my_keys)) simt::store_relaxed(shared.is_unstable, true);
      });
      value_copies.wait();
      simt::sync_block();
      if (!is_quick || !simt::load_relaxed(shared.is_unstable)) break;
    }

    with_way(is_full, [&](auto way) { write(way, valid, my_keys); });
  }

  template <class Way>
  __device__ __forceinline__ void load_keys(Way way, std::int64_t begin, int valid,
                                            uninitialized_array<Key, items_per_thread>& my_keys) const {
    keys.with_source(state.plan.source[portion.digit], [&](auto source) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        if (takes_part(way, i, valid)) my_keys[i] = *(source + (begin + ranker::place(i)));
      }
    });
  }

  // Values stay out of registers: they wait in shared memory until they are written.
  template <class Way>
  __device__ __forceinline__ void load_values(Way way, std::int64_t begin, int valid,
                                              simt::async_copies& copies) const {
    values.with_source(state.plan.source[portion.digit], [&](auto source) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        int const place = ranker::place(i);
        if (takes_part(way, i, valid)) {
          if constexpr (std::is_pointer_v<decltype(source)> && alignof(Value) >= 4) {
            constexpr int bytes = smaller(16, static_cast<int>(alignof(Value)));
#pragma unroll
            for (int at = 0; at < static_cast<int>(sizeof(Value)); at += bytes) {
              copies.template start<bytes>(reinterpret_cast<char*>(&shared.values.items[place]) + at,
                                           reinterpret_cast<char const*>(source + (begin + place)) + at);
            }
          } else {
            shared.values.items[place] = *(source + (begin + place));
          }
        }
      }
    });
  }

  // What pads the last tile counts as of the last digit, and so goes last.
  template <class Way>
  __device__ __forceinline__ std::uint32_t padded_digit(Way way, int i, int valid, Key const& key) const {
    return takes_part(way, i, valid) ? digit_of(key) : num_bins - 1;
  }

  template <class Way>
  __device__ __forceinline__ void rank(Way way, int valid, uninitialized_array<Key, items_per_thread> const& my_keys,
                                       typename ranker::numbers& ranks) {
    auto const digit = [&](int i) { return padded_digit(way, i, valid, my_keys[i]); };
    if constexpr (Way::value) {
      ranker::rank_by_atomics(shared.rank, digit, ranks);
    } else {
      ranker::rank_by_ballots(shared.rank, digit, ranks);
    }
  }

  template <class Way>
  __device__ __forceinline__ void exchange_keys(Way way, int valid,
                                                uninitialized_array<Key, items_per_thread> const& my_keys,
                                                typename ranker::numbers const& ranks) {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      std::uint32_t const place = ranker::target(shared.rank, padded_digit(way, i, valid, my_keys[i]), ranks[i]);
      if (takes_part(way, i, valid)) {
        shared.keys.items[place] = my_keys[i];
        if (Way::value || has_values<Value>) shared.numbers[place] = static_cast<std::uint16_t>(ranker::place(i));
      }
    }
  }

  // The ordered keys. Tells, of a quick tile, if items of one digit are in the order they were loaded in.
  template <class Way>
  __device__ __forceinline__ bool read_ordered(Way way, int valid,
                                               uninitialized_array<Key, items_per_thread>& ordered) const {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (takes_part(way, i, valid)) ordered[i] = shared.keys.items[ranker::place(i)];
    }
    bool is_stable = true;
    if constexpr (Way::value) {
      // Digits ascend, and so must the numbers below them do. Each lane asks its left neighbour, the first one its own
      // warp's last of the row before.
      unsigned const lane = simt::lane();
      unsigned const left_lane = (lane + threads_per_warp - 1) % threads_per_warp;
      int const first = ranker::place(0);
      std::uint32_t before =
          lane == 0 && first > 0 ? digit_of(shared.keys.items[first - 1]) << 16 | shared.numbers[first - 1] : 0;
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        std::uint32_t const mine = digit_of(ordered[i]) << 16 | shared.numbers[ranker::place(i)];
        std::uint32_t const left = simt::shuffle(simt::full_mask, mine, left_lane);
        is_stable = is_stable && (lane == 0 ? before : left) <= mine;
        before = left;
      }
    }
    return is_stable;
  }

  template <class Way>
  __device__ __forceinline__ void write(Way way, int valid,
                                        uninitialized_array<Key, items_per_thread> const& ordered) {
    auto const write_column = [&](auto const& column, auto item) {
      column.with_target(state.plan.target[portion.digit], [&](auto target) {
#pragma unroll
        for (int i = 0; i < items_per_thread; ++i) {
          int const place = ranker::place(i);
          if (takes_part(way, i, valid)) *(target + (shared.targets[digit_of(ordered[i])] + place)) = item(i, place);
        }
      });
    };
    write_column(keys, [&](int i, int) { return ordered[i]; });
    if constexpr (has_values<Value>) {
      write_column(values, [&](int, int place) { return shared.values.items[shared.numbers[place]]; });
    }
  }

  // Fills shared.targets. The last tile of the portion moves the starts on for the next one.
  // Has a barrier, and owes one.
  __device__ __forceinline__ void look_back(int tile, std::uint32_t const (&totals)[bins_per_thread],
                                            std::uint32_t const (&starts)[bins_per_thread]) {
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
      shared.targets[bin] = static_cast<std::int64_t>(start) - starts[b];
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
