// One block ranks a tile's items: it finds their targets in the tile when it is ordered by a digit, stable. Each warp
// counts its own items in shared memory, and ranks them, 32 at a time, in one of two ways:
//
// By matching: each lane learns which others have its digit, and the last of these advances the digit's counter for
// all of them (multisplit: Ashkiani et al., PPoPP 2016).
// By atomics: an item's rank is what an atomic increment of its digit's counter returns. So each item surely gets a
// target of its own, and counts are right; but the order is stable only where the hardware serves the lanes of a warp
// in order, which it does and nobody promises. So a caller that ranks by atomics checks the order that came out, and
// ranks by matching where it is not stable.
//
// The tile is warp-striped: item i of lane l of warp w has index (w * items_per_thread + i) * 32 + l.
#pragma once
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/packed_numbers.cuh>
#include <cstdint>

namespace mgpu::detail {

template <int threads_per_block, int items_per_thread, int digit_bits>
struct block_radix_rank {
  static constexpr int num_warps = threads_per_block / threads_per_warp;
  static constexpr int tile_items = threads_per_block * items_per_thread;
  static constexpr int num_bins = 1 << digit_bits;
  static constexpr int bins_per_thread = divide_up(num_bins, threads_per_block);
  static constexpr unsigned num_bin_warps = divide_up(num_bins, bins_per_thread* threads_per_warp);
  static_assert(threads_per_block % threads_per_warp == 0 && num_warps <= threads_per_warp);
  static_assert(tile_items <= 1 << 16);

  struct temp_storage {
    std::uint32_t counts[num_warps][num_bins];  // of a warp's items by digit; then the target of the next of them
    std::uint32_t warps[num_bin_warps];
  };
  using digits_type = packed_numbers<items_per_thread, digit_bits>;
  using ranks_type = packed_numbers<items_per_thread, 16>;

  // Returns the index in the tile of this thread's item i.
  static __device__ __forceinline__ int item_index(int i) {
    return static_cast<int>(simt::warp() * items_per_thread + i) * threads_per_warp + static_cast<int>(simt::lane());
  }

  // Returns this warp's counts, set to zero. Called by all lanes of a warp.
  static __device__ __forceinline__ std::uint32_t* cleared(temp_storage& temp) {
    std::uint32_t* const counts = temp.counts[simt::warp()];
    for (int i = static_cast<int>(simt::lane()); i < num_bins; i += threads_per_warp) counts[i] = 0;
    simt::sync_warp();
    return counts;
  }

  // A warp's share of a tile, in rows of 32 items, one a lane: a lane has the items first, first + 32, and so on up
  // to `end`, as far as they lie below num_items. All lanes have the same number of rows. In the functions below
  // digit_of(i) tells the digit of item i.
  struct rows {
    int first;
    int end;
    int num_items;
  };
  // Returns this warp's rows of the first num_items of a tile, which are shared out evenly.
  static __device__ __forceinline__ rows share_of(int num_items) {
    auto const thread = static_cast<int>(simt::thread_rank_anew());
    int const items_of_warp = divide_up(num_items, threads_per_block) * threads_per_warp;
    int const first = thread / threads_per_warp * items_of_warp + thread % threads_per_warp;
    return {first, first + items_of_warp, num_items};
  }

  // Returns a digit that many items of the warp's first row have, if some of them show one, or -1: increments of one
  // counter wait for each other, so such items are counted by ballots. Called by all lanes of a warp.
  template <class DigitOf>
  static __device__ __forceinline__ int hot_digit_of(rows const& items, DigitOf digit_of) {
    int const i = items.first;
    std::uint32_t const digit = i < items.end && i < items.num_items ? digit_of(i) : num_bins;
    int hot_digit = -1;
    unsigned most = min_hot_lanes - 1;
#pragma unroll
    for (unsigned lane = 0; lane < threads_per_warp; lane += threads_per_warp / 4) {
      std::uint32_t const shown = simt::shuffle(simt::full_mask, digit, lane);
      unsigned const alike = simt::population_count(simt::ballot(simt::full_mask, digit == shown));
      if (alike > most && shown < num_bins) {
        most = alike;
        hot_digit = static_cast<int>(shown);
      }
    }
    return hot_digit;
  }

