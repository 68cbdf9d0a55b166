// The places of a tile's items when they are ordered by a digit, stable: each warp ranks its own items, 32 at a time,
// by comparing digits across its lanes (multisplit: Ashkiani et al., PPoPP 2016), and counts them in shared memory.
//
// The tile is warp-striped: item i of lane l of warp w is number (w * items_per_thread + i) * 32 + l.
#pragma once
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cuda/std/functional>
#include <cstdint>

namespace mgpu::detail {

template <int threads_per_block, int items_per_thread, int digit_bits>
struct block_radix_rank {
  static constexpr int num_warps = threads_per_block / threads_per_warp;
  static constexpr int num_bins = 1 << digit_bits;
  static constexpr int bins_per_thread = divide_up(num_bins, threads_per_block);
  static_assert(threads_per_block % threads_per_warp == 0 && num_warps <= threads_per_warp);

  struct temp_storage {
    std::uint32_t counts[num_warps][num_bins];  // of a warp's items; then, of the items of the bin in warps before it
    std::uint32_t warps[num_warps];
    std::uint32_t starts[num_bins];  // of each bin in the ordered tile
  };

  // The number of an item of this thread.
  static __device__ __forceinline__ int place(int i) {
    return static_cast<int>(simt::warp() * items_per_thread + i) * threads_per_warp + static_cast<int>(simt::lane());
  }

  // ranks[i] = how many items before it in its warp have the same digit. Called by all threads of a block; items from
  // number `valid` on take no part. A barrier is owed before total().
  static __device__ __forceinline__ void rank_in_warps(temp_storage& temp,
                                                       std::uint32_t const (&digits)[items_per_thread], int valid,
                                                       std::uint32_t (&ranks)[items_per_thread]) {
    std::uint32_t* const counts = temp.counts[simt::warp()];
    unsigned const lane = simt::lane();
    for (int bin = static_cast<int>(lane); bin < num_bins; bin += threads_per_warp) counts[bin] = 0;
    simt::sync_warp();
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      bool const is_valid = place(i) < valid;
      std::uint32_t const peers = lanes_with(digits[i], is_valid);
      std::uint32_t const before = peers & ((1u << lane) - 1);
      std::uint32_t const counted = is_valid ? counts[digits[i]] : 0;
      ranks[i] = counted + simt::population_count(before);
      simt::sync_warp();
      if (is_valid && before == 0) counts[digits[i]] = counted + simt::population_count(peers);
      simt::sync_warp();
    }
  }

  // How many items of the tile have digit `bin`, and turns the warps' counts into those of the warps before. Called
  // once for each bin, by one thread. A barrier is owed after it.
  static __device__ __forceinline__ std::uint32_t total(temp_storage& temp, int bin) {
    std::uint32_t sum = 0;
#pragma unroll
    for (int warp = 0; warp < num_warps; ++warp) {
      std::uint32_t const count = temp.counts[warp][bin];
      temp.counts[warp][bin] = sum;
      sum += count;
    }
    return sum;
  }

  // Fills temp.starts from the totals of the bins, of which thread t has those from t * bins_per_thread on. Called by
  // all threads; has one barrier, and owes one.
  static __device__ __forceinline__ void scan_totals(temp_storage& temp,
                                                     std::uint32_t const (&totals)[bins_per_thread]) {
    cuda::std::plus<> op;
    int const thread = static_cast<int>(simt::thread_rank());
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
      int const bin = thread * bins_per_thread + b;
      if (bin < num_bins) temp.starts[bin] = start;
      start += totals[b];
    }
  }

  // Where item i goes in the ordered tile, once starts are there.
  static __device__ __forceinline__ std::uint32_t target(temp_storage const& temp, std::uint32_t digit,
                                                         std::uint32_t rank) {
    return temp.starts[digit] + temp.counts[simt::warp()][digit] + rank;
  }

 private:
  // The lanes of this warp with a valid item of that digit.
  static __device__ __forceinline__ std::uint32_t lanes_with(std::uint32_t digit, bool is_valid) {
    std::uint32_t lanes = simt::ballot(simt::full_mask, is_valid);
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
