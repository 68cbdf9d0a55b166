// Tuning of the merge sort: plain numbers, chosen per compiled architecture and item size. It never changes results.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/tile_shape.h>
#include <cstdint>

namespace mgpu::detail {

struct merge_sort_tuning {
  tile_shape tile_sort;  // the first pass: every tile sorted by one block
  tile_shape merge;      // a merge pass; its tile times a power of two is the tile of the first pass
  int partition_threads_per_block;
  // Up to few_tiles tiles of a merge pass find their shares of the runs themselves, a warp for either end of one,
  // which saves a kernel. Of more, all shares are found before: by a warp each, which is soon done, or, beyond
  // many_tiles, by a thread each, which reads less.
  int few_tiles = 750;
  int many_tiles = 8000;

  // What a tile holds: a thread's share less than the threads might, as block_merge wants it.
  __host__ __device__ constexpr int merge_items() const { return merge.tile_items() - merge.items_per_thread; }
  __host__ __device__ constexpr int sorted_items() const {
    return merge_items() * (tile_sort.tile_items() / merge.tile_items());
  }
  __host__ __device__ constexpr bool is_valid() const {
    return tile_sort.tile_items() % merge.tile_items() == 0 &&
           is_power_of_two(tile_sort.tile_items() / merge.tile_items()) &&
           partition_threads_per_block % threads_per_warp == 0;
  }
};

// Selectors: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). One may name another,
// `few`, for up to few_items items. Kernels are templates of the selector type, so a binary holds one kernel per
// architecture. Swept on an H200: perf/notes/merge_sort.md.

// Tiles of a few items a thread, which are sooner sorted.
template <int key_bytes, int value_bytes>
struct merge_sort_few_tuning {
  __host__ __device__ static constexpr merge_sort_tuning at(int arch) {
    if (arch < 90) {
      int const items = odd_items_within(4 * 11, key_bytes, value_bytes);
      return {{256, items, 1}, {256, items, 1}, 64};
    }
    if (key_bytes < 4 && value_bytes == 0) return {{256, 17, 3}, {256, 17, 3}, 64};  // which need more registers
    return {{512, 9, 2}, {256, 9, 4}, 64};
  }
};

namespace impl {
template <int key_bytes, int value_bytes, bool has_few = key_bytes <= 8 && value_bytes <= 8>
struct names_few {};
template <int key_bytes, int value_bytes>
struct names_few<key_bytes, value_bytes, true> {
  using few = merge_sort_few_tuning<key_bytes, value_bytes>;
  static constexpr std::int64_t few_items = 3 << 18;
};
}  // namespace impl

template <int key_bytes, int value_bytes>
struct merge_sort_default_tuning : impl::names_few<key_bytes, value_bytes> {
  __host__ __device__ static constexpr merge_sort_tuning at(int arch) {
    if (arch >= 90) return sm_90();
    return sm_75();
  }

 private:
  // Turing has 1,024 threads and 64 KB of shared memory an SM.
  __host__ __device__ static constexpr merge_sort_tuning sm_75() {
    int const items = odd_items_within(4 * 11, key_bytes, value_bytes);
    return {{256, items, 1}, {256, items, 1}, 64};
  }

  __host__ __device__ static constexpr merge_sort_tuning sm_90() {
    if (key_bytes < 4 && value_bytes == 0) return {{256, 25, 3}, {256, 25, 3}, 64};
    if (key_bytes < 4 && value_bytes <= 4) return {{256, 17, 3}, {256, 17, 3}, 64};
    if (key_bytes == 4 && value_bytes == 0) return {{256, 35, 4}, {256, 35, 4}, 64};
    if (key_bytes <= 4 && value_bytes <= 4) return {{256, 17, 4}, {256, 17, 4}, 64};
    if (key_bytes <= 8 && value_bytes == 0) return {{256, 19, 4}, {256, 19, 4}, 64};
    if (key_bytes <= 8 && value_bytes <= 8) return {{256, 17, 3}, {256, 17, 3}, 64};
    if (key_bytes == 16) return {{256, 9, 3}, {256, 9, 3}, 64};
    int const items = odd_items_within(4 * 28, key_bytes, value_bytes);
    return {{256, items, 1}, {256, items, 1}, 64};
  }
};

// For indices that are sorted by looking at large keys: what counts is room for the comparator.
struct indexed_sort_default_tuning {
  __host__ __device__ static constexpr merge_sort_tuning at(int) { return {{256, 11, 1}, {256, 11, 1}, 64}; }
};

}  // namespace mgpu::detail
