// The second kernel of the sample sort gathers each bucket's items, a piece of every tile, and sorts them by one
// block.
#pragma once
#include <mgpu/detail/backend/sample_sort/tuning.h>
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/block/loaded_keys.cuh>
#include <mgpu/detail/block/loaded_merge_sort.cuh>
#include <mgpu/detail/block/or_of_bits.cuh>
#include <mgpu/detail/block/radix_sort.cuh>
#include <mgpu/detail/block/reduce.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/number_range.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/find_ranks.cuh>
#include <mgpu/detail/thread/merge_path.cuh>
#include <cstdint>

namespace mgpu::detail {

// This says where the items of a bucket lie: the piece of a tile begins at firsts[tile], and offsets[tile] items come
// before it.
template <int max_tiles>
struct bucket_pieces {
  std::uint32_t firsts[max_tiles];
  std::uint32_t offsets[max_tiles + 1];
  std::uint32_t num_tiles;

  // Sets places[k] to the place of item items[k] of the bucket.
  template <int num_items>
  __device__ __forceinline__ void find_places(std::uint32_t const (&items)[num_items],
                                              std::uint32_t (&places)[num_items]) const {
    int tiles[num_items] = {};  // the last one whose piece begins at or before the item
    detail::find_ranks<std::uint32_t>(
        tiles, static_cast<int>(num_tiles) - 1, [&](int, int tile) { return offsets[tile + 1]; },
        [&](int k, int, std::uint32_t offset) { return offset <= items[k]; });
#pragma unroll
    for (int k = 0; k < num_items; ++k) places[k] = firsts[tiles[k]] + (items[k] - offsets[tiles[k]]);
  }
};

// The keys of a bucket, from one on.
template <class Key, int max_tiles>
struct bucket_keys {
  using value_type = Key;
  Key const* keys;
  bucket_pieces<max_tiles> const* pieces;
  std::uint32_t index;
  __device__ __forceinline__ friend bucket_keys operator+(bucket_keys it, std::int64_t distance) {
    it.index += static_cast<std::uint32_t>(distance);
    return it;
  }
  __device__ __forceinline__ Key operator*() const {
    std::uint32_t const items[1] = {index};
    std::uint32_t places[1];
    pieces->find_places(items, places);
    return keys[places[0]];
  }
};

// What a block sorts of a bucket: of_first items from item `first` on, and the others from item `second` on.
template <class Key, class Values, int max_tiles>
struct bucket_tile {
  Key const* keys;
  Values values;
  bucket_pieces<max_tiles> const* pieces;
  std::uint32_t first;
  std::uint32_t second;
  std::uint32_t of_first;
  int num_items;

  // Calls take(i, key, value) for each item. Called by all threads of the block.
  template <int threads, class Take>
  __device__ __forceinline__ void load(Take take) const {
    using Value = iterator_value_t<Values>;
    constexpr int batch = 2;
#pragma unroll 1
    for (int begin = static_cast<int>(simt::thread_rank()); begin < num_items; begin += batch * threads) {
      std::uint32_t items[batch], places[batch];
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        auto const i = static_cast<std::uint32_t>(smaller(begin + k * threads, num_items - 1));
        items[k] = i < of_first ? first + i : second + (i - of_first);
      }
      pieces->find_places(items, places);
      uninitialized_array<Key, batch> loaded_keys;
      uninitialized_array<Value, batch> loaded_values;
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        loaded_keys[k] = keys[places[k]];
        if constexpr (has_values<Value>) loaded_values[k] = values[places[k]];
      }
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        if (begin + k * threads < num_items) take(begin + k * threads, loaded_keys[k], loaded_values[k]);
      }
    }
  }
};

// How a block sorts what it has of a bucket: by the directed bits of the keys.
template <bool descending>
struct sample_sort_by_bits {
  template <class Key, class Value>
  static constexpr bool shows_order =
      has_values<Value> || !has_key_of_bits<Key>;  // which of two equal keys comes first

  template <class Tuning, class Key, class Value>
  struct blocks {
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
      loaded_keys_storage<sort_storage<arch>> items;
      bounds reduced[Tuning::at(arch).bucket.threads_per_block / threads_per_warp];
      bounds of_all;
      __device__ storage() {}
    };
  };

  // Sorts the items of a tile, at least one, to the outputs. Called by all threads of the block; a barrier is owed
  // before the memory is used again.
  template <class Tuning, class Key, class Values, int max_tiles, class Comp>
  static __device__ __forceinline__ void sort(
      typename blocks<Tuning, Key, iterator_value_t<Values>>::template storage<current_arch()>& shared,
      bucket_tile<Key, Values, max_tiles> const& tile, Key* keys_out, Values values_out, Comp& /*comp*/) {
    using Value = iterator_value_t<Values>;
    using Bits = ordered_bits_t<Key>;
    using of_blocks = blocks<Tuning, Key, Value>;
    using bounds = typename of_blocks::bounds;
    constexpr int threads = Tuning::at(current_arch()).bucket.threads_per_block;
    auto& loaded = shared.items.sort;
    auto const take_both = [](bounds const& a, bounds const& b) {
      return bounds{smaller(a.lowest, b.lowest), larger(a.highest, b.highest)};
    };
    bounds mine{static_cast<Bits>(~Bits{0}), 0};
    tile.template load<threads>([&](int i, Key const& key, [[maybe_unused]] Value const& value) {
      Bits const bits = detail::directed_bits<descending>(key);
      mine = take_both(mine, {bits, bits});
      loaded.keys[0][i] = key;
      if constexpr (has_values<Value>) loaded.values[0][i] = value;
    });
    mine = detail::block_reduce(mine, shared.reduced, take_both);
    if (simt::thread_rank() == 0) shared.of_all = mine;
    simt::sync_block();
    bounds const all = shared.of_all;
    number_range<Bits> const range{all.lowest, detail::width_of_bits(static_cast<Bits>(all.highest - all.lowest))};
    block_radix_sort<typename of_blocks::template sort_storage<current_arch()>, descending, Key const*, Values, Key*,
                     Values>
        sort{loaded, tile.keys, tile.values, keys_out, values_out, tile.num_items};
    if (range.width == 0) {
      sort.write(0, 0);
    } else if (!detail::block_write_loaded_keys<descending>(shared.items, tile.num_items, range, keys_out)) {
      // The highest bit in which any keys differ is one in which these do.
      sort.sort_loaded(static_cast<Bits>(all.lowest ^ all.highest), range);
    }
  }
};

