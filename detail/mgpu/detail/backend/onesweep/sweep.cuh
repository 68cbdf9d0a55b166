// What the blocks of a digit pass do: one sweep over the items, Adinets, Merrill, arXiv:2206.01784.
#pragma once
#include <mgpu/detail/backend/onesweep/histogram_kernel.cuh>
#include <mgpu/detail/backend/onesweep/plan.h>
#include <mgpu/detail/backend/onesweep/sweep_storage.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/block/radix_rank.cuh>
#include <mgpu/detail/block/tile.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/async_copy.cuh>
#include <mgpu/detail/core/atomic.cuh>
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/grid/bin_look_back.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

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
  int next_tile_ = 0;                // of the first thread

  // Called by all threads of the block, once.
  __device__ __forceinline__ void run() {
    bool const leads = simt::thread_rank() == 0;
    if (leads) {
      take_ticket();
      shared.tile = next_tile_;
    }
    simt::sync_block();
    for (int tile = shared.tile; tile < portion.num_tiles; tile = shared.tile) {
      if (leads) {
        shared.missing = -1;
        shared.misplaced = 0;
        shared.has_one_bin = false;
      }
      sweep_tile(tile);
      if (leads) shared.tile = next_tile_;
      simt::sync_block();  // before shared memory is used again
    }
  }

 private:
  // For the next tile, early enough that nobody waits for it; but not while the block still waits for others, who would
  // in turn wait for that tile.
  __device__ __forceinline__ void take_ticket() {
    next_tile_ = static_cast<int>(simt::add_relaxed<std::uint64_t>(ticket, 1));
  }
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

  // How a tile is put in order: a full one quickly, with a check whether it came out stable; else, or where it did not,
  // in the careful way.
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
    typename ranker::digits_type my_digits;
    typename ranker::ranks_type ranks;
    std::uint32_t totals[bins_per_thread] = {};
    std::uint32_t starts[bins_per_thread];
    bool const is_full = valid == tuning.tile_items();