  // Counts the items of the rows by digit. Called by all threads. A barrier is owed before total().
  template <class DigitOf>
  static __device__ __forceinline__ void count_rows(temp_storage& temp, rows const& items, DigitOf digit_of,
                                                    int hot_digit = -1) {
    std::uint32_t* const counts = cleared(temp);
    for_each_row(items, digit_of, hot_digit, counts, [](int, std::uint32_t) {});
  }

  // Calls put(i, target) for each item of the rows, in order, by matching, once all bins are placed. Called by all
  // lanes of a warp. Some rows are ranked at a time, as each step takes long to answer.
  template <class DigitOf, class Put>
  static __device__ __forceinline__ void place_rows(temp_storage& temp, rows const& items, DigitOf digit_of,
                                                    Put put) {
    constexpr int at_a_time = 2;
    std::uint32_t* const counts = temp.counts[simt::warp()];
    unsigned const lane = simt::lane();
#pragma unroll 1
    for (int first = items.first; first < items.end; first += at_a_time * threads_per_warp) {
      std::uint32_t digits[at_a_time];
      std::uint32_t peers[at_a_time];
      std::uint32_t starts[at_a_time];
#pragma unroll
      for (int k = 0; k < at_a_time; ++k) {
        int const i = first + k * threads_per_warp;
        digits[k] = i < items.end && i < items.num_items ? digit_of(i) : num_bins;
        peers[k] = simt::match_any(simt::full_mask, digits[k]);
      }
#pragma unroll
      for (int k = 0; k < at_a_time; ++k) {
        bool const is_last = peers[k] >> lane == 1;
        if (is_last && digits[k] < num_bins) {
          starts[k] = simt::add_shared(counts[digits[k]], simt::population_count(peers[k]));
        }
        simt::sync_warp();  // before the next row advances the counter
      }
#pragma unroll
      for (int k = 0; k < at_a_time; ++k) {
        std::uint32_t const start =
            simt::shuffle(simt::full_mask, starts[k], threads_per_warp - 1 - simt::leading_zeros(peers[k]));
        std::uint32_t const before = simt::population_count(peers[k] & ((1u << lane) - 1));
        if (digits[k] < num_bins) put(first + k * threads_per_warp, start + before);
      }
    }
  }

  // Does the same by atomics: the targets of items of one digit may come in another order than the items.
  template <class DigitOf, class Put>
  static __device__ __forceinline__ void place_rows_by_atomics(temp_storage& temp, rows const& items,
                                                               DigitOf digit_of, int hot_digit, Put put) {
    for_each_row(items, digit_of, hot_digit, temp.counts[simt::warp()], put);
  }

