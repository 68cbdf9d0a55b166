// Tuning of the merge: plain numbers, chosen per compiled architecture and item size. It never changes results.
#pragma once
#include <mgpu/detail/core/block_shape.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/tile_shape.h>

namespace mgpu::detail {

struct merge_tuning {
  tile_shape merge;
  int partition_threads_per_block;
  // The blocks of up to few_tiles tiles find their tiles' shares of the inputs themselves, with a warp for either end, which
  // saves a kernel and scratch memory.
  int few_tiles = 2048;

  __host__ __device__ constexpr bool is_valid() const {
    return merge.is_valid() && is_block_of_warps(partition_threads_per_block) && few_tiles >= 0;
  }
};

// The selector: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0).
template <int key_bytes, int value_bytes>
struct merge_default_tuning {
  __host__ __device__ static constexpr merge_tuning at(int arch) {
    if (arch < 90) return {{256, odd_items_within(4 * 11, key_bytes, value_bytes), 1}, 64};
    if (key_bytes < 4 && value_bytes <= 4) return {{256, 17, 3}, 64};  // short keys need more registers
    if (key_bytes == 4 && value_bytes == 0) return {{256, 27, 4}, 64};
    if (key_bytes <= 4 && value_bytes <= 4) return {{256, 17, 4}, 64};
    if (key_bytes <= 8 && value_bytes == 0) return {{256, 17, 4}, 64};
    if (key_bytes <= 8 && value_bytes <= 8) return {{256, 13, 3}, 64};
    return {{256, odd_items_within(4 * 28, key_bytes, value_bytes), 1}, 64};
  }
};

}  // namespace mgpu::detail
