// One block sorts a tile: each thread sorts its registers by a stable network, then merge rounds follow in shared
// memory.
#pragma once
#include <mgpu/detail/block/merge.cuh>
#include <mgpu/detail/block/tile.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/sorting_network.cuh>
#include <cstddef>

namespace mgpu::detail {

template <class Key, class Index, int threads_per_block, int items_per_thread>
struct block_merge_sort {
  static_assert(threads_per_block % threads_per_warp == 0 && is_power_of_two(threads_per_block),
                "mgpu: a block sorts with a power of two of threads, in whole warps");
  static constexpr int tile_items = threads_per_block * items_per_thread;

  // Holds either the input or the output of a round, never both.
  struct temp_storage {
    Key keys[tile_items + items_per_thread];  // padded, as merge_from_shared may read behind the items
    index_array<Index, tile_items> indices;
  };

  // Sorts the first `valid` items of the tile, which is blocked before and after; the sort is stable, and `indices`
  // go with their keys. Called by all threads. comp sees only items of the input. No barrier is owed before the call;
  // one is owed after it, before `temp` is written.
  template <class Comp>
  static __device__ __forceinline__ void sort(temp_storage& temp, Key (&keys)[items_per_thread],
                                              Index (&indices)[items_per_thread], int valid, Comp& comp) {
    sort_thread(keys, indices, valid, comp);
#pragma unroll 1
    for (int width = 1; width < threads_per_block && width * items_per_thread < valid; width *= 2) {
      simt::sync_block();  // other threads may still read what the last round left
      detail::store_blocked(keys, temp.keys, valid);
      detail::store_blocked(indices, temp.indices);
      simt::sync_block();

      auto const frame = find_merge_frame(static_cast<int>(simt::thread_rank()), width, items_per_thread, valid);
      uninitialized_array<Index, items_per_thread> sources;
      detail::merge_from_shared(temp.keys, frame, keys, sources.items, comp);
      load_indices(temp, sources.items, indices, valid);
    }
  }

 private:
  template <class Comp>
  static __device__ __forceinline__ void sort_thread(Key (&keys)[items_per_thread],
                                                     Index (&indices)[items_per_thread], int valid, Comp& comp) {
    int const first = static_cast<int>(simt::thread_rank()) * items_per_thread;
    if (first >= valid) return;
    if (first + items_per_thread > valid) pad(keys, indices, valid - first, comp);
    detail::odd_even_transposition_sort(keys, indices, comp);
  }

  // Fills the registers of the thread that holds the end of the input with copies of its largest key. Since these
  // come last they stay last, so one network serves every count. Their index is that key's: so even by a comparator
  // that is no order every index names an item.
  template <class Comp>
  static __device__ __forceinline__ void pad(Key (&keys)[items_per_thread], Index (&indices)[items_per_thread],
                                             int count, Comp& comp) {
    Key largest = keys[0];
    Index index = indices[0];
#pragma unroll
    for (int i = 1; i < items_per_thread; ++i) {
      bool const is_larger = i < count && comp(largest, keys[i]);
      largest = is_larger ? keys[i] : largest;
      index = is_larger ? indices[i] : index;
    }
#pragma unroll
    for (int i = 1; i < items_per_thread; ++i) {
      keys[i] = i < count ? keys[i] : largest;
      indices[i] = i < count ? indices[i] : index;
    }
  }

  static __device__ __forceinline__ void load_indices(temp_storage const& temp,
                                                      Index const (&sources)[items_per_thread],
                                                      Index (&indices)[items_per_thread], int valid) {
    int const first = static_cast<int>(simt::thread_rank()) * items_per_thread;
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (first + i < valid) indices[i] = temp.indices.get(static_cast<int>(sources[i]));
    }
  }
};

}  // namespace mgpu::detail
