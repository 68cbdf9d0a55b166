// Where the tiles of a merge sort came in order, and follow each other in order, there is nothing to merge. The tile
// sort tells of each tile, and the passes that have no use then end at once.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
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

// Tells all threads whether the first `valid` keys, which are in shared memory, are in order. A warp looks at all of
// its keys only if it finds no descent by one look. `has_descent` is shared memory: zero, and a barrier has followed.
// Called by all threads; has one barrier.
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

// A decision says whether passes end, as all of the input came in order. One block decides, for all blocks of all
// passes: by a comparator that answers otherwise the next time, some would end, and others would read what these did
// not write.
enum class merge_decision : std::uint32_t { undecided, ends, merges };

// The tiles of the input, or none where no pass may end at once.
template <class Key>
struct watched_tiles {
  tile_order<Key>* orders = nullptr;
  std::uint32_t* decision = nullptr;  // a merge_decision, undecided before the first pass
  std::int64_t num_tiles = 0;
  bool is_first_pass = false;

  // Shared memory.
  struct storage {
    std::uint32_t has_descent;
    std::uint32_t decision;
  };

  // For a kernel of a pass that has no use where all of the input came in order: tells whether that is so, and then the
  // kernel ends; or else returns when its primary has ended. Later passes do not wait to look, as none starts before the
  // tile sort has ended: the first pass lets the second one start when it has waited for that, and so on. Called by all
  // threads of the block; has barriers where one tile, another one in each block, came in order.
  template <class Comp>
  __device__ __forceinline__ bool end_pass(storage& shared, Comp& comp) const {
    if (num_tiles > 0) {
      if (is_first_pass) simt::wait_for_primary();
      if (decide(shared, comp) == merge_decision::ends) {
        simt::skip_launch();
        return true;
      }
    }
    simt::wait_for_primary();
    return false;
  }

 private:
  __device__ __forceinline__ bool came_in_order(std::int64_t tile) const { return orders[tile].came_in_order != 0; }

  template <class Comp>
  __device__ __forceinline__ merge_decision decide(storage& shared, Comp& comp) const {
    // Where there is no order, most blocks see that by one tile.
    std::int64_t const tile = smaller<std::int64_t>(simt::block_rank(), num_tiles - 1);
    if (!came_in_order(tile)) return merge_decision::merges;
    if (simt::thread_rank() == 0) shared = {0, simt::load_relaxed(*decision)};
    simt::sync_block();
    constexpr auto undecided = static_cast<std::uint32_t>(merge_decision::undecided);
    if (shared.decision == undecided) {
      if (has_descent(comp)) simt::or_shared(shared.has_descent, 1u);
      simt::sync_block();
      if (simt::thread_rank() == 0) {
        auto const mine = shared.has_descent == 0 ? merge_decision::ends : merge_decision::merges;
        auto const decided = static_cast<std::uint32_t>(mine);
        std::uint32_t const before = simt::compare_exchange_relaxed(*decision, undecided, decided);
        shared.decision = before == undecided ? decided : before;
      }
      simt::sync_block();
    }
    return static_cast<merge_decision>(shared.decision);
  }

  // Tells a thread whether one of its tiles did not come in order, or begins below where the one before ends.
  template <class Comp>
  __device__ __forceinline__ bool has_descent(Comp& comp) const {
#pragma unroll 1
    for (std::int64_t tile = simt::thread_rank(); tile < num_tiles; tile += simt::threads_per_block()) {
      if (!came_in_order(tile)) return true;
      if (tile == 0) continue;
      if (!came_in_order(tile - 1) || comp(orders[tile].first, orders[tile - 1].last)) return true;
    }
    return false;
  }
};

}  // namespace mgpu::detail
