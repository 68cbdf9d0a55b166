// Tuning of the merge sort by one block or one cluster of blocks: plain numbers, chosen per compiled architecture. It never
// changes results.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

struct merge_cluster_tuning {
  int max_threads_per_block;    // each of which has an item
  int min_items;                // fewer are sorted in another way
  int max_block_items;          // more are sorted by a cluster, where there may be one
  int max_small_cluster_items;  // more are sorted by a cluster of 16 blocks instead of 8
  int max_ranked_items;         // more are merged by shares instead of by the ranks of all in each run
  int max_items;                // more are sorted in another way

  static constexpr int max_blocks = 16;
  static constexpr int min_cluster_items = max_blocks * max_blocks;  // of fewer, a block might get none

  __host__ __device__ constexpr bool has_shares() const { return max_items > max_ranked_items; }
  // Returns how many threads each of so many blocks has.
  __host__ __device__ constexpr int threads_per_block(std::int64_t num_items, int blocks) const {
    auto const items = static_cast<int>(divide_up<std::int64_t>(num_items, blocks));
    int const step = items <= 128 ? 32 : items <= 512 ? 128 : 512;
    return divide_up(items, step) * step;
  }
  __host__ __device__ constexpr bool is_valid() const {
    return max_threads_per_block > 0 && max_threads_per_block <= 1024 &&
           threads_per_block(max_threads_per_block, 1) == max_threads_per_block && min_items > 0 &&
           max_block_items <= max_threads_per_block;
  }
};

// The selectors: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). Their numbers were
// measured on an H200: perf/notes/merge_cluster.md. Where blocks are small, nothing is sorted so.

// There are ten to twenty times as many comparisons as merging makes, but few wait for each other. Where each takes long, that
// is quicker as long as the threads are spread thin, and the sample sort is not for so few. Keys of more than 8 bytes are
// sorted here by shares alone, from where one block with three items a thread ends, and not where comparing may take long:
// then the sample sort is for them from there on.
template <bool compares_quickly, int key_bytes>
struct merge_cluster_default_tuning {
  __host__ __device__ static constexpr merge_cluster_tuning at(int arch) {
    if (arch < 90 || !has_large_blocks(arch) || (key_bytes > 8 && !compares_quickly)) return {32, 1, 0, 0, 0, 0};
    if (key_bytes > 8) return {1024, 1534, 512, 1 << 11, 0, 1 << 14};
    if (!compares_quickly) return {1024, 513, 512, 1 << 11, (1 << 13) - 1, (1 << 13) - 1};
    return {1024, 33, 512, 1 << 11, 16 * 384, 1 << 14};
  }
};

}  // namespace mgpu::detail
