// The kernels of a radix sort by the most significant digits first: one counts the keys of each bucket, two partition
// them, and one sorts each bucket. Blocks do not wait for one another, so no forward progress between them is assumed.
#pragma once
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/block/offsets_from_counts.cuh>
#include <mgpu/detail/block/radix_sort.cuh>
#include <mgpu/detail/block/striped.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/grid/last_block.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Returns the `bits` bits of a key that lie below its `above` highest ones.
template <bool descending, int above, int bits, class Key>
__device__ __forceinline__ int msd_digit(Key const& key) {
  constexpr int shift = radix_traits<Key>::bits - above - bits;
  static_assert(shift >= 0, "mgpu: with_tuning: keys have fewer bits than they are to be partitioned by");
  return static_cast<int>(detail::directed_bits<descending>(key) >> shift) & ((1 << bits) - 1);
}

// The memory of a block that counts. A word of `counts` has two counters of 16 bits, of buckets that lie half of all
// buckets apart.
template <class Tuning>
struct msd_radix_histogram {
  template <int arch>
  struct storage {
    static constexpr int num_words = Tuning::at(arch).num_buckets() / 2;
    std::uint32_t counts[num_words];
    std::uint64_t warps[threads_per_warp];
    std::uint32_t num_keys;     // of this block
    std::uint32_t num_counted;  // less, if a counter overflowed
    std::uint32_t has_large_bucket;
    bool is_last;
  };
};

// Writes where bins and buckets begin, and takes the keys if no bucket is larger than a block sorts. Called by all
// threads of a block, once all keys are counted.
template <int threads, class Storage, class State>
__device__ __forceinline__ void plan_msd_radix(Storage& shared, State& state, std::int64_t num_items) {
  int const thread = static_cast<int>(simt::thread_rank());
  detail::block_offsets_from_counts<threads>(state.counts, state.starts, shared.warps);
  simt::sync_block();
  for (int i = thread; i < State::num_buckets; i += threads) {
    if (simt::load_relaxed(state.counts[i]) > static_cast<std::uint64_t>(State::tuning.bucket.tile_items())) {
      simt::or_shared(shared.has_large_bucket, 1u);
    }
    state.bucket_places[i] = state.starts[i];
  }
  // A tile of the second partition lies on the grid of all tiles; one that several bins share is visited for each.
  constexpr int buckets_per_bin = 1 << State::tuning.second_digit_bits;
  constexpr std::uint64_t tile_items = State::tuning.second.tile_items();
  std::uint64_t tiles = 0;
  if (thread < State::num_bins) {
    std::uint64_t const first = state.starts[thread * buckets_per_bin];
    std::uint64_t const end = state.start_of((thread + 1) * buckets_per_bin, num_items);
    if (end > first) tiles = (end - 1) / tile_items - first / tile_items + 1;
    state.bin_places[thread] = first;
  }
  std::uint64_t const before = detail::block_exclusive_scan(tiles, shared.warps);
  if (thread < State::num_bins) state.tiles_before[thread + 1] = before + tiles;
  if (thread == 0) state.tiles_before[0] = 0;
  simt::sync_block();
  if (thread == 0 && shared.has_large_bucket == 0 && simt::load_relaxed(state.has_large_bucket) == 0) {
    state.is_taken = 1;
  }
}

