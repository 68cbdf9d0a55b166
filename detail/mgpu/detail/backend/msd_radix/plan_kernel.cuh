// These kernels of a radix sort by the most significant digits count the keys of each bucket, and say where buckets
// begin, and whether all are small enough. Blocks do not wait for one another.
#pragma once
#include <mgpu/detail/backend/msd_radix/bucket_of_key.cuh>
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/block/or_of_bits.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/bare_key.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/grid/last_block.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The memory of a block that plans.
template <class Tuning>
struct msd_radix_planner {
  template <int arch>
  struct storage {
    std::uint32_t warps[Tuning::at(arch).histogram_threads_per_block / threads_per_warp];
    std::uint32_t before;
    bool is_last;
  };
};

// The memory of a block that counts. A word of `counts` has two counters of 16 bits, of buckets that lie half of all
// buckets apart.
template <class Tuning>
struct msd_radix_histogram {
  template <int arch>
  struct storage {
    typename msd_radix_planner<Tuning>::template storage<arch> plan;
    std::uint32_t num_keys;     // of this block
    std::uint32_t num_counted;  // less, if a counter overflowed
    std::uint32_t counts[(1 << Tuning::at(arch).max_bucket_bits()) / 2];
    typename msd_radix_finder<Tuning>::template storage<arch> finder;
  };
};

// How many keys a bucket has, and how many are in lower buckets.
struct counted_bucket {
  std::uint32_t count;
  std::uint32_t start;
};
// Returns these of the bucket `first` and the ones behind it, one for each thread. Called by all threads of a block.
template <int threads, class Shared>
__device__ __forceinline__ counted_bucket count_to_bucket(Shared& shared, int first, int num_buckets,
                                                          std::uint32_t* counts) {
  int const thread = static_cast<int>(simt::thread_rank());
  int const bucket = first + thread;
  if (thread == 0) shared.before = 0;
  simt::sync_block();
  std::uint32_t before = 0;
#pragma unroll 8
  for (int i = thread; i < first; i += threads) before += simt::load_relaxed(counts[i]);
  before = simt::sum_of_warp(before);
  if (simt::lane() == 0) simt::add_shared(shared.before, before);
  std::uint32_t const count = bucket < num_buckets ? simt::load_relaxed(counts[bucket]) : 0;
  std::uint32_t const in_block = detail::block_exclusive_scan(count, shared.warps);
  return {count, shared.before + in_block};
}

// Writes where the buckets from `first` on begin, one for each thread. Called by all threads of a block.
template <class Tuning, class Shared, class Bits>
__device__ __forceinline__ void open_buckets(Shared& shared, int first, std::int64_t num_items,
                                             msd_radix_digits const& digits, msd_radix_state<Bits> const& state) {
  constexpr msd_radix_tuning tuning = Tuning::at(current_arch());
  int const bucket = first + static_cast<int>(simt::thread_rank());
  auto const [count, start] =
      detail::count_to_bucket<tuning.histogram_threads_per_block>(shared, first, digits.num_buckets(), state.counts);
  auto const tile_items = static_cast<std::uint32_t>(tuning.bucket_shape(digits.has_doubled_buckets).tile_items());
  if (bucket < digits.num_buckets()) {
    state.starts[bucket] = start;
    state.bucket_places[bucket] = start;
    if (bucket % digits.buckets_per_bin() == 0) state.bin_places[bucket / digits.buckets_per_bin()] = start;
    if (count > static_cast<std::uint32_t>(tuning.max_bucket_items())) {
      simt::store_relaxed<std::uint32_t>(state.found->has_large_bucket, 1);
    } else if (count > tile_items) {
      state.uneven[simt::add_relaxed<std::uint32_t>(state.found->num_uneven, 1)] = static_cast<std::uint32_t>(bucket);
    }
  }
  if (bucket == 0) state.starts[digits.num_buckets()] = static_cast<std::uint32_t>(num_items);
  if constexpr (tuning.has_quantiles()) {
    if (state.found->num_cells == 0) return;
    int const quantile_bits = detail::quantile_bits(digits);
    quantile_of<quantile_table(tuning).segment_bits> const quantile(state.segments, state.cells, quantile_bits);
    if (bucket < digits.num_buckets()) {
      std::uint32_t const first = static_cast<std::uint32_t>(bucket) << (quantile_bits - digits.bits());
      state.lowest_of_bucket[bucket] =
          state.found->lowest +
          detail::bits_of_highest<Bits>(detail::lowest_key(quantile, first), state.found->width);
    }
    if (bucket == 0) state.lowest_of_bucket[digits.num_buckets()] = state.found->highest;
  }
}

