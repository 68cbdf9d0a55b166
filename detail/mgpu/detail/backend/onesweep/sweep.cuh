// A block of a digit pass finds here what it works on, and the quick way to sweep a tile. OneSweep: Adinets, Merrill,
// arXiv:2206.01784.
#pragma once
#include <mgpu/detail/backend/onesweep/portion.h>
#include <mgpu/detail/backend/onesweep/state.h>
#include <mgpu/detail/backend/onesweep/storage.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/block/radix_rank.cuh>
#include <mgpu/detail/block/start_copies.cuh>
#include <mgpu/detail/block/striped.cuh>
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/grid/bin_look_back.cuh>
#include <mgpu/detail/grid/dynamic_tile.cuh>
#include <mgpu/detail/simt/async_copy.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Its functions are called by all threads of the block, where nothing else is said.
template <class Tuning, bool descending, class Keys, class Values>
struct onesweep_sweep {
  using Key = typename Keys::T;
  using Value = typename Values::T;
  static constexpr onesweep_tuning tuning = Tuning::at(current_arch());
  static constexpr int threads = tuning.threads_per_block;
  static constexpr int items_per_thread = tuning.items_per_thread;
  static constexpr bool tests_items = !tuning.partial_first;  // so that tiles that are not full go the quick way too
  // Whether a digit can be taken of memory that holds no key, which is quicker than to test whether it holds one.
  static constexpr bool any_bits_are_a_key = std::is_scalar_v<Key> && !impl::has_declared_key<Key>;
  using storage = typename onesweep_pass<Tuning, Key, Value>::template storage<current_arch()>;
  using digits = typename storage::digits;
  using ranker = typename storage::ranker;
  using bins = typename ranker::bins;
  using keys_type = uninitialized_array<Key, items_per_thread>;
  using digits_type = typename ranker::digits_type;

  storage& shared;
  onesweep_state<digits>& state;
  Keys const& keys;
  Values const& values;
  onesweep_portion portion;
  bin_counts<digits::num_bins> counts;       // zero before the launch
  bin_counts<digits::num_bins> next_counts;  // zeroed for the next launch
  std::uint64_t& ticket;                     // zero before the launch
  int lowest_bit;                            // of the digit
  int next_tile = 0;                         // valid in thread 0

  // Takes the ticket for the next tile. Thread 0 does so early enough that the block need not wait for it, but not
  // before the look-back has ended: other blocks may wait for that tile.
  __device__ __forceinline__ void take_ticket() { next_tile = static_cast<int>(detail::take_tile(ticket)); }
  __device__ __forceinline__ pass_buffer source() const { return state.plan.source[portion.digit]; }
  __device__ __forceinline__ pass_buffer target() const { return state.plan.target[portion.digit]; }
  __device__ __forceinline__ std::uint32_t digit_of(Key const& key) const {
    return digits::from(detail::directed_bits<descending>(key), lowest_bit);
  }

  // Starts to load a tile of a column into shared memory, in the order of the input.
  template <class Column, class T>
  __device__ __forceinline__ void load(Column const& column, T* to, onesweep_tile const& tile,
                                       simt::async_copies& copies) const {
    column.with_source(source(), [&](auto from) {
      if constexpr (std::is_pointer_v<decltype(from)> && alignof(T) >= 4) {
        detail::start_copies<threads>(copies, from + tile.begin, to, tile.valid);
      } else {
        detail::copy_striped<threads, items_per_thread>(from + tile.begin, to, tile.valid);
      }
    });
  }

  // Returns totals and starts, once items are counted. `absent` items do not exist, but were counted for the last
  // bin. If is_first, publishes the totals, and clears the next launch's counts. Has a barrier.
  __device__ __forceinline__ bins scan_bins(int tile, bool is_first, int absent) {
    bins mine{};
    ranker::for_each_bin([&](int b, int bin) {
      mine.totals[b] = ranker::total(shared.rank, bin);
      if (tests_items && bin == digits::num_bins - 1) mine.totals[b] -= absent;
      if (!is_first) return;
      if (static_cast<int>(mine.totals[b]) == tuning.tile_items() - absent) shared.has_one_bin = true;
      counts.publish(tile, bin, tile == 0 ? counts.inclusive : counts.of_tile, mine.totals[b]);
      for (int t = tile; t < portion.most_tiles; t += portion.num_tiles) {
        simt::store_relaxed(next_counts.word(t, bin), 0u);
      }
    });
    ranker::scan_totals(shared.rank, mine);
    return mine;
  }