// Counts the keys of each bucket; the last block to end decides whether all buckets are small enough, and if so, writes
// where they begin. Where one is too large, blocks stop as soon as one of them sees so. The grid has any number of
// blocks, each of which has fewer than 2^32 keys.
template <class Tuning, bool descending, class Keys>
__global__ void __launch_bounds__(Tuning::at(current_arch()).histogram_threads_per_block)
    msd_radix_histogram_kernel(Keys keys, std::int64_t num_items, void* memory) {
  constexpr msd_radix_tuning tuning = Tuning::at(current_arch());
  static_assert(
      tuning.is_valid(),
      "mgpu: with_tuning: blocks have whole warps, at most 32, and a thread for each bin that they partition "
      "by; digits have 1 to 12 bits, those of both partitions at most 16; tiles have 1 to 65,536 items");
  using Key = iterator_value_t<Keys>;
  using storage = typename msd_radix_histogram<Tuning>::template storage<current_arch()>;
  using state_type = typename msd_radix_memory<Tuning>::template state<current_arch()>;
  constexpr int threads = tuning.histogram_threads_per_block;
  constexpr int keys_at_once = larger(1, smaller(16, 64 / static_cast<int>(sizeof(Key))));  // in flight
  constexpr std::int64_t step_items = threads * keys_at_once;
  constexpr std::int64_t steps_of_part = larger<std::int64_t>(1, 49152 / step_items);
  // A bucket that gets so many keys of a block's first part has far more than its share.
  constexpr std::uint32_t large_share =
      32 + static_cast<std::uint32_t>(8 * steps_of_part * step_items / tuning.num_buckets());
  constexpr std::uint32_t low_mask = 0xffff;
  auto& shared = simt::shared<storage>();
  auto& state = *static_cast<state_type*>(memory);
  int const thread = static_cast<int>(simt::thread_rank());

  for (int i = thread; i < storage::num_words; i += threads) shared.counts[i] = 0;
  if (thread == 0) shared.num_keys = shared.num_counted = shared.has_large_bucket = 0;
  simt::sync_block();

  auto const count = [&](Key const& key, std::uint32_t keys_like_it) {
    int const bucket = detail::msd_digit<descending, 0, tuning.partition_bits()>(key);
    simt::add_shared(shared.counts[bucket % storage::num_words], keys_like_it << (bucket / storage::num_words * 16));
  };
  std::uint32_t my_keys = 0;
  std::int64_t const stride = std::int64_t{simt::block_count()} * step_items;
  auto const count_part = [&](std::int64_t begin) {
    for (std::int64_t s = 0; s < steps_of_part && begin < num_items; ++s, begin += stride) {
      if (begin + step_items <= num_items) {
        uninitialized_array<Key, keys_at_once> some;
#pragma unroll
        for (int i = 0; i < keys_at_once; ++i) some[i] = *(keys + (begin + thread + i * threads));
        // A thread whose keys are all alike counts them in one step: else warps would wait for each other.
        bool are_alike = true;
#pragma unroll
        for (int i = 1; i < keys_at_once; ++i) {
          are_alike =
              are_alike && detail::directed_bits<descending>(some[i]) == detail::directed_bits<descending>(some[0]);
        }
        if (are_alike) {
          count(some[0], keys_at_once);
        } else {
#pragma unroll
          for (int i = 0; i < keys_at_once; ++i) count(some[i], 1);
        }
        my_keys += keys_at_once;
      } else {
        for (std::int64_t i = begin + thread; i < num_items; i += threads, ++my_keys) count(*(keys + i), 1);
      }
    }
  };
  std::int64_t begin = std::int64_t{simt::block_rank()} * step_items;
  count_part(begin);
  simt::sync_block();
  for (int i = thread; i < storage::num_words; i += threads) {
    std::uint32_t const two = shared.counts[i];
    if ((two & low_mask) > large_share || two >> 16 > large_share) {
      simt::store_relaxed<std::uint64_t>(state.has_large_bucket, 1);
    }
  }
  simt::sync_block();
  for (begin += steps_of_part * stride; begin < num_items; begin += steps_of_part * stride) {
    if (simt::load_relaxed(state.has_large_bucket) != 0) break;
    count_part(begin);
  }
  simt::sync_block();

  // A counter that overflowed has lost keys, and its bucket has more than a block sorts.
  std::uint32_t counted = 0;
  for (int i = thread; i < storage::num_words; i += threads) {
    counted += (shared.counts[i] & low_mask) + (shared.counts[i] >> 16);
  }
  my_keys = simt::sum_of_warp(my_keys);
  counted = simt::sum_of_warp(counted);
  if (simt::lane() == 0) {
    simt::add_shared(shared.num_keys, my_keys);
    simt::add_shared(shared.num_counted, counted);
  }
  simt::sync_block();
  if (shared.num_counted != shared.num_keys) {
    if (thread == 0) simt::store_relaxed<std::uint64_t>(state.has_large_bucket, 1);
  } else {
    for (int i = thread; i < storage::num_words; i += threads) {
      std::uint32_t const two = shared.counts[i];
      if ((two & low_mask) != 0) simt::add_relaxed<std::uint64_t>(state.counts[i], two & low_mask);
      if (two >> 16 != 0) simt::add_relaxed<std::uint64_t>(state.counts[storage::num_words + i], two >> 16);
    }
  }

  if (!detail::is_last_block(state.blocks_done, shared.is_last)) return;

  detail::plan_msd_radix<tuning.histogram_threads_per_block>(shared, state, num_items);
}

