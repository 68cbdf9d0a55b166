// The shape of a tile, which is what a block works on at a time. It is part of every backend's tuning.
#pragma once
#include <mgpu/detail/core/block_shape.h>
#include <mgpu/detail/core/math.h>

namespace mgpu::detail {

struct tile_shape {
  int threads_per_block;  // whole warps; a power of two where the tile is merge sorted
  int items_per_thread;   // odd numbers keep blocked access to shared memory free of bank conflicts
  int min_blocks_per_sm;  // what the register allocation leaves room for

  __host__ __device__ constexpr int tile_items() const { return threads_per_block * items_per_thread; }
  // Returns whether the shape is possible; an index in a tile is kept in 16 bits.
  __host__ __device__ constexpr bool is_valid() const {
    return is_block_of_warps(threads_per_block) && items_per_thread > 0 && min_blocks_per_sm > 0 &&
           items_per_thread <= (1 << 16) / threads_per_block;
  }
};

// Returns the largest odd number of items, at least 1, with which a thread that merges holds about bytes_per_thread
// of keys, and a 32-bit index for each key where there are values.
__host__ __device__ constexpr int odd_items_within(int bytes_per_thread, int key_bytes, int value_bytes) {
  int const index_bytes = value_bytes > 0 ? 4 : 0;
  int const items = bytes_per_thread / (larger(key_bytes, 4) + index_bytes);
  return items < 1 ? 1 : (items - 1) / 2 * 2 + 1;
}

}  // namespace mgpu::detail