  // Turns the warps' counts into targets in the ordered tile. Has a barrier.
  __device__ __forceinline__ void place_bins(bins const& mine) {
    ranker::for_each_bin([&](int b, int bin) { ranker::place_bin(shared.rank, bin, mine.starts[b]); });
    simt::sync_block();
  }

  // Finds how many items of each bin lie in the tiles before, and fills shared.targets. The last tile of the portion
  // moves the starts on for the next portion. Has a barrier, and owes one.
  __device__ __forceinline__ void look_back(int tile, bins const& mine) {
    using walk = bin_look_back<digits::num_bins, tuning.look_back_window>;
    uninitialized_array<walk, ranker::bins_per_thread> walks;
    ranker::for_each_bin([&](int b, int) { walks[b] = walk(tile); });
    for (;;) {
      ranker::for_each_bin([&](int b, int bin) {
        int const missing = walks[b].advance(counts, bin, tuning.max_polls);
        if (missing >= 0) simt::max_shared(shared.missing, missing);
      });
      simt::sync_block();
      int const missing = shared.missing;
      if (missing < 0) break;
      simt::sync_block();
      fall_back(missing);
    }
    ranker::for_each_bin([&](int b, int bin) {
      std::uint32_t const before = walks[b].sum();
      if (tile > 0) counts.publish(tile, bin, counts.inclusive, before + mine.totals[b]);
      std::uint64_t const start = state.starts[portion.number % 2][portion.digit][bin] + before;
      shared.targets[bin] = static_cast<std::int64_t>(start) - mine.starts[b];
      if (tile == portion.num_tiles - 1) {
        state.starts[(portion.number + 1) % 2][portion.digit][bin] = start + mine.totals[b];
      }
    });
  }