// The memory of a block that partitions.
template <class Tuning, class Key, bool is_first>
struct msd_radix_partition {
  template <int arch>
  struct storage {
    static constexpr tile_shape shape = is_first ? Tuning::at(arch).first : Tuning::at(arch).second;
    static constexpr int num_digits =
        1 << (is_first ? Tuning::at(arch).first_digit_bits : Tuning::at(arch).second_digit_bits);
    std::uint32_t places[num_digits];  // how many keys of the tile have the digit, then where the next of them goes
    std::int64_t targets[num_digits];  // where the first such key goes, less its place in the tile
    std::uint32_t warps[threads_per_warp];
    int bin;
    uninitialized_array<Key, shape.tile_items()> keys;
    __device__ storage() {}
  };
};

// Writes the keys of the input to their bins, or those of each bin to their buckets, in any order. The grid has a block
// a tile: those of the first partition cut the input, those of the second each bin.
template <class Tuning, bool is_first, bool descending, class Keys, class Key>
__global__ void __launch_bounds__(
    (is_first ? Tuning::at(current_arch()).first : Tuning::at(current_arch()).second).threads_per_block,
    (is_first ? Tuning::at(current_arch()).first : Tuning::at(current_arch()).second).min_blocks_per_sm)
    msd_radix_partition_kernel(Keys from, Key* to, std::int64_t num_items, void* memory) {
  constexpr msd_radix_tuning tuning = Tuning::at(current_arch());
  using storage = typename msd_radix_partition<Tuning, Key, is_first>::template storage<current_arch()>;
  using state_type = typename msd_radix_memory<Tuning>::template state<current_arch()>;
  constexpr int threads = storage::shape.threads_per_block;
  constexpr int items_per_thread = storage::shape.items_per_thread;
  constexpr int tile_items = storage::shape.tile_items();
  constexpr int digit_bits = is_first ? tuning.first_digit_bits : tuning.second_digit_bits;
  auto& shared = simt::shared<storage>();
  auto& state = *static_cast<state_type*>(memory);
  int const thread = static_cast<int>(simt::thread_rank());
  if (state.is_taken == 0) return;
  constexpr int bits_above = is_first ? 0 : tuning.first_digit_bits;
  auto const digit_of = [](Key const& key) { return detail::msd_digit<descending, bits_above, digit_bits>(key); };

  // The tile's keys are [begin, begin + valid).
  std::int64_t begin = std::int64_t{simt::block_rank()} * tile_items;
  std::int64_t end = smaller(begin + tile_items, num_items);
  std::uint64_t* next_places = state.bin_places;
  if constexpr (!is_first) {
    constexpr int buckets_per_bin = 1 << digit_bits;
    std::uint64_t const tile = simt::block_rank();
    if (tile >= state.tiles_before[state_type::num_bins]) return;
    for (int bin = thread; bin < state_type::num_bins; bin += threads) {
      if (state.tiles_before[bin] <= tile && tile < state.tiles_before[bin + 1]) shared.bin = bin;
    }
    simt::sync_block();
    int const bin = shared.bin;
    auto const first = static_cast<std::int64_t>(state.starts[bin * buckets_per_bin]);
    auto const last = static_cast<std::int64_t>(state.start_of((bin + 1) * buckets_per_bin, num_items));
    std::int64_t const of_grid =
        (first / tile_items + static_cast<std::int64_t>(tile - state.tiles_before[bin])) * tile_items;
    begin = larger(first, of_grid);
    end = smaller(last, of_grid + tile_items);
    next_places = state.bucket_places + bin * buckets_per_bin;
  }
  int const valid = static_cast<int>(end - begin);

  for (int digit = thread; digit < storage::num_digits; digit += threads) shared.places[digit] = 0;
  simt::sync_block();
  uninitialized_array<Key, items_per_thread> keys;
  detail::for_each_striped<threads, items_per_thread>(valid,
                                                      [&](int i, int at) { keys[i] = *(from + (begin + at)); });
  detail::for_each_striped<threads, items_per_thread>(
      valid, [&](int i, int) { simt::add_shared(shared.places[digit_of(keys[i])], 1u); });
  simt::sync_block();
  std::uint32_t const count = thread < storage::num_digits ? shared.places[thread] : 0;
  std::uint32_t const start = detail::block_exclusive_scan(count, shared.warps);
  if (thread < storage::num_digits) {
    shared.places[thread] = start;
    std::uint64_t const target = count == 0 ? 0 : simt::add_relaxed<std::uint64_t>(next_places[thread], count);
    shared.targets[thread] = static_cast<std::int64_t>(target) - start;
  }
  simt::sync_block();
  detail::for_each_striped<threads, items_per_thread>(valid, [&](int i, int) {
    shared.keys[static_cast<int>(simt::add_shared(shared.places[digit_of(keys[i])], 1u))] = keys[i];
  });
  simt::sync_block();
  detail::for_each_striped<threads, items_per_thread>(valid, [&](int, int at) {
    Key const key = shared.keys[at];
    to[shared.targets[digit_of(key)] + at] = key;
  });
}

