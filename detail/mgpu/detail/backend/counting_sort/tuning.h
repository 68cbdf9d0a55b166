// Tuning of the counting sort: plain numbers, chosen per compiled architecture and key size. It never changes
// results.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/tile_shape.h>

namespace mgpu::detail {

struct counting_sort_tuning {
  int count_threads_per_block;
  int count_blocks_per_sm;
  int max_counters;  // most counters in a block's shared memory, a power of two; other blocks count other values
  int write_threads_per_block;  // at least two warps
  int write_items_per_thread;
  int write_blocks_per_sm;

  __host__ __device__ constexpr int write_tile_items() const {
    return write_threads_per_block * write_items_per_thread;
  }
  __host__ __device__ constexpr bool is_valid() const {
    return is_block_of_warps(count_threads_per_block) && count_blocks_per_sm > 0 && is_power_of_two(max_counters) &&
           tile_shape{write_threads_per_block, write_items_per_thread, write_blocks_per_sm}.is_valid() &&
           write_threads_per_block > threads_per_warp;
  }
};

// The selector: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0).
template <int key_bytes>
struct counting_sort_default_tuning {
  __host__ __device__ static constexpr counting_sort_tuning at(int arch) {
    return {1024, 1, has_large_blocks(arch) ? 1 << 15 : 1 << 13, 256, 32, 8};
  }
  // The number of items from which on counting is faster than the other sorts.
  static constexpr long long min_items = key_bytes == 1 ? 1 << 17 : 1 << 22;
};

}  // namespace mgpu::detail
