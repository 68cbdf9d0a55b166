// The places of a tile's items when they are ordered by a digit, stable. Each warp ranks its own items, 32 at a time,
// and counts them in shared memory, in one of two ways:
//
// By ballots: digits are compared across lanes (multisplit: Ashkiani et al., PPoPP 2016).
// By atomics: an item's rank is what an atomic increment of its digit's counter returns. That makes a place for each
// item for sure, and counts right; but it is stable only where the hardware serves the lanes of a warp in order, which
// it does and nobody promises. So who ranks by atomics checks the order that came out, and ranks by ballots where it
// is not stable.
//
// The tile is warp-striped: item i of lane l of warp w is number (w * items_per_thread + i) * 32 + l.
#pragma once
#include <mgpu/detail/core/atomic.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/thread/packed_numbers.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cuda/std/functional>
#include <cstdint>

namespace mgpu::detail {

template <int threads_per_block, int items_per_thread, int digit_bits>
struct block_radix_rank {
  static constexpr int num_warps = threads_per_block / threads_per_warp;
  static constexpr int tile_items = threads_per_block * items_per_thread;
  static constexpr int num_bins = 1 << digit_bits;
  static constexpr int bins_per_thread = divide_up(num_bins, threads_per_block);
  static_assert(threads_per_block % threads_per_warp == 0 && num_warps <= threads_per_warp);
  static_assert(tile_items <= 1 << 16);

  struct temp_storage {
    std::uint32_t counts[num_warps][num_bins];  // of a warp's items; then where the first of them goes
    std::uint32_t warps[num_warps];
  };
  using digits_type = packed_numbers<items_per_thread, digit_bits>;
  using ranks_type = packed_numbers<items_per_thread, 16>;

  // The number of an item of this thread.
  static __device__ __forceinline__ int place(int i) {
    return static_cast<int>(simt::warp() * items_per_thread + i) * threads_per_warp + static_cast<int>(simt::lane());
  }

  // ranks[i] = how many items before it in its warp have the same digit. Called by all threads of a block. A barrier is
  // owed before total().
  static __device__ __forceinline__ void rank_by_ballots(temp_storage& temp, digits_type const& digits,
                                                         ranks_type& ranks) {
    std::uint32_t* const counts = cleared_counts(temp);
    unsigned const lane = simt::lane();
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      std::uint32_t const mine = digits[i];
      std::uint32_t const peers = lanes_with(mine);
      std::uint32_t const before = peers & ((1u << lane) - 1);
      std::uint32_t const counted = counts[mine];
      ranks.set(i, counted + simt::population_count(before));
      simt::sync_warp();
      if (before == 0) counts[mine] = counted + simt::population_count(peers);
      simt::sync_warp();
    }
  }

  // The same, but for the order of ranks among the items of one digit. Increments of one counter wait for each other,
  // so items of a digit that many have, if one is named, are counted by ballots.
  static __device__ __forceinline__ void rank_by_atomics(temp_storage& temp, digits_type const& digits,
                                                         int crowded_digit, ranks_type& ranks) {
    std::uint32_t* const counts = cleared_counts(temp);
    unsigned const lane = simt::lane();
    if (have_one_digit(digits)) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) ranks.set(i, i * threads_per_warp + lane);
      if (lane == 0) counts[digits[0]] = items_per_thread * threads_per_warp;
    } else if (crowded_digit < 0) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) ranks.set(i, simt::add_shared(counts[digits[i]], 1u));
    } else {
      std::uint32_t crowd = 0;
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        bool const is_in_it = digits[i] == static_cast<std::uint32_t>(crowded_digit);
        std::uint32_t const in_it = simt::ballot(simt::full_mask, is_in_it);
        std::uint32_t const before = crowd + simt::population_count(in_it & ((1u << lane) - 1));
        ranks.set(i, is_in_it ? before : simt::add_shared(counts[digits[i]], 1u));
        crowd += simt::population_count(in_it);
      }
      if (lane == 0) counts[crowded_digit] = crowd;
    }
  }

  // How many items of the tile have digit `bin`.
  static __device__ __forceinline__ std::uint32_t total(temp_storage const& temp, int bin) {
    std::uint32_t sum = 0;
#pragma unroll
    for (int warp = 0; warp < num_warps; ++warp) sum += temp.counts[warp][bin];
    return sum;
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
    if (simt::lane() == threads_per_warp - 1) temp.warps[simt::warp()] = up_to;
    simt::sync_block();
    std::uint32_t start = up_to - mine;
    for (unsigned warp = 0; warp < simt::warp(); ++warp) start += temp.warps[warp];
#pragma unroll
    for (int b = 0; b < bins_per_thread; ++b) {
      starts[b] = start;
      start += totals[b];
    }
  }

  // Turns the warps' counts of a bin into targets. Called once for each bin, by one thread; a barrier is owed before
  // target().
  static __device__ __forceinline__ void place_bin(temp_storage& temp, int bin, std::uint32_t start) {
#pragma unroll
    for (int warp = 0; warp < num_warps; ++warp) {
      std::uint32_t const count = temp.counts[warp][bin];
      temp.counts[warp][bin] = start;
      start += count;
    }
  }

  // Where an item of this warp goes in the ordered tile.
  static __device__ __forceinline__ std::uint32_t target(temp_storage const& temp, std::uint32_t digit,
                                                         std::uint32_t rank) {
    return temp.counts[simt::warp()][digit] + rank;
  }

 private:
  // Whether all items of this warp have the same digit.
  static __device__ __forceinline__ bool have_one_digit(digits_type const& digits) {
    std::uint32_t const first = simt::shuffle(simt::full_mask, digits[0], 0);
    if (!simt::all(simt::full_mask, digits[0] == first)) return false;
    bool is_first = true;
#pragma unroll
    for (int i = 1; i < items_per_thread; ++i) is_first = is_first && digits[i] == first;
    return simt::all(simt::full_mask, is_first);
  }

  static __device__ __forceinline__ std::uint32_t* cleared_counts(temp_storage& temp) {
    std::uint32_t* const counts = temp.counts[simt::warp()];
    for (int bin = static_cast<int>(simt::lane()); bin < num_bins; bin += threads_per_warp) counts[bin] = 0;
    simt::sync_warp();
    return counts;
  }

  // The lanes of this warp with that digit.
  static __device__ __forceinline__ std::uint32_t lanes_with(std::uint32_t digit) {
    std::uint32_t lanes = simt::full_mask;
#pragma unroll
    for (int bit = 0; bit < digit_bits; ++bit) {
      bool const is_set = (digit >> bit & 1) != 0;
      std::uint32_t const others = simt::ballot(simt::full_mask, is_set);
      lanes &= is_set ? others : ~others;
    }
    return lanes;
  }
};

}  // namespace mgpu::detail
