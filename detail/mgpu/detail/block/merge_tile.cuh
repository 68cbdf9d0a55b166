// A tile in shared memory whose runs a block merges, two by two: what merging and merge sorting have in common.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/thread/merge_path.cuh>
#include <mgpu/detail/thread/serial_merge.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// The index that goes with a key in place of its value: the item's index in its tile, or nothing when there are no
// values.
template <class Value>
using value_index_t = std::conditional_t<has_values<Value>, int, no_value>;

// Stores a thread's registers to items first, first + 1 and so on of shared memory.
template <int items_per_thread, class T, class Shared>
__device__ __forceinline__ void store_from(int first, T const (&items)[items_per_thread], Shared shared) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) *(shared + (first + i)) = items[i];
}
// Stores them as far as they are before `end`.
template <int items_per_thread, class T, class Shared>
__device__ __forceinline__ void store_from(int first, T const (&items)[items_per_thread], Shared shared, int end) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (first + i < end) *(shared + (first + i)) = items[i];
  }
}

// The keys of a tile, and with each its source index, in 2 bytes; there are none where Index is no_value. Its functions
// are called by all threads and have no barrier: one is owed between a call that writes and one that reads.
template <class Key, class Index, int threads_per_block, int items_per_thread>
struct merge_tile {
  static constexpr int tile_items = threads_per_block * items_per_thread;
  static_assert(tile_items <= 65536, "a source index is kept in 16 bits");

  Key keys[tile_items + items_per_thread];  // padded, as merge() may read behind the items
  std::conditional_t<has_values<Index>, std::uint16_t[tile_items], no_values> sources;

  // Returns the source index of item i.
  __device__ __forceinline__ Index source(int i) const { return static_cast<Index>(*(sources + i)); }

  // Sets found[i] to the source index of item places[i], for those of the thread's items first, first + 1 and so on
  // that are before `end`. The two arrays may be the same.
  __device__ __forceinline__ void find_sources(int first, Index const (&places)[items_per_thread],
                                               Index (&found)[items_per_thread], int end) const {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (first + i < end) found[i] = source(static_cast<int>(places[i]));
    }
  }

  // Merges the two runs of the thread's frame from its diagonal on into registers, as serial_merge does: `places` says
  // which item of the tile each key was. Each thread has a frame of its own; up to items_per_thread keys behind it may
  // be read.
  template <class Comp>
  __device__ __forceinline__ void merge(merge_frame frame, Key (&merged)[items_per_thread],
                                        Index (&places)[items_per_thread], Comp& comp) const {
    int const from_a = detail::merge_path(keys + frame.a_begin, frame.a_end - frame.a_begin, keys + frame.a_end,
                                          frame.b_end - frame.a_end, frame.diagonal, comp);
    int const a = frame.a_begin + from_a;
    int const b = frame.a_end + frame.diagonal - from_a;
    detail::serial_merge(keys + 0, a, frame.a_end, b, frame.b_end, merged, places, comp);
  }
};

}  // namespace mgpu::detail
