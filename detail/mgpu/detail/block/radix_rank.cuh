// The places of a tile's items when they are ordered by a digit, stable. Each warp counts its own items in shared
// memory, and ranks them, 32 at a time, in one of two ways:
//
// By matching: lanes tell each other by a mask for each digit who has it (multisplit: Ashkiani et al., PPoPP 2016).
// By atomics: an item's rank is what an atomic increment of its digit's counter returns. That makes a place for each
// item for sure, and counts right; but it is stable only where the hardware serves the lanes of a warp in order, which
// it does and nobody promises. So who ranks by atomics checks the order that came out, and ranks by matching where it
// is not stable.
//
// The tile is warp-striped: item i of lane l of warp w is number (w * items_per_thread + i) * 32 + l.
#pragma once
#include <mgpu/detail/core/atomic.cuh>
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/thread/packed_numbers.cuh>
#include <mgpu/detail/warp/reduce.cuh>
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
    std::uint32_t counts[num_warps][num_bins];  // of a warp's items; then where the first of them goes
    std::uint32_t warps[num_bin_warps];
  };
  // The lanes of a warp that have a digit, in a row of items.
  struct match_storage {
    std::uint32_t lanes[num_warps][num_bins];
  };
  using digits_type = packed_numbers<items_per_thread, digit_bits>;
  using ranks_type = packed_numbers<items_per_thread, 16>;

  // The number of an item of this thread.
  static __device__ __forceinline__ int place(int i) {
    return static_cast<int>(simt::warp() * items_per_thread + i) * threads_per_warp + static_cast<int>(simt::lane());
  }

  // A warp's numbers, set to zero.
  static __device__ __forceinline__ std::uint32_t* cleared(std::uint32_t (&numbers)[num_bins]) {
    for (int i = static_cast<int>(simt::lane()); i < num_bins; i += threads_per_warp) numbers[i] = 0;
    simt::sync_warp();
    return numbers;
  }

  // A warp's counts and lanes, all zero before; lanes are so again after.
  struct matching {
    std::uint32_t* counts;
    std::uint32_t* lanes;

    // Of one item of each lane, or none: what the counter of its digit is moved on to by the items before it in its
    // row. Called by all lanes.
    __device__ __forceinline__ std::uint32_t count(std::uint32_t digit, bool is_item) {
      std::uint32_t const mine = 1u << simt::lane();
      if (is_item) simt::or_shared(lanes[digit], mine);
      simt::sync_warp();
      std::uint32_t const peers = lanes[digit];
      std::uint32_t const before = peers & (mine - 1);
      std::uint32_t const counted = counts[digit];
      simt::sync_warp();
      if (is_item && before == 0) {
        counts[digit] = counted + simt::population_count(peers);
        lanes[digit] = 0;
      }
      simt::sync_warp();
      return counted + simt::population_count(before);
    }
  };

  // ranks[i] = how many items before it in its warp have the same digit. Called by all threads of a block. A barrier is
  // owed before total().
  static __device__ __forceinline__ void rank_by_matching(temp_storage& temp, match_storage& match,
                                                          digits_type const& digits, ranks_type& ranks) {
    matching warp{cleared(temp.counts[simt::warp()]), cleared(match.lanes[simt::warp()])};
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) ranks.set(i, warp.count(digits[i], true));
  }

  // The same, but for the order of ranks among the items of one digit. Increments of one counter wait for each other, so
  // where many of a warp's items have one digit, these are counted by ballots: the digit that is named, if it is none
  // below 0, else the first item's, where it is that of many others in its row.
  static __device__ __forceinline__ void rank_by_atomics(temp_storage& temp, digits_type const& digits,
                                                         int likely_digit, ranks_type& ranks) {
    std::uint32_t* const counts = cleared(temp.counts[simt::warp()]);
    unsigned const lane = simt::lane();
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

  // Items that stay in memory: numbers first, first + 32, ... of each lane of a warp, in rows as the lanes are, up to
  // `end`, of those that lie below num_items; digit_of(i) tells the digit of each.
  struct rows {
    int first;
    int end;
    int num_items;
  };

  // Counts them. A barrier is owed before total().
  template <class DigitOf>
  static __device__ __forceinline__ void count_rows(temp_storage& temp, rows const& items, DigitOf digit_of) {
    std::uint32_t* const counts = cleared(temp.counts[simt::warp()]);
#pragma unroll 4
    for (int i = items.first; i < items.end; i += threads_per_warp) {
      if (i < items.num_items) simt::add_shared(counts[digit_of(i)], 1u);
    }
  }

  // Calls put(i, target) for each, once bins are placed.
  template <class DigitOf, class Put>
  static __device__ __forceinline__ void place_rows(temp_storage& temp, match_storage& match, rows const& items,
                                                    DigitOf digit_of, Put put) {
    matching warp{temp.counts[simt::warp()], cleared(match.lanes[simt::warp()])};
    std::uint32_t next = items.first < items.num_items ? digit_of(items.first) : 0;
#pragma unroll 1
    for (int i = items.first; i < items.end; i += threads_per_warp) {
      std::uint32_t const digit = next;
      bool const is_item = i < items.num_items;
      if (i + threads_per_warp < items.num_items) next = digit_of(i + threads_per_warp);
      std::uint32_t const target = warp.count(digit, is_item);
      if (is_item) put(i, target);
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
    cuda::std::plus<> op;
    std::uint32_t mine = 0;
#pragma unroll
    for (int b = 0; b < bins_per_thread; ++b) mine += totals[b];
    std::uint32_t const up_to = warp_inclusive_scan(mine, threads_per_warp, op);
    if (simt::lane() == threads_per_warp - 1 && simt::warp() < num_bin_warps) temp.warps[simt::warp()] = up_to;
    simt::sync_block();
    // The sum of the warps before this one, by lanes side by side.
    constexpr unsigned group = num_bin_warps <= 8 ? 8 : threads_per_warp;
    unsigned const warp = simt::lane() % group;
    std::uint32_t before = warp < num_bin_warps && warp < simt::warp() ? temp.warps[warp] : 0;
#pragma unroll
    for (unsigned distance = 1; distance < group; distance *= 2) {
      before += simt::shuffle_xor(simt::full_mask, before, distance);
    }
    std::uint32_t start = before + up_to - mine;
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
