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
  // From so many items on, a kernel looks for natural runs before. That costs 0.5 to 1 % of the sort if there are
  // none.
  std::int64_t min_natural_items = std::int64_t{3} << 23;
  // How many runs a pass merges into one. Four go through memory half as often; the shares of two are found by far
  // fewer comparisons that wait for each other. Natural runs are merged by four only.
  int runs_per_pass = 4;

  // These return how many items a tile of a merge pass has, and a tile of the first pass. Of four runs a merge tile
  // has items_per_thread items less than its threads could hold, as block_merge requires.
  __host__ __device__ constexpr int merge_items() const {
    return merge.tile_items() - (runs_per_pass == 4 ? merge.items_per_thread : 0);
  }
  __host__ __device__ constexpr int sorted_items() const {
    return merge_items() * (tile_sort.tile_items() / merge.tile_items());
  }
  __host__ __device__ constexpr bool looks_for_runs(std::int64_t num_items) const {
    return runs_per_pass == 4 && num_items >= min_natural_items;
  }
  __host__ __device__ constexpr bool is_valid() const {
    return tile_sort.is_valid() && is_power_of_two(tile_sort.threads_per_block) && merge.is_valid() &&
           tile_sort.tile_items() % merge.tile_items() == 0 &&
           is_power_of_two(tile_sort.tile_items() / merge.tile_items()) &&
           tile_sort.items_per_thread < merge.threads_per_block && merge.items_per_thread < merge.threads_per_block &&
           is_block_of_warps(partition_threads_per_block) && few_tiles >= 0 && many_tiles >= 0 &&
           min_natural_items > 0 && (runs_per_pass == 2 || runs_per_pass == 4);
  }
};

// The selectors: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). Kernels are
// templates of the selector type, so a binary holds one kernel per architecture. The numbers were swept on an H200:
// perf/notes/merge_sort.md.

// Returns a tuning whose steps have the same tiles.
__host__ __device__ constexpr merge_sort_tuning merge_sort_tiles(int items_per_thread, int min_blocks_per_sm,
                                                                 int threads_per_block = 256, int runs_per_pass = 4) {
  tile_shape const tile{threads_per_block, items_per_thread, min_blocks_per_sm};
  merge_sort_tuning tuning{tile, tile};
  tuning.runs_per_pass = runs_per_pass;
  if (runs_per_pass == 2) tuning.many_tiles = 32000;  // a warp finds the shares of two runs by few steps
  return tuning;
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

// The tunings for comparisons that wait for memory, as those do that follow pointers. Tiles are small, so that many
// threads wait at a time, and runs are merged two by two, which takes fewer comparisons one after the other.
// Registers are left to the comparator.
template <int key_bytes, int value_bytes>
struct merge_sort_latency_small_tuning {
  __host__ __device__ static constexpr merge_sort_tuning at(int arch) {
    if (arch < 90) return merge_sort_large_tuning<key_bytes, value_bytes>::at(arch);
    return merge_sort_tiles(2, 1, 512, 2);
  }
};
template <int key_bytes, int value_bytes>
struct merge_sort_latency_medium_tuning {
  __host__ __device__ static constexpr merge_sort_tuning at(int arch) {
    if (arch < 90) return merge_sort_large_tuning<key_bytes, value_bytes>::at(arch);
    return merge_sort_tiles(key_bytes > 8 ? 4 : 8, 4, 128, 2);
  }
};
// Many items have threads enough.
template <int key_bytes, int value_bytes>
struct merge_sort_latency_large_tuning {
  __host__ __device__ static constexpr merge_sort_tuning at(int arch) {
    if (arch >= 90 && key_bytes == 4 && value_bytes == 0) return merge_sort_tiles(17, 4);
    return merge_sort_large_tuning<key_bytes, value_bytes>::at(arch);
  }
};
// The numbers of items up to which the first and the second are faster than the next one.
constexpr std::int64_t max_latency_small_items = std::int64_t{1} << 17;
template <int key_bytes>
constexpr std::int64_t max_latency_medium_items = key_bytes > 8 ? std::int64_t{1} << 22 : std::int64_t{3} << 18;

// The sample of a sort of many items, some 10^5 to 10^6 keys, is sorted soonest by the tuning that many indices are
// sorted by, where comparing is quick.
template <int key_bytes>
using merge_sort_sample_tuning = merge_sort_latency_large_tuning<key_bytes, 0>;

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