  // Puts a tile in order quickly, by atomics, with a check whether it came out stable: moves its items to their
  // targets, and returns true; or writes nothing and returns false, if it did not. Absent items come last, in the last
  // bin.
  __device__ __forceinline__ bool sweep_quickly(onesweep_tile const& tile) {
    keys_type my_keys;
    digits_type my_digits;
    load_keys(tile, my_keys);
    int const my_valid = tile.valid - ranker::item_index(0);
    take_digits(my_keys, my_valid, my_digits);
    typename ranker::ranks_type ranks;
    ranker::rank_by_atomics(shared.rank, my_digits, state.plan.hot_bin[portion.digit], ranks);
    simt::sync_block();
    bins const mine = scan_bins(tile.index, true, tuning.tile_items() - tile.valid);
    if (shared.has_one_bin) {
      stay_in_order();
      look_back(tile.index, mine);
    } else {
      place_bins(mine);
      exchange_keys(my_keys, my_digits, ranks);
      look_back(tile.index, mine);
      count_misplaced(mine);
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) my_keys[i] = shared.items.keys[ranker::item_index(i)];
      if constexpr (any_bits_are_a_key) {
#pragma unroll
        for (int i = 0; i < items_per_thread; ++i) my_digits.set(i, digit_of(my_keys[i]));
      }
    }
    simt::sync_block();
    if (shared.misplaced != 0) return false;
    // Not before: in an unstable tile, absent items may come first.
    if constexpr (!any_bits_are_a_key) take_digits(my_keys, my_valid, my_digits);
    if (simt::thread_rank() == 0) take_ticket();
    write(tile, my_keys, my_digits);
    return true;
  }

 private:
  // Falls back: counts a missing tile, whose input nobody overwrites before this pass ends, and publishes the counts.
  __device__ __forceinline__ void fall_back(int missing) {
    if (simt::thread_rank() == 0) shared.missing = -1;
    ranker::for_each_bin([&](int, int bin) { shared.recounts[bin] = 0; });
    simt::sync_block();
    std::int64_t const begin = portion.begin_of(missing, tuning.tile_items());
    int const valid = portion.items_of(missing, tuning.tile_items());
    keys.with_source(source(), [&](auto from) {
#pragma unroll 1
      for (int i = static_cast<int>(simt::thread_rank()); i < valid; i += threads) {
        Key const key = *(from + (begin + i));
        simt::add_shared(shared.recounts[digit_of(key)], 1u);
      }
    });
    simt::sync_block();
    ranker::for_each_bin([&](int, int bin) {
      if (counts.load(missing, bin) == 0) {
        counts.publish(missing, bin, missing == 0 ? counts.inclusive : counts.of_tile, shared.recounts[bin]);
      }
    });
    simt::sync_block();
  }

  // Returns whether item i of this thread exists: it is absent if the tile is not full, and ends before it. my_valid
  // is how many of the tile's items come no earlier than the thread's first.
  static __device__ __forceinline__ bool exists(int i, int my_valid) {
    return !tests_items || i * threads_per_warp < my_valid;
  }

  __device__ __forceinline__ void load_keys(onesweep_tile const& tile, keys_type& my_keys) const {
    keys.with_source(source(), [&](auto source) {
      auto const first = source + (tile.begin + ranker::item_index(0));
      int const my_valid = tile.valid - ranker::item_index(0);
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        if (exists(i, my_valid)) my_keys[i] = *(first + i * threads_per_warp);
      }
    });
  }

  // Takes the digits of keys. An absent key gets the last bin without being read: radix_key may follow its pointers.
  __device__ __forceinline__ void take_digits(keys_type const& my_keys, int my_valid, digits_type& my_digits) const {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      my_digits.set(i, exists(i, my_valid) ? digit_of(my_keys[i]) : digits::num_bins - 1);
    }
  }

  // Puts the keys and their source indices in order, in shared memory. Owes a barrier.
  __device__ __forceinline__ void exchange_keys(keys_type const& my_keys, digits_type const& my_digits,
                                                typename ranker::ranks_type const& ranks) {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      std::uint32_t const target = ranker::target(shared.rank, my_digits[i], ranks[i]);
      shared.items.keys[target] = my_keys[i];
      shared.sources[target] = static_cast<std::uint16_t>(ranker::item_index(i));
    }
  }

  // Sets the source indices of a tile that is in order already.
  __device__ __forceinline__ void stay_in_order() {
    if constexpr (has_values<Value>) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        shared.sources[ranker::item_index(i)] = static_cast<std::uint16_t>(ranker::item_index(i));
      }
    }
  }

  // Counts misplaced items: in a stable tile, source indices descend only where bins begin. Owes a barrier.
  __device__ __forceinline__ void count_misplaced(bins const& mine) {
    int misplaced = shared.sources.template count_descents<threads>();
    ranker::for_each_bin([&](int b, int) {
      auto const start = static_cast<int>(mine.starts[b]);
      if (mine.totals[b] > 0 && start > 0 && shared.sources[start - 1] > shared.sources[start]) --misplaced;
    });
    misplaced = static_cast<int>(simt::sum_of_warp(static_cast<std::uint32_t>(misplaced)));
    if (simt::lane() == 0 && misplaced != 0) simt::add_shared(shared.misplaced, misplaced);
  }

  // Writes keys from registers; then values, through the shared memory that held the keys. Values take a barrier.
  __device__ __forceinline__ void write(onesweep_tile const& tile, keys_type const& my_keys, digits_type& my_digits) {
    auto const write_column = [&](auto const& column, auto item) {
      column.with_target(target(), [&](auto target) {
        auto place = static_cast<std::uint32_t>(ranker::item_index(0));
        simt::forget(place);  // else every item's index is kept from tile to tile, for which there are no registers
        auto const first = target + place;
        int const my_valid = tile.valid - static_cast<int>(place);
#pragma unroll
        for (int i = 0; i < items_per_thread; ++i) {
          auto const to = first + (shared.targets[my_digits[i]] + i * threads_per_warp);
          auto const what = item(i);
          if (exists(i, my_valid)) *to = what;  // only the store waits for this test
        }
      });
    };
    simt::async_copies copies;
    if constexpr (has_values<Value>) load(values, cuda::std::addressof(shared.items.values[0]), tile, copies);
    write_column(keys, [&](int i) { return my_keys[i]; });
    if constexpr (has_values<Value>) {
      copies.wait();
      simt::sync_block();
      my_digits.forget();
      write_column(values, [&](int i) { return shared.items.values[shared.sources[ranker::item_index(i)]]; });
    }
  }
};

}  // namespace mgpu::detail
