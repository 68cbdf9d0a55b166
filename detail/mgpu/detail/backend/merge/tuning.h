// Tuning of the merge: plain numbers, chosen per compiled architecture and item size. It never changes results.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/tile_shape.h>

namespace mgpu::detail {

struct merge_tuning {
  tile_shape merge;
  int partition_threads_per_block;
};

// A selector, as merge_sort_default_tuning is one.
template <int key_bytes, int value_bytes>
struct merge_default_tuning {
  __host__ __device__ static constexpr merge_tuning at(int arch) {
    if (arch < 90) return {{256, odd_items_within(4 * 11, key_bytes, value_bytes), 1}, 64};
    if (key_bytes < 4 && value_bytes <= 4) return {{256, 17, 3}, 64};  // which need more registers
    if (key_bytes == 4 && value_bytes == 0) return {{256, 27, 4}, 64};
    if (key_bytes <= 4 && value_bytes <= 4) return {{256, 17, 4}, 64};
    if (key_bytes <= 8 && value_bytes == 0) return {{256, 17, 4}, 64};
    if (key_bytes <= 8 && value_bytes <= 8) return {{256, 13, 3}, 64};
    return {{256, odd_items_within(4 * 28, key_bytes, value_bytes), 1}, 64};
  }
};

}  // namespace mgpu::detail