  // Sets ranks[i] to how many items before item i in its warp have the same digit; but the order of ranks among the
  // items of one digit may be another. Called by all threads of a block. A barrier is owed before total(). Increments
  // of one counter wait for each other, so where many of a warp's items have one digit, the hot digit, these are
  // counted by ballots. It is likely_digit, unless that is below 0: then it is the first item's, where many others in
  // its row have it too.
  static __device__ __forceinline__ void rank_by_atomics(temp_storage& temp, digits_type const& digits,
                                                         int likely_digit, ranks_type& ranks) {
    std::uint32_t* const counts = cleared(temp);
    std::uint32_t lane = simt::lane();
    simt::forget(lane);  // else ranks that depend on it alone are kept from tile to tile
    std::uint32_t const first = simt::shuffle(simt::full_mask, digits[0], 0);
    std::uint32_t const like_first = simt::ballot(simt::full_mask, digits[0] == first);
    int const hot_digit = likely_digit >= 0                                     ? likely_digit
                          : simt::population_count(like_first) >= min_hot_lanes ? static_cast<int>(first)
                                                                                : -1;
    if (like_first == simt::full_mask && are_all(digits, first)) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) ranks.set(i, i * threads_per_warp + lane);
      if (lane == 0) counts[first] = items_per_thread * threads_per_warp;
    } else if (hot_digit < 0) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) ranks.set(i, simt::add_shared(counts[digits[i]], 1u));
    } else {
      std::uint32_t counted = 0;
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        bool const is_hot = digits[i] == static_cast<std::uint32_t>(hot_digit);
        std::uint32_t const hot_lanes = simt::ballot(simt::full_mask, is_hot);
        std::uint32_t const before = counted + simt::population_count(hot_lanes & ((1u << lane) - 1));
        ranks.set(i, is_hot ? before : simt::add_shared(counts[digits[i]], 1u));
        counted += simt::population_count(hot_lanes);
      }
      if (lane == 0) counts[hot_digit] = counted;
    }
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

  // These tell how many items of each warp have digit `bin`; their sum; and so how many of the tile have it.
  using warp_counts = std::uint32_t[num_warps];
  static __device__ __forceinline__ void read_bin(temp_storage const& temp, int bin, warp_counts& counts) {
#pragma unroll
    for (int warp = 0; warp < num_warps; ++warp) counts[warp] = temp.counts[warp][bin];
  }
  static __device__ __forceinline__ std::uint32_t sum(warp_counts const& counts) {
    std::uint32_t sum = 0;
#pragma unroll
    for (int warp = 0; warp < num_warps; ++warp) sum += counts[warp];
    return sum;
  }
  static __device__ __forceinline__ std::uint32_t total(temp_storage const& temp, int bin) {
    warp_counts counts;
    read_bin(temp, bin, counts);
    return sum(counts);
  }

  // How many items of the tile this thread's bins have, and where the bins start in the ordered tile.
  struct bins {
    std::uint32_t totals[bins_per_thread];
    std::uint32_t starts[bins_per_thread];
  };
  // Gets the starts from the totals. Called by all threads; has one barrier.
  static __device__ __forceinline__ void scan_totals(temp_storage& temp, bins& mine) {
    std::uint32_t of_thread = 0;
#pragma unroll
    for (int b = 0; b < bins_per_thread; ++b) of_thread += mine.totals[b];
    std::uint32_t start = detail::block_exclusive_scan(of_thread, temp.warps);
#pragma unroll
    for (int b = 0; b < bins_per_thread; ++b) {
      mine.starts[b] = start;
      start += mine.totals[b];
    }
  }

  // Turns the warps' counts of a bin into targets: where each warp's items of the bin start. Called once for each
  // bin, by one thread; a barrier is owed before target() and place_rows().
  static __device__ __forceinline__ void place_bin(temp_storage& temp, int bin, std::uint32_t start,
                                                   warp_counts const& counts) {
#pragma unroll
    for (int warp = 0; warp < num_warps; ++warp) {
      temp.counts[warp][bin] = start;
      start += counts[warp];
    }
  }
  static __device__ __forceinline__ void place_bin(temp_storage& temp, int bin, std::uint32_t start) {
    warp_counts counts;
    read_bin(temp, bin, counts);
    place_bin(temp, bin, start, counts);
  }

  // Returns where an item of this warp goes in the ordered tile, by its digit and rank.
  static __device__ __forceinline__ std::uint32_t target(temp_storage const& temp, std::uint32_t digit,
                                                         std::uint32_t rank) {
    return temp.counts[simt::warp()][digit] + rank;
  }

 private:
  static constexpr unsigned min_hot_lanes = 6;  // so many of a row's 32 items make their digit hot

  // Calls f(i, place) for each item of the rows, and advances its digit's counter, of which place is what it was before.
  template <class DigitOf, class F>
  static __device__ __forceinline__ void for_each_row(rows const& items, DigitOf digit_of, int hot_digit,
                                                      std::uint32_t* counts, F f) {
    if (hot_digit < 0) {
#pragma unroll 2
      for (int i = items.first; i < items.end; i += threads_per_warp) {
        if (i < items.num_items) f(i, simt::add_shared(counts[digit_of(i)], 1u));
      }
      return;
    }
    std::uint32_t next = counts[hot_digit];
#pragma unroll 2
    for (int i = items.first; i < items.end; i += threads_per_warp) {
      std::uint32_t const digit = i < items.num_items ? digit_of(i) : num_bins;
      bool const is_hot = digit == static_cast<std::uint32_t>(hot_digit);
      std::uint32_t const hot_lanes = simt::ballot(simt::full_mask, is_hot);
      std::uint32_t place = next + simt::population_count(hot_lanes & ((1u << simt::lane()) - 1));
      if (!is_hot && digit < num_bins) place = simt::add_shared(counts[digit], 1u);
      if (digit < num_bins) f(i, place);
      next += simt::population_count(hot_lanes);
    }
    simt::sync_warp();  // all lanes have read the counter
    if (simt::lane() == 0) counts[hot_digit] = next;
  }

  static __device__ __forceinline__ bool are_all(digits_type const& digits, std::uint32_t digit) {
    bool is_it = true;
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) is_it = is_it && digits[i] == digit;
    return simt::all(simt::full_mask, is_it);
  }
};

}  // namespace mgpu::detail
