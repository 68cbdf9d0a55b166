// Tuning of the merge of several runs. It never changes results.
#pragma once
#include <mgpu/detail/core/block_shape.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/tile_shape.h>

namespace mgpu::detail {

struct multiway_merge_tuning {
  tile_shape merge;
  int partition_threads_per_block = 64;

  // A tile has items_per_thread items less than its threads could hold, as block_merge requires.
  __host__ __device__ constexpr int tile_items() const { return merge.tile_items() - merge.items_per_thread; }
  __host__ __device__ constexpr bool is_valid() const {
    return merge.is_valid() && merge.items_per_thread < merge.threads_per_block &&
           is_block_of_warps(partition_threads_per_block);
  }
};

}  // namespace mgpu::detail
