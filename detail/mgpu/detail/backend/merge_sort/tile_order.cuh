// Where the tiles of a merge sort came in order, or strictly descending, and follow each other so, there is nothing to
// merge. The tile sort tells of each tile, and the passes that have no use then end at once.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// These bits, which are joined by or, say what neighbours do. Items are in order if no key comes before the one in front of it,
// and strictly descending if every one does.
enum neighbours : std::uint32_t { some_descend = 1, some_do_not = 2, are_mixed = some_descend | some_do_not };

// This is what the tile sort tells of a tile. Where neighbours are mixed, the keys are never written.
template <class Key>
struct tile_order {
  std::uint32_t seen;  // of neighbours: none if there is one item
  Key first;           // as they came
  Key last;
};

// Returns to all threads what is seen of the first `valid` keys, which are in shared memory. A warp looks at all of its
// keys only if one look finds them alike. `seen` is shared memory: zero, and a barrier has followed. Called by all
// threads; has one barrier.
template <int items_per_thread, class Key, class Comp>
__device__ __forceinline__ std::uint32_t see_neighbours(Key const* keys, int valid, std::uint32_t& seen, Comp& comp) {
  int const first = static_cast<int>(simt::thread_rank()) * items_per_thread;
  bool const has_next = first + 1 < valid;
  bool const descends = has_next && comp(keys[first + 1], keys[first]);
  bool const some_descended = simt::ballot(simt::full_mask, descends) != 0;
  std::uint32_t others = simt::ballot(simt::full_mask, has_next && descends != some_descended);
#pragma unroll 1
  for (int i = first + 1; i < first + items_per_thread && others == 0; ++i) {
    others = simt::ballot(simt::full_mask, i + 1 < valid && comp(keys[i + 1], keys[i]) != some_descended);
  }
  if (simt::lane() == 0 && has_next) {
    std::uint32_t const found = others != 0 ? are_mixed : some_descended ? some_descend : some_do_not;
    simt::or_shared(seen, found);
  }
  simt::sync_block();
  return seen;
}

// A pass does this with its tiles. To mirror them, each of which is sorted, is to bring them in the opposite order.
enum class pass_work : std::uint32_t { nothing, mirrors, merges };

// These are the tiles of the input, or none where every pass merges. What is seen of all neighbours is decided by one block, for
// all blocks of all passes: by a comparator that answers otherwise the next time, some would end, and others would read
// what these did not write.
template <class Key>
struct watched_tiles {
  static constexpr std::uint32_t is_decided = 4;

  tile_order<Key>* orders = nullptr;
  std::uint32_t* decision = nullptr;  // what is seen, and is_decided; zero before the first pass
  std::int64_t num_tiles = 0;
  bool is_first_pass = false;
  pass_work if_in_order = pass_work::merges;
  pass_work if_descending = pass_work::merges;

  // Shared memory.
  struct storage {
    std::uint32_t seen;
    std::uint32_t decision;
  };

  // Returns what a pass does. If that is nothing, its kernel is to end; or else its primary has ended. Passes look before
  // they wait, as none starts before the tile sort has ended: the first pass, which waits for that, lets the second one
  // start only then, and so on. Called by all threads of the block; has barriers where the neighbours of one tile,
  // another one in each block, are alike.
  template <class Comp>
  __device__ __forceinline__ pass_work begin_pass(storage& shared, Comp& comp) const {
    pass_work work = pass_work::merges;
    if (num_tiles > 0) {
      if (is_first_pass) simt::wait_for_primary();
      std::uint32_t const seen = decide(shared, comp);
      if ((seen & some_descend) == 0) {
        work = if_in_order;
      } else if ((seen & some_do_not) == 0) {
        work = if_descending;
      }
    }
    if (work == pass_work::nothing) {
      simt::skip_launch();
    } else {
      simt::wait_for_primary();
    }
    return work;
  }

 private:
  // Returns what is seen of all neighbours.
  template <class Comp>
  __device__ __forceinline__ std::uint32_t decide(storage& shared, Comp& comp) const {
    // Where neighbours are mixed, most blocks see that by one tile.
    std::int64_t const tile = smaller<std::int64_t>(simt::block_rank(), num_tiles - 1);
    if (orders[tile].seen == are_mixed) return are_mixed;
    if (simt::thread_rank() == 0) shared = {0, simt::load_relaxed(*decision)};
    simt::sync_block();
    if (shared.decision == 0) {
      std::uint32_t const seen = see_some(comp);
      if (seen != 0) simt::or_shared(shared.seen, seen);
      simt::sync_block();
      if (simt::thread_rank() == 0) {
        std::uint32_t const mine = shared.seen | is_decided;
        std::uint32_t const before = simt::compare_exchange_relaxed(*decision, 0u, mine);
        shared.decision = before == 0 ? mine : before;
      }
      simt::sync_block();
    }
    return shared.decision & are_mixed;
  }

  // Returns what a thread sees of its tiles, and of where each follows the one before.
  template <class Comp>
  __device__ __forceinline__ std::uint32_t see_some(Comp& comp) const {
    std::uint32_t seen = 0;
#pragma unroll 1
    for (std::int64_t tile = simt::thread_rank(); tile < num_tiles; tile += simt::threads_per_block()) {
      seen |= orders[tile].seen;
      if (tile > 0) seen |= orders[tile - 1].seen;
      if (seen == are_mixed) break;
      if (tile > 0) seen |= comp(orders[tile].first, orders[tile - 1].last) ? some_descend : some_do_not;
    }
    return seen;
  }
};

// Writes the items of the output from `begin` to `end`, which are those of tiles that are sorted, and follow each other
// in the opposite order. Called by all threads; no barrier.
template <int tile_items, class Key, class ValuesIn, class KeysOut, class ValuesOut>
__device__ __forceinline__ void mirror_tiles(Key const* keys_in, ValuesIn values_in, KeysOut keys_out,
                                             ValuesOut values_out, std::int64_t begin, std::int64_t end,
                                             std::int64_t num_items) {
#pragma unroll 1
  for (std::int64_t to = begin + simt::thread_rank(); to < end; to += simt::threads_per_block()) {
    std::int64_t const came_at = num_items - 1 - to;
    std::int64_t const tile = came_at / tile_items * tile_items;
    std::int64_t const tile_end = smaller<std::int64_t>(tile + tile_items, num_items);
    std::int64_t const from = tile + (tile_end - 1 - came_at);
    *(keys_out + to) = keys_in[from];
    if constexpr (has_values<iterator_value_t<ValuesIn>>) *(values_out + to) = *(values_in + from);
  }
}

}  // namespace mgpu::detail
