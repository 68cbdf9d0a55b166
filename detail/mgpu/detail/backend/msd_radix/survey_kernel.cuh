// The first kernel of a radix sort by the most significant digits looks at some keys: for the bits that tell keys
// apart, and whether their buckets can be small.
#pragma once
#include <mgpu/detail/backend/msd_radix/quantiles.cuh>
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/block/key_segments.cuh>
#include <mgpu/detail/block/or_of_bits.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/shuffle.cuh>
#include <cstdint>

namespace mgpu::detail {

// How a survey looks at keys: at rows of 32 that lie side by side, spread over the input.
struct msd_radix_survey {
  static constexpr int rows_per_warp = 8;
  static constexpr int max_group_bits = 8;  // keys are counted by so many of their highest bits

  int group_bits;
  std::uint32_t max_group_keys;  // more keys of a group than this, and one of its buckets is most likely too large
  std::uint32_t max_alike;       // more keys that were seen before, and most likely each comes many times
};

// The memory of a block that looks at keys.
template <class Tuning, class Bits>
struct msd_radix_surveyor {
  template <int arch>
  struct storage {
    std::uint32_t counts[1 << msd_radix_survey::max_group_bits];
    Bits differing[Tuning::at(arch).histogram_threads_per_block / threads_per_warp];
    std::uint32_t rows_alike;
    std::uint32_t has_large_group;
    std::uint32_t num_alike;
    // Each word is zero, or what is left of a key that fell to it, or the sum of several.
    static constexpr int num_seen = Tuning::at(arch).refuses_alike ? 1 << (has_large_blocks(arch) ? 14 : 13) : 1;
    std::uint32_t seen[num_seen];
    key_segments_storage<Tuning::at(arch).histogram_threads_per_block,
                         Tuning::at(arch).has_quantiles() ? quantile_table(Tuning::at(arch)).segment_bits : 0>
        segments;
  };
};

namespace impl {

// Returns whether keys differ in so many bytes that the sort by the least significant digit first, which takes a pass for
// each, is slower.
template <class Bits>
__device__ __forceinline__ bool is_worth_buckets(Bits differing) {
  constexpr int num_bytes = static_cast<int>(sizeof(Bits));
  constexpr int few_bytes = num_bytes < 4 ? 0 : 1 + num_bytes / 4;
  int differing_bytes = 0;
#pragma unroll
  for (int b = 0; b < num_bytes; ++b) {
    if ((static_cast<std::uint32_t>(differing >> (8 * b)) & 0xff) != 0) ++differing_bytes;
  }
  return differing_bytes > few_bytes;
}

// Returns whether a bucket's keys, which differ in bits below `width`, can be put into small bins by the bin_bits
// highest of them, or into bins of equal keys: bits that all keys share do not tell them apart.
template <class Bits>
__device__ __forceinline__ bool fills_bins(Bits differing, int width, int bin_bits, std::int64_t keys_of_bucket) {
  constexpr std::int64_t few_keys = 16;
  int const lowest = larger(0, width - bin_bits);
  for (int bit = width - 1; bit >= lowest; --bit) keys_of_bucket >>= static_cast<int>(differing >> bit & 1);
  return keys_of_bucket <= few_keys || static_cast<Bits>(differing & static_cast<Bits>((Bits{1} << lowest) - 1)) == 0;
}

// Returns how many keys of this thread had been seen before in this block, or fewer. Called once.
template <class Shared, class Bits, int num_rows>
__device__ __forceinline__ std::uint32_t count_alike(Shared& shared, Bits const (&rows)[num_rows]) {
  std::uint32_t num_alike = 0;
#pragma unroll 1
  for (Bits const bits : rows) {
    std::uint64_t const mixed =
        (static_cast<std::uint64_t>(bits) ^ static_cast<std::uint64_t>(bits) >> 29) * 0x9E3779B97F4A7C15u;
    auto const left = static_cast<std::uint32_t>(mixed >> 14) | 1u;
    std::uint32_t& seen = shared.seen[static_cast<std::uint32_t>(mixed >> 48) % Shared::num_seen];
    if (simt::add_shared(seen, left) == left) ++num_alike;
  }
  return num_alike;
}

// Lays out the table of quantiles by what this block looked at, with all cells zero. Called by all threads of the block.
template <class Tuning, class Shared, class Bits, int num_rows>
__device__ __forceinline__ void lay_out_cells(Shared& shared, Bits const (&rows)[num_rows],
                                              msd_radix_state<Bits> const& state, int width) {
  constexpr msd_radix_tuning tuning = Tuning::at(current_arch());
  constexpr quantile_table table(tuning);
  constexpr int threads = tuning.histogram_threads_per_block;
  int const thread = static_cast<int>(simt::thread_rank());
  for (int i = thread; i < table.num_segments; i += threads) shared.counts[i] = 0;
  for (int i = thread; i < table.max_cells; i += threads) state.cells[i] = 0;
  simt::sync_block();
#pragma unroll
  for (Bits const bits : rows) {
    simt::add_shared(shared.counts[detail::highest_bits(bits, width) >> (32 - table.segment_bits)], 1u);
  }
  simt::sync_block();
  // A segment of wide floats has several octaves.
  constexpr int max_divisor = sizeof(Bits) > 4 ? 16 : 256;
  std::uint32_t const num_cells =
      detail::block_cut_segments(shared, threads * num_rows, table.max_cells, max_divisor, state.segments);
  if (thread == 0) state.found->num_cells = num_cells;
}

}  // namespace impl

// Sets the counts to zero, by all blocks; the first one looks at some keys for the bits that tell keys apart, and
// whether all buckets can be small.
template <class Tuning, bool descending, class Keys>
__global__ void __launch_bounds__(Tuning::at(current_arch()).histogram_threads_per_block)
    msd_radix_survey_kernel(Keys keys, std::int64_t num_items, msd_radix_digits digits, msd_radix_survey survey,
                            msd_radix_state<ordered_bits_t<iterator_value_t<Keys>>> state) {
  constexpr msd_radix_tuning tuning = Tuning::at(current_arch());
  static_assert(
      tuning.is_valid(),
      "mgpu: with_tuning: blocks have whole warps, at most 32; digits have 1 to 12 bits, bins 1 to 16; tiles have "
      "1 to 65,536 items, those of buckets an even number for each thread; buckets have at most 1 to 4 tiles, and "
      "are filled to 1 to 64 parts of 64; doubled ones have at least 2 tiles, and keep these limits with twice the "
      "threads and one more bit of bins; a histogram's block has a thread for each bin; cells are at most 65,536");
  using Key = iterator_value_t<Keys>;
  using Bits = ordered_bits_t<Key>;
  constexpr int threads = tuning.histogram_threads_per_block;
  constexpr int num_warps = threads / threads_per_warp;
  constexpr int num_rows = num_warps * msd_radix_survey::rows_per_warp;
  auto& shared = simt::shared<typename msd_radix_surveyor<Tuning, Bits>::template storage<current_arch()>>();
  simt::launch_dependents();
  int const thread = static_cast<int>(simt::thread_rank());
  int const stride = static_cast<int>(simt::block_count()) * threads;
  for (int i = static_cast<int>(simt::block_rank()) * threads + thread; i < digits.num_buckets(); i += stride) {
    state.counts[i] = 0;
  }
  if (simt::block_rank() != 0) return;

  for (int i = thread; i < 1 << msd_radix_survey::max_group_bits; i += threads) shared.counts[i] = 0;
  if (thread == 0) shared.rows_alike = shared.has_large_group = shared.num_alike = 0;
  if constexpr (tuning.refuses_alike) {
    for (int i = thread; i < shared.num_seen; i += threads) shared.seen[i] = 0;
  }
  Bits const any = detail::directed_bits<descending>(static_cast<Key>(*keys));
  Bits bits[msd_radix_survey::rows_per_warp];
  Bits differing = 0;
#pragma unroll
  for (int r = 0; r < msd_radix_survey::rows_per_warp; ++r) {
    std::int64_t const begin = num_items * (r * num_warps + static_cast<int>(simt::warp())) / num_rows;
    std::int64_t const at = smaller(begin + static_cast<int>(simt::lane()), num_items - 1);
    bits[r] = detail::directed_bits<descending>(static_cast<Key>(*(keys + at)));
  }
#pragma unroll
  for (Bits const of_row : bits) differing |= of_row ^ any;
  differing = detail::block_or_of_bits(differing, shared.differing);
  int const width = detail::width_of_bits(differing);
  Bits const below = detail::bits_below<Bits>(width);
  Bits const lowest = any & static_cast<Bits>(~below);

  int const shift = larger(0, width - survey.group_bits);
  std::uint32_t rows_alike = 0;
#pragma unroll
  for (Bits const of_row : bits) {
    auto const group = static_cast<std::uint32_t>(static_cast<Bits>(of_row - lowest) >> shift);
    simt::add_shared(shared.counts[group], 1u);
    std::uint32_t const changes = simt::ballot(simt::full_mask, group != detail::shuffle_up(group, 1));
    if (simt::population_count(changes) <= 4) ++rows_alike;
  }
  if (simt::lane() == 0) simt::add_shared(shared.rows_alike, rows_alike);
  if constexpr (tuning.refuses_alike) {
    std::uint32_t const num_alike = simt::sum_of_warp(impl::count_alike(shared, bits));
    if (simt::lane() == 0) simt::add_shared(shared.num_alike, num_alike);
  }
  simt::sync_block();
  for (int i = thread; i < 1 << survey.group_bits; i += threads) {
    if (shared.counts[i] > survey.max_group_keys) simt::or_shared(shared.has_large_group, 1u);
  }
  simt::sync_block();
  // The sort that keeps the order of neighbours is faster where these are alike.
  bool const is_promising =
      width >= digits.bits() && shared.rows_alike <= num_rows / 8 && shared.num_alike <= survey.max_alike &&
      impl::is_worth_buckets(differing) &&
      impl::fills_bins(differing, width - digits.bits(), tuning.bucket_bin_bits(digits.has_doubled_buckets),
                       num_items >> digits.bits());
  bool const is_even = shared.has_large_group == 0;
  if (thread == 0) {
    msd_radix_findings<Bits> found{};
    found.is_promising = is_promising && (is_even || tuning.has_quantiles());
    found.lowest = lowest;
    found.highest = static_cast<Bits>(lowest | below);
    found.width = width;
    *state.found = found;
  }
  if constexpr (tuning.has_quantiles()) {
    if (!is_promising || is_even) return;
    // A key that none of those looked at comes near leaves all to the other way.
    constexpr int bits_more = 4;
    constexpr int all_bits = 8 * static_cast<int>(sizeof(Bits));
    int const wider = smaller(all_bits, larger(width + bits_more, all_bits > 32 ? 32 : 1));
    Bits const below_wider = detail::bits_below<Bits>(wider);
    Bits const lowest_of_all = any & static_cast<Bits>(~below_wider);
    simt::sync_block();
    if (thread == 0) {
      state.found->lowest = lowest_of_all;
      state.found->highest = lowest_of_all | below_wider;
      state.found->width = wider;
    }
    impl::lay_out_cells<Tuning>(shared.segments, bits, state, wider);
  }
}

}  // namespace mgpu::detail
