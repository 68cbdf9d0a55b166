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
    int const bytes_per_thread = arch >= 90 ? 4 * 17 : 4 * 11;
    return {{256, odd_items_within(bytes_per_thread, key_bytes, value_bytes), arch >= 90 ? 2 : 1}, 64};
  }
};

}  // namespace mgpu::detail
