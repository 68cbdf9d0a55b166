// Tuning of the merge sort: plain numbers, chosen per compiled architecture and item size. It never changes results.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/tile_shape.h>

namespace mgpu::detail {

struct merge_sort_tuning {
  tile_shape tile_sort;  // the first pass: every tile sorted by one block
  tile_shape merge;      // a merge pass; its tile times a power of two is the tile of the first pass
  int partition_threads_per_block;
};

// A selector: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0).
// Kernels are templates of the selector type, so a binary holds one kernel per architecture.
template <int key_bytes, int value_bytes>
struct merge_sort_default_tuning {
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

  // Swept on an H200: perf/notes/merge_sort.md. Keys of 1 and 2 bytes need more registers than those of 4.
  __host__ __device__ static constexpr merge_sort_tuning sm_90() {
    constexpr int work_bytes = key_bytes + value_bytes;
    if (key_bytes < 4 && value_bytes == 0) return {{512, 17, 1}, {256, 17, 3}, 64};
    if (key_bytes <= 4 && value_bytes == 0) return {{512, 17, 2}, {256, 17, 4}, 64};
    if (key_bytes <= 4 && value_bytes <= 4) return {{512, 17, 1}, {256, 17, 3}, 64};
    if (key_bytes <= 8 && value_bytes == 0) return {{512, 15, 2}, {256, 15, 3}, 64};
    if (key_bytes <= 8 && work_bytes <= 16) return {{512, 11, 1}, {256, 11, 3}, 64};
    int const items = odd_items_within(4 * 28, key_bytes, value_bytes);
    return {{256, items, 1}, {256, items, 1}, 64};
  }
};

// For indices that are sorted by looking at large keys: what counts is room for the comparator.
struct indexed_sort_default_tuning {
  __host__ __device__ static constexpr merge_sort_tuning at(int) { return {{256, 11, 1}, {256, 11, 1}, 64}; }
};

}  // namespace mgpu::detail
