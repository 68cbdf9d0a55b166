// Tuning of the counting sort: plain numbers, chosen per compiled architecture and key size. It never changes results.
#pragma once
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

struct counting_sort_tuning {
  int count_threads_per_block;
  int count_blocks_per_sm;
  int max_counters;  // that a block has in shared memory; others count the rest of the values
  int write_threads_per_block;
  int write_items_per_thread;
  int write_blocks_per_sm;

  __host__ __device__ constexpr int write_tile_items() const {
    return write_threads_per_block * write_items_per_thread;
  }
};

// A selector: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0).
template <int key_bytes>
struct counting_sort_default_tuning {
  __host__ __device__ static constexpr counting_sort_tuning at(int arch) {
    return {1024, 1, has_large_blocks(arch) ? 1 << 15 : 1 << 13, 256, 32, 8};
  }
  // From how many items on counting pays.
  static constexpr long long min_items = key_bytes == 1 ? 1 << 17 : 1 << 22;
};

}  // namespace mgpu::detail