// The memory of a block that sorts a bucket.
template <class Tuning, class Key>
struct msd_radix_bucket {
  template <int arch>
  using storage = block_radix_storage<Key, no_value, Tuning::at(arch).bucket.threads_per_block,
                                      Tuning::at(arch).bucket.items_per_thread, Tuning::at(arch).max_digit_bits>;
};

// Sorts each bucket in place. The grid has a block a bucket.
template <class Tuning, bool descending, class Key>
__global__ void __launch_bounds__(Tuning::at(current_arch()).bucket.threads_per_block,
                                  Tuning::at(current_arch()).bucket.min_blocks_per_sm)
    msd_radix_bucket_kernel(Key* keys, std::int64_t num_items, void const* memory) {
  using storage = typename msd_radix_bucket<Tuning, Key>::template storage<current_arch()>;
  using state_type = typename msd_radix_memory<Tuning>::template state<current_arch()>;
  auto const& state = *static_cast<state_type const*>(memory);
  int const bucket = static_cast<int>(simt::block_rank());
  if (state.is_taken == 0) return;
  auto const begin = static_cast<std::int64_t>(state.starts[bucket]);
  auto const end = static_cast<std::int64_t>(state.start_of(bucket + 1, num_items));
  if (end - begin < 2) return;
  no_values const none{};
  block_radix_sort<storage, descending, Key*, no_values, Key*, no_values, true>{
      simt::shared<storage>(), keys + begin, none, keys + begin, none, static_cast<int>(end - begin)}
      .run();
}

}  // namespace mgpu::detail