// Takes the keys if no bucket is larger than a block sorts, and few are larger than a tile, and writes how many tiles the
// second partition has, once all buckets are open. Called by all threads of a block.
template <class Tuning, class Shared, class Bits>
__device__ __forceinline__ void take_keys(Shared& shared, msd_radix_digits const& digits,
                                          msd_radix_state<Bits> const& state) {
  int const thread = static_cast<int>(simt::thread_rank());
  // A tile of the second partition lies on the grid of all tiles; one that several bins share is visited for each.
  constexpr auto tile_items = static_cast<std::uint32_t>(Tuning::at(current_arch()).second.tile_items());
  std::uint32_t tiles = 0;
  if (thread < digits.num_bins()) {
    std::uint32_t const begin = state.starts[thread * digits.buckets_per_bin()];
    std::uint32_t const end = state.starts[(thread + 1) * digits.buckets_per_bin()];
    if (end > begin) tiles = (end - 1) / tile_items - begin / tile_items + 1;
  }
  std::uint32_t const tiles_before = detail::block_exclusive_scan(tiles, shared.warps);
  if (thread < digits.num_bins()) state.tiles_before[thread + 1] = tiles_before + tiles;
  if (thread == 0) {
    state.tiles_before[0] = 0;
    // Two zeros that are equal, and can be told apart, keep their order in the other way alone.
    bool const has_both_zeros = simt::load_relaxed(state.found->has_positive_zero) != 0 &&
                                simt::load_relaxed(state.found->has_negative_zero) != 0;
    bool const has_few_uneven =
        simt::load_relaxed(state.found->num_uneven) <= static_cast<std::uint32_t>(digits.num_buckets()) / 16;
    state.found->is_taken =
        simt::load_relaxed(state.found->has_large_bucket) == 0 && has_few_uneven && !has_both_zeros;
  }
}

