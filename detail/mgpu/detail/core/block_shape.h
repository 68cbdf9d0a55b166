// What blocks a launch may have.
#pragma once
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

// Returns whether a launch may have blocks of `threads` threads, and a kernel that is written for whole warps too.
__host__ __device__ constexpr bool is_block_of_warps(int threads) {
  return threads > 0 && threads <= max_threads_per_block && threads % threads_per_warp == 0;
}

// Returns whether a cluster may have `blocks` blocks.
__host__ __device__ constexpr bool is_cluster(int blocks) { return blocks > 0 && blocks <= 16; }

}  // namespace mgpu::detail
