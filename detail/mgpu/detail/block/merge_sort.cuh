// One block sorts a tile: each thread sorts its registers by a stable network, then merge rounds follow in shared
// memory.
#pragma once
#include <mgpu/detail/block/merge_tile.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/merge_path.cuh>
#include <mgpu/detail/thread/sorting_network.cuh>

namespace mgpu::detail {

template <class Key, class Index, int threads_per_block, int items_per_thread>
struct block_merge_sort {
  static_assert(threads_per_block % threads_per_warp == 0 && is_power_of_two(threads_per_block),
                "mgpu: a block sorts with a power of two of threads, in whole warps");

  // Holds either the input or the output of a round, never both.
  using temp_storage = merge_tile<Key, Index, threads_per_block, items_per_thread>;

  // Sorts the first `valid` items of the tile, which is blocked (thread t has items t * items_per_thread and so on)
  // before and after; the sort is stable, and `indices` go with their keys. Called by all threads. comp sees only items
  // of the input. No barrier is owed before the call; one is owed after it, before `temp` is written.
  template <class Comp>
  static __device__ __forceinline__ void sort(temp_storage& temp, Key (&keys)[items_per_thread],
                                              Index (&indices)[items_per_thread], int valid, Comp& comp) {
    auto const thread = static_cast<int>(simt::thread_rank());
    int const first = thread * items_per_thread;
    if (first < valid) detail::odd_even_transposition_sort(keys, indices, valid - first, comp);
#pragma unroll 1
    for (int width = 1; width < threads_per_block && width * items_per_thread < valid; width *= 2) {
      simt::sync_block();  // other threads may still read what the last round left
      detail::store_from(first, keys, temp.keys + 0, valid);
      detail::store_from(first, indices, temp.sources + 0);
      simt::sync_block();

      uninitialized_array<Index, items_per_thread> places;
      temp.merge(find_merge_frame(thread, width, items_per_thread, valid), keys, places.items, comp);
      temp.find_sources(first, places.items, indices, valid);
    }
  }
};

}  // namespace mgpu::detail