// Counts the keys of each bucket; where a block has a thread for each bucket, the last block plans too. The grid has
// any number of blocks, each of which has fewer than 2^32 keys. With counts_digits a bucket is what the bits of its keys
// say, so that keys other than those between the lowest and the highest are left to the other way; and it never plans.
template <class Tuning, bool descending, class Keys, bool counts_digits = false>
__global__ void __launch_bounds__(Tuning::at(current_arch()).histogram_threads_per_block)
    msd_radix_histogram_kernel(Keys keys, std::int64_t num_items, msd_radix_digits digits,
                               msd_radix_state<ordered_bits_t<iterator_value_t<Keys>>> state) {
  constexpr msd_radix_tuning tuning = Tuning::at(current_arch());
  using Key = iterator_value_t<Keys>;
  constexpr int threads = tuning.histogram_threads_per_block;
  constexpr int keys_at_once = larger(1, smaller(16, 64 / static_cast<int>(sizeof(Key))));  // in flight
  constexpr std::int64_t step_items = threads * keys_at_once;
  constexpr std::uint32_t low_mask = 0xffff;
  constexpr bool checks_range = counts_digits || tuning.has_quantiles();
  auto& shared = simt::shared<typename msd_radix_histogram<Tuning>::template storage<current_arch()>>();
  int const thread = static_cast<int>(simt::thread_rank());
  int const half = digits.num_buckets() / 2;
  for (int i = thread; i < half; i += threads) shared.counts[i] = 0;
  if (thread == 0) shared.num_keys = shared.num_counted = 0;
  simt::wait_for_primary();
  // It is read before the kernels that are skipped can start, as none of these waits for this one.
  bool const is_promising = state.found->is_promising != 0;
  simt::launch_dependents();
  if (!is_promising) return;
  simt::sync_block();

  std::uint32_t zeros = 0;
  ordered_bits_t<Key> const lowest = state.found->lowest;
  int const shift = state.found->width - digits.bits();
  ordered_bits_t<Key> differing = 0;
  auto const find = [&](Key const& key, auto const& bucket_of) {
    auto const bits = detail::directed_bits<descending>(key);
    if constexpr (checks_range) differing |= bits ^ lowest;
    if constexpr (counts_digits) {
      return static_cast<std::uint32_t>(bits >> shift) & static_cast<std::uint32_t>(digits.num_buckets() - 1);
    } else {
      zeros |= detail::kind_of_zero(key);
      return bucket_of(bits);
    }
  };
  auto const count = [&](std::uint32_t bucket) {
    simt::add_shared(shared.counts[bucket & (half - 1)], bucket < static_cast<std::uint32_t>(half) ? 1u : 1u << 16);
  };
  std::uint32_t my_keys = 0;
  std::int64_t const stride = std::int64_t{simt::block_count()} * step_items;
  detail::find_buckets<Tuning>(shared.finder, state, digits, 0, [&](auto const& bucket_of) {
    for (std::int64_t begin = std::int64_t{simt::block_rank()} * step_items; begin < num_items; begin += stride) {
      if (begin + step_items <= num_items) {
        uninitialized_array<Key, keys_at_once> some;
#pragma unroll
        for (int i = 0; i < keys_at_once; ++i) some[i] = *(keys + (begin + thread + i * threads));
        std::uint32_t buckets[keys_at_once];
#pragma unroll
        for (int i = 0; i < keys_at_once; ++i) buckets[i] = find(some[i], bucket_of);
#pragma unroll
        for (int i = 0; i < keys_at_once; ++i) count(buckets[i]);
        my_keys += keys_at_once;
      } else {
        for (std::int64_t i = begin + thread; i < num_items; i += threads, ++my_keys)
          count(find(*(keys + i), bucket_of));
      }
    }
  });
  simt::sync_block();

  // A counter that overflowed has lost keys; so large a bucket is left to the other way.
  std::uint32_t counted = 0;
  for (int i = thread; i < half; i += threads) counted += (shared.counts[i] & low_mask) + (shared.counts[i] >> 16);
  bool const has_range = counts_digits || state.found->num_cells != 0;
  if (checks_range && has_range && detail::width_of_bits(differing) > state.found->width) {
    simt::store_relaxed<std::uint32_t>(state.found->has_large_bucket, 1);
  }
  if (zeros & 1) simt::store_relaxed<std::uint32_t>(state.found->has_positive_zero, 1);
  if (zeros & 2) simt::store_relaxed<std::uint32_t>(state.found->has_negative_zero, 1);
  my_keys = simt::sum_of_warp(my_keys);
  counted = simt::sum_of_warp(counted);
  if (simt::lane() == 0) {
    simt::add_shared(shared.num_keys, my_keys);
    simt::add_shared(shared.num_counted, counted);
  }
  simt::sync_block();
  if (shared.num_counted == shared.num_keys) {
    for (int i = thread; i < half; i += threads) {
      std::uint32_t const two = shared.counts[i];
      if ((two & low_mask) != 0) simt::add_relaxed<std::uint32_t>(state.counts[i], two & low_mask);
      if (two >> 16 != 0) simt::add_relaxed<std::uint32_t>(state.counts[half + i], two >> 16);
    }
  } else if (thread == 0) {
    simt::store_relaxed<std::uint32_t>(state.found->has_large_bucket, 1);
  }
  if constexpr (!counts_digits) {
    if (digits.num_buckets() > threads) return;
    if (!detail::is_last_block(state.found->blocks_done, shared.plan.is_last)) return;
    detail::open_buckets<Tuning>(shared.plan, 0, num_items, digits, state);
    simt::sync_block();
    detail::take_keys<Tuning>(shared.plan, digits, state);
  }
}

// Plans by as many threads as there are buckets.
template <class Tuning, class Bits>
__global__ void __launch_bounds__(Tuning::at(current_arch()).histogram_threads_per_block)
    msd_radix_plan_kernel(std::int64_t num_items, msd_radix_digits digits, msd_radix_state<Bits> state) {
  constexpr int threads = Tuning::at(current_arch()).histogram_threads_per_block;
  if (state.found->is_promising == 0) return simt::skip_launch();
  simt::wait_for_primary();
  simt::launch_dependents();
  auto& shared = simt::shared<typename msd_radix_planner<Tuning>::template storage<current_arch()>>();
  detail::open_buckets<Tuning>(shared, static_cast<int>(simt::block_rank()) * threads, num_items, digits, state);
  if (!detail::is_last_block(state.found->blocks_done, shared.is_last)) return;
  detail::take_keys<Tuning>(shared, digits, state);
}

}  // namespace mgpu::detail
