// The places of a tile's items when they are ordered by a digit, stable. Each warp counts its own items in shared
// memory, and places them, 32 at a time, in one of two ways:
//
// By matching: each lane learns which others have its digit, and the last of these moves the counter on for all
// (multisplit: Ashkiani et al., PPoPP 2016).
// By atomics: an item's rank is what an atomic increment of its digit's counter returns. That makes a place for each
// item for sure, and counts right; but it is stable only where the hardware serves the lanes of a warp in order, which
// it does and nobody promises. So who ranks by atomics checks the order that came out, and goes by matching where it is
// not stable.
//
// The tile is warp-striped: item i of lane l of warp w is number (w * items_per_thread + i) * 32 + l.
#pragma once
#include <mgpu/detail/block/scan.cuh>
#include <mgpu/detail/core/atomic.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
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
    std::uint32_t counts[num_warps][num_bins];  // of a warp's items; then where the next of them goes
    std::uint32_t warps[num_bin_warps];
  };
  using digits_type = packed_numbers<items_per_thread, digit_bits>;
  using ranks_type = packed_numbers<items_per_thread, 16>;

  // The number of an item of this thread.
  static __device__ __forceinline__ int place(int i) {
    return static_cast<int>(simt::warp() * items_per_thread + i) * threads_per_warp + static_cast<int>(simt::lane());
  }

  // This warp's counts, set to zero.
  static __device__ __forceinline__ std::uint32_t* cleared(temp_storage& temp) {
    std::uint32_t* const counts = temp.counts[simt::warp()];
    for (int i = static_cast<int>(simt::lane()); i < num_bins; i += threads_per_warp) counts[i] = 0;
    simt::sync_warp();
    return counts;
  }

  // The items first, first + 32, ... of each lane of a warp, in rows as the lanes are, up to `end`, of those that lie
  // below num_items; digit_of(i) tells the digit of each. All lanes have the same number of rows.
  struct rows {
    int first;
    int end;
    int num_items;
  };
  // Those of this warp, of the first num_items of a tile, shared out evenly.
  static __device__ __forceinline__ rows share_of(int num_items) {
    auto const thread = static_cast<int>(simt::thread_rank_anew());
    int const items_of_warp = divide_up(num_items, threads_per_block) * threads_per_warp;
    int const first = thread / threads_per_warp * items_of_warp + thread % threads_per_warp;
    return {first, first + items_of_warp, num_items};
  }

  // Counts them. A barrier is owed before total().
  template <class DigitOf>
  static __device__ __forceinline__ void count_rows(temp_storage& temp, rows const& items, DigitOf digit_of) {
    std::uint32_t* const counts = cleared(temp);
#pragma unroll 2
    for (int i = items.first; i < items.end; i += threads_per_warp) {
      if (i < items.num_items) simt::add_shared(counts[digit_of(i)], 1u);
    }
  }

  // Calls put(i, target) for each, in order, by matching, once bins are placed. Some rows at a time, as each step takes
  // long to answer.
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
        simt::sync_warp();  // before the next row moves the counter on
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

  // ranks[i] = how many items before it in its warp have the same digit, but for the order of ranks among the items of
  // one digit. Called by all threads of a block. A barrier is owed before total(). Increments of one counter wait for
  // each other, so where many of a warp's items have one digit, these are counted by ballots: the digit that is named,
  // if it is none below 0, else the first item's, where it is that of many others in its row.
  static __device__ __forceinline__ void rank_by_atomics(temp_storage& temp, digits_type const& digits,
                                                         int likely_digit, ranks_type& ranks) {
    std::uint32_t* const counts = cleared(temp);
    std::uint32_t lane = simt::lane();
    simt::forget(lane);  // else ranks that only depend on it are kept from tile to tile
    std::uint32_t const first = simt::shuffle(simt::full_mask, digits[0], 0);
    std::uint32_t const like_first = simt::ballot(simt::full_mask, digits[0] == first);
    int const crowded = likely_digit >= 0                             ? likely_digit
                        : simt::population_count(like_first) >= crowd ? static_cast<int>(first)
                                                                      : -1;
    if (like_first == simt::full_mask && are_all(digits, first)) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) ranks.set(i, i * threads_per_warp + lane);
      if (lane == 0) counts[first] = items_per_thread * threads_per_warp;
    } else if (crowded < 0) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) ranks.set(i, simt::add_shared(counts[digits[i]], 1u));
    } else {
      std::uint32_t counted = 0;
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        bool const is_crowded = digits[i] == static_cast<std::uint32_t>(crowded);
        std::uint32_t const in_crowd = simt::ballot(simt::full_mask, is_crowded);
        std::uint32_t const before = counted + simt::population_count(in_crowd & ((1u << lane) - 1));
        ranks.set(i, is_crowded ? before : simt::add_shared(counts[digits[i]], 1u));
        counted += simt::population_count(in_crowd);
      }
      if (lane == 0) counts[crowded] = counted;
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

  // How many items of each warp have digit `bin`; and of the tile.
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

  // Where bins start in the ordered tile, from their totals: thread t has those from t * bins_per_thread on. Called by
  // all threads; has one barrier.
  static __device__ __forceinline__ void scan_totals(temp_storage& temp,
                                                     std::uint32_t const (&totals)[bins_per_thread],
                                                     std::uint32_t (&starts)[bins_per_thread]) {
    std::uint32_t mine = 0;
#pragma unroll
    for (int b = 0; b < bins_per_thread; ++b) mine += totals[b];
    std::uint32_t start = detail::block_exclusive_scan(mine, temp.warps);
#pragma unroll
    for (int b = 0; b < bins_per_thread; ++b) {
      starts[b] = start;
      start += totals[b];
    }
  }

  // Turns the warps' counts of a bin into targets. Called once for each bin, by one thread; a barrier is owed before
  // target().
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

  // Where an item of this warp goes in the ordered tile, by its rank.
  static __device__ __forceinline__ std::uint32_t target(temp_storage const& temp, std::uint32_t digit,
                                                         std::uint32_t rank) {
    return temp.counts[simt::warp()][digit] + rank;
  }

 private:
  static constexpr unsigned crowd = 6;  // of the 32 items of a row, from which on they are counted by ballots

  static __device__ __forceinline__ bool are_all(digits_type const& digits, std::uint32_t digit) {
    bool is_it = true;
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) is_it = is_it && digits[i] == digit;
    return simt::all(simt::full_mask, is_it);
  }
};

}  // namespace mgpu::detail
