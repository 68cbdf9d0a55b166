// Where the tiles of a merge sort came in order, and follow each other in order, there is nothing to merge: the tile
// sort tells of each tile, and each block of a pass that has no use looks at that, and ends.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// What the tile sort tells of a tile. Where it did not come in order, its keys are never written.
template <class Key>
struct tile_order {
  std::uint32_t came_in_order;  // 1 if no key comes before the one in front of it
  Key first;
  Key last;
};

// A block of a pass looks at no more tiles than these.
constexpr int max_watched_tiles = 2048;

// Tells all threads whether the first `valid` keys, which are in shared memory, are in order. A warp looks at all of its
// keys only if it finds no descent by one look. `has_descent` is shared memory: zero, and a barrier has followed. Called
// by all threads; has one barrier.
template <int items_per_thread, class Key, class Comp>
__device__ __forceinline__ bool is_tile_in_order(Key const* keys, int valid, std::uint32_t& has_descent, Comp& comp) {
  int const first = static_cast<int>(simt::thread_rank()) * items_per_thread;
  std::uint32_t found = 0;
#pragma unroll 1
  for (int i = first; i < first + items_per_thread && found == 0; ++i) {
    found = simt::ballot(simt::full_mask, i + 1 < valid && comp(keys[i + 1], keys[i]));
  }
  if (simt::lane() == 0 && found != 0) simt::or_shared(has_descent, 1u);
  simt::sync_block();
  return has_descent == 0;
}

// The tiles of the input, or none where nobody looks at them.
template <class Key>
struct watched_tiles {
  tile_order<Key>* orders = nullptr;
  int num_tiles = 0;
  bool by_first_pass = false;  // whether the launch before may be the tile sort

  // For a kernel of a pass that has no use where all of the input came in order: tells whether that is so, and then the
  // kernel ends; or else returns when its primary has ended. Later passes do not wait to look, as the launch before has
  // waited for the tile sort. `has_descent` is shared memory. Called by all threads of the block; has barriers where some
  // tiles, that are spread over the input, came in order.
  template <class Comp>
  __device__ __forceinline__ bool end_pass(std::uint32_t& has_descent, Comp& comp) const {
    if (num_tiles > 0) {
      if (by_first_pass) simt::wait_for_primary();
      if (are_in_order(has_descent, comp)) {
        simt::skip_launch();
        return true;
      }
    }
    simt::wait_for_primary();
    return false;
  }

 private:
  __device__ __forceinline__ bool came_in_order(int tile) const {
    return simt::load_relaxed(orders[tile].came_in_order) != 0;
  }

  template <class Comp>
  __device__ __forceinline__ bool are_in_order(std::uint32_t& has_descent, Comp& comp) const {
    // Each warp looks at the same.
    int const some = static_cast<int>(simt::lane()) * num_tiles / threads_per_warp;
    if (simt::ballot(simt::full_mask, came_in_order(some)) != simt::full_mask) return false;
    if (simt::thread_rank() == 0) has_descent = 0;
    simt::sync_block();
    bool descends = false;
#pragma unroll 1
    for (auto tile = static_cast<int>(simt::thread_rank()); tile < num_tiles && !descends;
         tile += static_cast<int>(simt::threads_per_block())) {
      descends = !came_in_order(tile) ||
                 (tile > 0 && (!came_in_order(tile - 1) || comp(orders[tile].first, orders[tile - 1].last)));
    }
    if (descends) simt::or_shared(has_descent, 1u);
    simt::sync_block();
    return has_descent == 0;
  }
};

}  // namespace mgpu::detail