// Or by comparing keys.
struct sample_sort_by_comparing {
  template <class Key, class Value>
  static constexpr bool shows_order = true;

  template <class Tuning, class Key, class Value>
  struct blocks {
    template <int arch>
    using sorter = block_loaded_merge_sort<Key, Value, Tuning::at(arch).bucket.threads_per_block,
                                           Tuning::at(arch).bucket.items_per_thread>;
    template <int arch>
    using storage = typename sorter<arch>::temp_storage;
  };

  template <class Tuning, class Key, class Values, int max_tiles, class Comp>
  static __device__ __forceinline__ void sort(
      typename blocks<Tuning, Key, iterator_value_t<Values>>::template storage<current_arch()>& shared,
      bucket_tile<Key, Values, max_tiles> const& tile, Key* keys_out, Values values_out, Comp& comp) {
    using Value = iterator_value_t<Values>;
    tile.template load<Tuning::at(current_arch()).bucket.threads_per_block>(
        [&](int i, Key const& key, [[maybe_unused]] Value const& value) {
          shared.tile.keys[i] = key;
          if constexpr (has_values<Value>) shared.values[i] = value;
        });
    simt::sync_block();
    using sorter = typename blocks<Tuning, Key, Value>::template sorter<current_arch()>;
    sorter::sort(shared, tile.num_items, comp);
    simt::sync_block();
    sorter::store_sorted(shared, tile.num_items, keys_out, values_out);
  }
};

// The memory of a block.
template <class Tuning, class Order, class Key, class Value>
struct sample_sort_bucket {
  template <int arch>
  struct storage {
    static constexpr int threads = Tuning::at(arch).bucket.threads_per_block;
    typename Order::template blocks<Tuning, Key, Value>::template storage<arch> sort;
    bucket_pieces<threads> pieces;
    std::uint64_t scanned[threads / threads_per_warp];
    std::uint32_t begin;
    std::uint32_t from_first[2];  // how many items of the first run come before the tile, and before its end
    __device__ storage() {}
  };
};

// Sorts each bucket. The grid has one block a bucket. One that is larger than the block sorts at a time is merge
// sorted, through the output and the memory where the items are. Launched early, it waits for the kernel before.
template <class Tuning, class Order, class Key, class Values, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).bucket.threads_per_block,
                                  Tuning::at(current_arch()).bucket.min_blocks_per_sm)
    sample_sort_bucket_kernel(Key* keys, Values values, Key* keys_out, Values values_out, std::uint16_t const* starts,
                              sample_sort_shares shares, Comp comp) {
  using Value = iterator_value_t<Values>;
  using blocks = sample_sort_bucket<Tuning, Order, Key, Value>;
  constexpr int threads = Tuning::at(current_arch()).bucket.threads_per_block;
  constexpr std::uint32_t max_sorted = Tuning::at(current_arch()).bucket.tile_items();
  auto& shared = simt::shared<typename blocks::template storage<current_arch()>>();
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
    pieces.num_tiles = shares.num_tiles;
    shared.begin = static_cast<std::uint32_t>((before + both) >> 32);
    pieces.offsets[threads] = static_cast<std::uint32_t>(before + both);
  }
  simt::sync_block();
  std::uint32_t const& num_items = pieces.offsets[threads];  // is read again each time, which saves registers

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
          bucket_keys<Key, threads> const of_bucket{keys, &pieces, 0};
          shared.from_first[thread] = static_cast<std::uint32_t>(
              detail::merge_path(of_bucket + first_run, static_cast<std::int64_t>(second_run - first_run),
                                 of_bucket + second_run, static_cast<std::int64_t>(run_end - second_run),
                                 static_cast<std::int64_t>(tile - first_run + (thread == 0 ? 0 : count)), comp));
        }
        simt::sync_block();
        first = first_run + shared.from_first[0];
        second = second_run + (tile - first_run - shared.from_first[0]);
        of_first = shared.from_first[1] - shared.from_first[0];  // of any number by no order, but within the bucket
      }
      bucket_tile<Key, Values, threads> const items{
          keys, values, &pieces, first, second, of_first, static_cast<int>(count)};
      Order::template sort<Tuning>(shared.sort, items, keys_out + (shared.begin + tile),
                                   values_out + (shared.begin + tile), comp);
      if (num_items > max_sorted) simt::sync_block();
    }
    run_items = run_items == 0 ? max_sorted : 2 * run_items;
    if (run_items >= num_items) return;
#pragma unroll 1
    for (std::uint32_t i = thread; i < num_items; i += threads) {
      std::uint32_t const items[1] = {i};
      std::uint32_t places[1];
      pieces.find_places(items, places);
      keys[places[0]] = keys_out[shared.begin + i];
      if constexpr (has_values<Value>) values[places[0]] = values_out[shared.begin + i];
    }
    simt::sync_block();
  }
}

}  // namespace mgpu::detail
