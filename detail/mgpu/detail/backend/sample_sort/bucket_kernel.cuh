// The second kernel of the sample sort gathers each bucket's items, a piece of every tile, and sorts them by one block.
#pragma once
#include <mgpu/detail/backend/sample_sort/tuning.h>
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/block/loaded_keys.cuh>
#include <mgpu/detail/block/or_of_bits.cuh>
#include <mgpu/detail/block/radix_sort.cuh>
#include <mgpu/detail/block/reduce.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/number_range.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/merge_path.cuh>
#include <cstdint>

namespace mgpu::detail {

// This says where the items of a bucket lie: the piece of a tile begins at firsts[tile], and offsets[tile] items come
// before it.
template <int max_tiles>
struct bucket_pieces {
  std::uint32_t firsts[max_tiles];
  std::uint32_t offsets[max_tiles + 1];

  // Returns the place of item i of the bucket.
  __device__ __forceinline__ std::uint32_t place(std::uint32_t i, std::uint32_t num_tiles) const {
    std::uint32_t low = 0, high = num_tiles - 1;  // the piece is the last one that begins at or before i
#pragma unroll 1
    while (low < high) {
      std::uint32_t const middle = (low + high + 1) / 2;
      if (offsets[middle] <= i) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return firsts[low] + (i - offsets[low]);
  }
};

// The keys of a bucket, from one on.
template <class Key, int max_tiles>
struct bucket_keys {
  using value_type = Key;
  Key const* keys;
  bucket_pieces<max_tiles> const* pieces;
  std::uint32_t num_tiles;
  std::uint32_t index;
  __device__ __forceinline__ friend bucket_keys operator+(bucket_keys it, std::int64_t distance) {
    it.index += static_cast<std::uint32_t>(distance);
    return it;
  }
  __device__ __forceinline__ Key operator*() const { return keys[pieces->place(index, num_tiles)]; }
};

// The memory of a block.
template <class Tuning, class Key, class Value>
struct sample_sort_bucket {
  static constexpr int digit_bits = 8;
  template <int arch>
  using sort_storage = block_radix_storage<Key, Value, Tuning::at(arch).bucket.threads_per_block,
                                           Tuning::at(arch).bucket.items_per_thread, digit_bits>;
  struct bounds {
    ordered_bits_t<Key> lowest;
    ordered_bits_t<Key> highest;
  };
  template <int arch>
  struct storage {
    static constexpr int threads = Tuning::at(arch).bucket.threads_per_block;
    loaded_keys_storage<sort_storage<arch>> items;
    bucket_pieces<threads> pieces;
    std::uint64_t scanned[threads / threads_per_warp];
    bounds reduced[threads / threads_per_warp];
    bounds of_all;
    std::uint32_t begin;
    std::uint32_t from_first[2];  // how many items of the first run come before the tile, and before its end
    __device__ storage() {}
  };
};

// Sorts each bucket by the directed bits of its keys. The grid has one block a bucket. One that is larger than the block
// sorts at a time is merge sorted, through the output and the memory where the items are. Launched early, it waits for the
// kernel before.
template <class Tuning, bool descending, class Key, class Values, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).bucket.threads_per_block,
                                  Tuning::at(current_arch()).bucket.min_blocks_per_sm)
    sample_sort_bucket_kernel(Key* keys, Values values, Key* keys_out, Values values_out, std::uint16_t const* starts,
                              sample_sort_shares shares, Comp comp) {
  using Value = iterator_value_t<Values>;
  using Bits = ordered_bits_t<Key>;
  using blocks = sample_sort_bucket<Tuning, Key, Value>;
  using bounds = typename blocks::bounds;
  constexpr int threads = Tuning::at(current_arch()).bucket.threads_per_block;
  constexpr std::uint32_t max_sorted = Tuning::at(current_arch()).bucket.tile_items();
  auto& shared = simt::shared<typename blocks::template storage<current_arch()>>();
  auto& loaded = shared.items.sort;
  auto& pieces = shared.pieces;
  simt::wait_for_primary();
  std::uint32_t const thread = simt::thread_rank();
  std::uint32_t const bucket = simt::block_rank();

  // The items that come before this bucket in any tile are those that come before it in the output.
  std::uint32_t start = 0, end = 0;
  if (thread < shares.num_tiles) {
    std::uint16_t const* const of_tile = starts + bucket * shares.num_tiles + thread;
    start = *of_tile;
    end = bucket + 1 < shares.num_buckets ? of_tile[shares.num_tiles]
                                          : smaller(shares.tile_items, shares.num_items - thread * shares.tile_items);
  }
  std::uint64_t const both = std::uint64_t{start} << 32 | (end - start);
  std::uint64_t const before = detail::block_exclusive_scan(both, shared.scanned);
  pieces.firsts[thread] = thread * shares.tile_items + start;
  pieces.offsets[thread] = static_cast<std::uint32_t>(before);
  if (thread == threads - 1) {
    shared.begin = static_cast<std::uint32_t>((before + both) >> 32);
    pieces.offsets[threads] = static_cast<std::uint32_t>(before + both);
  }
  simt::sync_block();
  std::uint32_t const& num_items = pieces.offsets[threads];  // is read again each time, which saves registers

  auto const take_both = [](bounds const& a, bounds const& b) {
    return bounds{smaller(a.lowest, b.lowest), larger(a.highest, b.highest)};
  };
  // At first tiles are sorted; then runs of so many items, which are whole tiles, are merged two by two.
  std::uint32_t run_items = 0;
#pragma unroll 1
  for (;;) {
#pragma unroll 1
    for (std::uint32_t tile = 0; tile < num_items; tile += max_sorted) {
      std::uint32_t const count = smaller(num_items - tile, max_sorted);
      // The tile takes of_first items of the one run, and the others of the other run.
      std::uint32_t first = tile, second = 0, of_first = count;
      if (run_items > 0) {
        std::uint32_t const first_run = tile - tile % (2 * run_items);
        std::uint32_t const second_run = smaller(first_run + run_items, num_items);
        std::uint32_t const run_end = smaller(second_run + run_items, num_items);
        if (thread < 2) {
          bucket_keys<Key, threads> const of_bucket{keys, &pieces, shares.num_tiles, 0};
          shared.from_first[thread] = static_cast<std::uint32_t>(
              detail::merge_path(of_bucket + first_run, static_cast<std::int64_t>(second_run - first_run),
                                 of_bucket + second_run, static_cast<std::int64_t>(run_end - second_run),
                                 static_cast<std::int64_t>(tile - first_run + (thread == 0 ? 0 : count)), comp));
        }
        simt::sync_block();
        first = first_run + shared.from_first[0];
        second = second_run + (tile - first_run - shared.from_first[0]);
        of_first = shared.from_first[1] - shared.from_first[0];
      }
      bounds mine{static_cast<Bits>(~Bits{0}), 0};
#pragma unroll 2
      for (std::uint32_t i = thread; i < count; i += threads) {
        std::uint32_t const place =
            pieces.place(i < of_first ? first + i : second + (i - of_first), shares.num_tiles);
        Key const key = keys[place];
        Bits const bits = detail::directed_bits<descending>(key);
        mine = take_both(mine, {bits, bits});
        loaded.keys[0][i] = key;
        if constexpr (has_values<Value>) loaded.values[0][i] = values[place];
      }
      mine = detail::block_reduce(mine, shared.reduced, take_both);
      if (thread == 0) shared.of_all = mine;
      simt::sync_block();
      bounds const all = shared.of_all;
      number_range<Bits> const range{all.lowest, detail::width_of_bits(static_cast<Bits>(all.highest - all.lowest))};
      block_radix_sort<typename blocks::template sort_storage<current_arch()>, descending, Key const*, Values, Key*,
                       Values>
          sort{loaded,
               keys,
               values,
               keys_out + (shared.begin + tile),
               values_out + (shared.begin + tile),
               static_cast<int>(count)};
      if (range.width == 0) {
        sort.write(0, 0);
      } else if (!detail::block_write_loaded_keys<descending>(shared.items, sort.num_items, range, sort.keys_out)) {
        // The highest bit in which any keys differ is one in which these do.
        sort.sort_loaded(static_cast<Bits>(all.lowest ^ all.highest), range);
      }
      if (num_items > max_sorted) simt::sync_block();
    }
    run_items = run_items == 0 ? max_sorted : 2 * run_items;
    if (run_items >= num_items) return;
#pragma unroll 1
    for (std::uint32_t i = thread; i < num_items; i += threads) {
      std::uint32_t const place = pieces.place(i, shares.num_tiles);
      keys[place] = keys_out[shared.begin + i];
      if constexpr (has_values<Value>) values[place] = values_out[shared.begin + i];
    }
    simt::sync_block();
  }
}

}  // namespace mgpu::detail
