// The shape of a tile: what one block works on at a time. Part of every backend's tuning.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>

namespace mgpu::detail {

struct tile_shape {
  int threads_per_block;  // a power of two, whole warps
  int items_per_thread;   // odd numbers keep blocked access to shared memory free of bank conflicts
  int min_blocks_per_sm;  // what the register allocation leaves room for

  __host__ __device__ constexpr int tile_items() const { return threads_per_block * items_per_thread; }
};

// The largest odd number of items, at least 1, with which a thread that merges holds about bytes_per_thread of keys,
// and one 32-bit index a key where there are values.
__host__ __device__ constexpr int odd_items_within(int bytes_per_thread, int key_bytes, int value_bytes) {
  int const index_bytes = value_bytes > 0 ? 4 : 0;
  int const items = bytes_per_thread / (larger(key_bytes, 4) + index_bytes);
  return items < 1 ? 1 : (items - 1) / 2 * 2 + 1;
}

}  // namespace mgpu::detail
