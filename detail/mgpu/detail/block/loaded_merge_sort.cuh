// One block sorts, by comparing, items that lie in shared memory, and stores them.
#pragma once
#include <mgpu/detail/block/merge_sort.cuh>
#include <mgpu/detail/block/merge_tile.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/simt.cuh>

namespace mgpu::detail {

template <class Key, class Value, int threads_per_block, int items_per_thread>
struct block_loaded_merge_sort {
  using index = value_index_t<Value>;
  using sorter = block_merge_sort<Key, index, threads_per_block, items_per_thread>;
  static constexpr int tile_items = threads_per_block * items_per_thread;

  // The items to be sorted are tile.keys and values.
  struct temp_storage {
    typename sorter::temp_storage tile;
    uninitialized_array<Value, has_values<Value> ? tile_items : 1> values;
    __device__ temp_storage() {}
  };

  // Sorts `count` items, stable: their values stay where they are. Called by all threads of the block, once the items
  // are seen by all; a barrier is owed after it.
  template <class Comp>
  static __device__ __forceinline__ void sort(temp_storage& temp, int count, Comp& comp) {
    uninitialized_array<Key, items_per_thread> mine;
    uninitialized_array<index, items_per_thread> indices;
    int const first = static_cast<int>(simt::thread_rank()) * items_per_thread;
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (first + i < count) mine[i] = temp.tile.keys[first + i];
      indices[i] = index(first + i);
    }
    sorter::sort(temp.tile, mine.items, indices.items, count, comp);
    simt::sync_block();
    detail::store_from(first, mine.items, temp.tile.keys + 0, count);
    detail::store_from(first, indices.items, temp.tile.sources + 0);
  }

  // Stores the items that were sorted; a barrier is owed before the memory is used again.
  template <class Values>
  static __device__ __forceinline__ void store_sorted(temp_storage const& temp, int count, Key* keys_out,
                                                      Values values_out) {
    store(temp, count, keys_out, values_out, [&](int i) { return static_cast<int>(temp.tile.source(i)); });
  }
  // Stores items likewise, with key i the value source_of(i).
  template <class Values, class SourceOf>
  static __device__ __forceinline__ void store(temp_storage const& temp, int count, Key* keys_out, Values values_out,
                                               [[maybe_unused]] SourceOf source_of) {
#pragma unroll 4
    for (int i = static_cast<int>(simt::thread_rank()); i < count; i += threads_per_block) {
      keys_out[i] = temp.tile.keys[i];
      if constexpr (has_values<Value>) values_out[i] = temp.values[source_of(i)];
    }
  }
};

}  // namespace mgpu::detail
