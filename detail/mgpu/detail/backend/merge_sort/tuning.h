// Tuning of the merge sort: plain numbers, chosen per compiled architecture and item size. It never changes results.
#pragma once
#include <mgpu/detail/core/block_shape.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/tile_shape.h>
#include <cstdint>

namespace mgpu::detail {

struct merge_sort_tuning {
  tile_shape tile_sort;  // the first pass: every tile sorted by one block
  tile_shape merge;      // a merge pass; its tile times a power of two is the tile of the first pass
  int partition_threads_per_block = 256;
  // Up to few_tiles blocks of a merge pass find their tiles' shares of the runs themselves, with a warp for either
  // end, which saves a kernel. For more tiles, a kernel finds all shares before: by a warp a tile, which is soon
  // done, or beyond many_tiles by a thread a tile, which reads less.
  int few_tiles = 750;
  int many_tiles = 8000;
  // From so many items on, a kernel looks for natural runs before. That costs 0.5 to 1 % of the sort if there are none.
  std::int64_t min_natural_items = std::int64_t{3} << 23;

  // These return how many items a tile of a merge pass has, and a tile of the first pass. A merge tile has
  // items_per_thread items less than its threads could hold, as block_merge requires.
  __host__ __device__ constexpr int merge_items() const { return merge.tile_items() - merge.items_per_thread; }
  __host__ __device__ constexpr int sorted_items() const {
    return merge_items() * (tile_sort.tile_items() / merge.tile_items());
  }
  __host__ __device__ constexpr bool is_valid() const {
    return tile_sort.is_valid() && is_power_of_two(tile_sort.threads_per_block) && merge.is_valid() &&
           tile_sort.tile_items() % merge.tile_items() == 0 &&
           is_power_of_two(tile_sort.tile_items() / merge.tile_items()) &&
           tile_sort.items_per_thread < merge.threads_per_block && merge.items_per_thread < merge.threads_per_block &&
           is_block_of_warps(partition_threads_per_block) && few_tiles >= 0 && many_tiles >= 0 &&
           min_natural_items > 0;
  }
};

// The selectors: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). Kernels are
// templates of the selector type, so a binary holds one kernel per architecture. The numbers were swept on an H200:
// perf/notes/merge_sort.md.

// Returns a tuning whose steps have the same tiles, by blocks of 256 threads.
__host__ __device__ constexpr merge_sort_tuning merge_sort_tiles(int items_per_thread, int min_blocks_per_sm) {
  return {{256, items_per_thread, min_blocks_per_sm}, {256, items_per_thread, min_blocks_per_sm}};
}

template <int key_bytes, int value_bytes>
struct merge_sort_large_tuning {
  __host__ __device__ static constexpr merge_sort_tuning at(int arch) {
    // Turing has 1,024 threads and 64 KB of shared memory an SM.
    if (arch < 90) return merge_sort_tiles(odd_items_within(4 * 11, key_bytes, value_bytes), 1);
    if (key_bytes < 4 && value_bytes == 0) return merge_sort_tiles(25, 3);
    if (key_bytes < 4 && value_bytes <= 4) return merge_sort_tiles(17, 3);
    if (key_bytes == 4 && value_bytes == 0) return merge_sort_tiles(35, 4);
    if (key_bytes <= 4 && value_bytes <= 4) return merge_sort_tiles(17, 4);
    if (key_bytes <= 8 && value_bytes == 0) return merge_sort_tiles(19, 4);
    if (key_bytes <= 8 && value_bytes <= 8) return merge_sort_tiles(17, 3);
    if (key_bytes == 16) return merge_sort_tiles(9, 3);
    return merge_sort_tiles(odd_items_within(4 * 28, key_bytes, value_bytes), 1);
  }
};

// The small tuning: its tiles have few items a thread, so they are sorted sooner.
template <int key_bytes, int value_bytes>
struct merge_sort_small_tuning {
  __host__ __device__ static constexpr merge_sort_tuning at(int arch) {
    if (arch < 90) return merge_sort_large_tuning<key_bytes, value_bytes>::at(arch);
    if (key_bytes < 4 && value_bytes == 0) return merge_sort_tiles(17, 3);  // short keys need more registers
    return {{512, 9, 2}, {256, 9, 4}};
  }
};
// The number of items up to which the small tuning is faster than the large one.
template <int key_bytes, int value_bytes>
constexpr std::int64_t max_small_merge_sort_items = key_bytes <= 8 && value_bytes <= 8 ? 3 << 18 : 0;

// The tuning for so few items that one block sorts them, of which only the tile sort is launched.
template <int item_bytes>
struct merge_sort_one_tile_tuning {
  __host__ __device__ static constexpr merge_sort_tuning at(int) { return {{512, 3, 2}, {512, 3, 2}}; }
  // Returns up to how many items it is used: other architectures, and larger items, were not measured.
  __host__ __device__ static constexpr std::int64_t max_items(int arch) {
    return arch >= 90 && item_bytes <= 16 ? at(arch).sorted_items() : 0;
  }
};

// The tuning for indices that are sorted by comparing large keys: it leaves registers to the comparator.
struct indexed_sort_default_tuning {
  __host__ __device__ static constexpr merge_sort_tuning at(int) { return merge_sort_tiles(11, 1); }
};

}  // namespace mgpu::detail