#pragma unroll 1
    for (bool is_first = true;; is_first = false) {
      bool const is_quick = is_first && is_full;
      with_way(is_quick, [&](auto way) {
        load_keys(way, begin, valid, my_keys);
        get_digits(way, valid, my_keys, my_digits);
        if constexpr (decltype(way)::value) {
          ranker::rank_by_atomics(shared.rank, my_digits, state.plan.crowded_bin[portion.digit], ranks);
        } else {
          ranker::rank_by_matching(shared.rank, shared.items.match, my_digits, ranks);
        }
      });
      simt::sync_block();

      if (is_first) {
        for_each_bin([&](int b, int bin) {
          totals[b] = ranker::total(shared.rank, bin);
          if (is_full && static_cast<int>(totals[b]) == tuning.tile_items()) shared.has_one_bin = true;
          if (bin == num_bins - 1) totals[b] -= static_cast<std::uint32_t>(tuning.tile_items() - valid);
          counts.publish(tile, bin, tile == 0 ? counts.inclusive : counts.of_tile, totals[b]);
          for (int t = tile; t < portion.most_tiles; t += portion.num_tiles) {
            simt::store_relaxed(next_counts.word(t, bin), 0u);
          }
        });
        ranker::scan_totals(shared.rank, totals, starts);
        if (shared.has_one_bin) {
          stay_in_order();
          look_back(tile, totals, starts);
          simt::sync_block();
          break;
        }
      }
      for_each_bin([&](int b, int bin) { ranker::place_bin(shared.rank, bin, starts[b]); });
      simt::sync_block();

      with_way(is_quick, [&](auto way) { exchange_keys(way, valid, my_keys, my_digits, ranks); });
      if (is_first) {
        look_back(tile, totals, starts);
      } else {
        simt::sync_block();
      }
      if (is_quick) count_misplaced(totals, starts);
      with_way(is_quick, [&](auto way) { read_ordered(way, valid, my_keys, my_digits); });
      simt::sync_block();
      if (!is_quick || shared.misplaced == 0) break;
    }

    if (simt::thread_rank() == 0) take_ticket();
    with_way(is_full, [&](auto way) { write(way, begin, valid, my_keys, my_digits); });
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

  // Starts to bring values into shared memory, as they lie in the input.
  __device__ __forceinline__ void load_values(std::int64_t begin, int valid, simt::async_copies& copies) const {
    Value* const target = &shared.items.values[0];
    values.with_source(state.plan.source[portion.digit], [&](auto source) {
      if constexpr (std::is_pointer_v<decltype(source)> && alignof(Value) >= 4) {
        start_copies<threads>(copies, source + begin, target, valid);
      } else {
        copy_striped<threads, items_per_thread>(source + begin, target, valid);
      }
    });
  }

  // What pads the last tile counts as of the last digit, and so goes last.
  template <class Way>
  __device__ __forceinline__ void get_digits(Way way, int valid,
                                             uninitialized_array<Key, items_per_thread> const& my_keys,
                                             typename ranker::digits_type& my_digits) const {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      my_digits.set(i, takes_part(way, i, valid) ? digit_of(my_keys[i]) : num_bins - 1);
    }
  }

  template <class Way>
  __device__ __forceinline__ void exchange_keys(Way way, int valid,
                                                uninitialized_array<Key, items_per_thread> const& my_keys,
                                                typename ranker::digits_type const& my_digits,
                                                typename ranker::ranks_type const& ranks) {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      std::uint32_t const place = ranker::target(shared.rank, my_digits[i], ranks[i]);
      if (takes_part(way, i, valid)) {
        shared.items.keys[place] = my_keys[i];
        if (Way::value || has_values<Value>) shared.numbers[place] = static_cast<std::uint16_t>(ranker::place(i));
      }
    }
  }

  // Of items that are in order already.
  __device__ __forceinline__ void stay_in_order() {
    if constexpr (has_values<Value>) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        shared.numbers[ranker::place(i)] = static_cast<std::uint16_t>(ranker::place(i));
      }
    }
  }

  // Whether the tile came out stable: then numbers ascend within bins, and descend only where bins begin.
  __device__ __forceinline__ void count_misplaced(std::uint32_t const (&totals)[bins_per_thread],
                                                  std::uint32_t const (&starts)[bins_per_thread]) {
    int misplaced = shared.numbers.template descents<threads>();
    for_each_bin([&](int b, int) {
      auto const start = static_cast<int>(starts[b]);
      if (totals[b] > 0 && start > 0 && shared.numbers[start - 1] > shared.numbers[start]) --misplaced;
    });
    cuda::std::plus<> op;
    misplaced = warp_reduce(misplaced, threads_per_warp, op);
    if (simt::lane() == 0 && misplaced != 0) simt::add_shared(shared.misplaced, misplaced);
  }

  // The ordered keys and their digits.
  template <class Way>
  __device__ __forceinline__ void read_ordered(Way way, int valid,
                                               uninitialized_array<Key, items_per_thread>& ordered,
                                               typename ranker::digits_type& ordered_digits) const {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (takes_part(way, i, valid)) ordered[i] = shared.items.keys[ranker::place(i)];
    }
    get_digits(way, valid, ordered, ordered_digits);
  }

  // Keys from registers; then values, which come to lie where the keys were.
  template <class Way>
  __device__ __forceinline__ void write(Way way, std::int64_t begin, int valid,
                                        uninitialized_array<Key, items_per_thread> const& ordered,
                                        typename ranker::digits_type& ordered_digits) {
    auto const write_column = [&](auto const& column, auto item) {
      column.with_target(state.plan.target[portion.digit], [&](auto target) {
        auto const first = target + ranker::place(0);
#pragma unroll
        for (int i = 0; i < items_per_thread; ++i) {
          if (takes_part(way, i, valid)) {
            *(first + (shared.targets[ordered_digits[i]] + i * threads_per_warp)) = item(i);
          }
        }
      });
    };
    simt::async_copies copies;
    if constexpr (has_values<Value>) load_values(begin, valid, copies);
    write_column(keys, [&](int i) { return ordered[i]; });
    if constexpr (has_values<Value>) {
      copies.wait();
      simt::sync_block();
      ordered_digits.forget();
      write_column(values, [&](int i) { return shared.items.values[shared.numbers[ranker::place(i)]]; });
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
      int const missing = shared.missing;
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
      if (counts.load(missing, bin) == 0) {
        counts.publish(missing, bin, missing == 0 ? counts.inclusive : counts.of_tile, shared.recounts[bin]);
      }
    });
    simt::sync_block();
  }
};

}  // namespace mgpu::detail
