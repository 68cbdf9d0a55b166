// One block merges runs in shared memory, two by two, until there is one: each thread makes a few items a round.
#pragma once
#include <mgpu/detail/block/merge_tile.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/merge_path.cuh>
#include <mgpu/detail/thread/serial_merge.cuh>
#include <cstdint>

namespace mgpu::detail {

// A block has at most max_threads, and merges at most max_items.
template <class Key, class Index, int max_items, int num_items_per_thread, int max_threads>
struct block_merge_rounds {
  static constexpr int items_per_thread = num_items_per_thread;
  static_assert(max_items % items_per_thread == 0);

  // A round reads one tile and writes the other one. Before the first round the runs are in tiles[0].
  struct storage {
    union {
      merge_tile<Key, Index, max_items / items_per_thread, items_per_thread> tiles[2];
    };
    int starts[2][max_threads];  // where, in the first of its two runs, each thread starts in a round
    std::uint32_t num_gaps;      // threads that did not end where the next one started
    __device__ storage() {}
  };
  // The items from first_place() on, as far as there are so many, and where they came from.
  struct items {
    uninitialized_array<Key, items_per_thread> keys;
    uninitialized_array<Index, items_per_thread> sources;
  };
  static __device__ __forceinline__ int first_place() {
    return static_cast<int>(simt::thread_rank()) * items_per_thread;
  }

  // Merges in `num_rounds` rounds, at least one, stable, into registers. frame_of(round) is the thread's frame, whose
  // diagonal is a multiple of items_per_thread; in the last round it is that of all items, or empty. Returns false
  // if comp is no order, and items are lost by it. What tiles[0] has is seen by all threads, which call this.
  template <class FrameOf, class Comp>
  static __device__ __forceinline__ bool merge(storage& shared, int num_rounds, FrameOf frame_of, items& mine,
                                               Comp& comp) {
    auto const thread = static_cast<int>(simt::thread_rank());
    if (thread == 0) shared.num_gaps = 0;
    bool has_gap = false;
#pragma unroll 1
    for (int round = 0; round < num_rounds; ++round) {
      auto const& from = shared.tiles[round % 2];
      merge_frame const frame = frame_of(round);
      int const first = frame.a_begin + frame.diagonal;
      int end_in_a = frame.a_end;
      if (first < frame.b_end) {
        uninitialized_array<int, items_per_thread> places;
        int const from_a =
            detail::merge_path(from.keys + frame.a_begin, frame.a_end - frame.a_begin, from.keys + frame.a_end,
                               frame.b_end - frame.a_end, frame.diagonal, comp);
        int const a = frame.a_begin + from_a;
        detail::serial_merge(from.keys + 0, a, frame.a_end, frame.a_end + frame.diagonal - from_a, frame.b_end,
                             mine.keys.items, places.items, comp);
        shared.starts[round % 2][thread] = end_in_a = a;
#pragma unroll
        for (int k = 0; k < items_per_thread; ++k) {
          if (first + k >= frame.b_end) continue;
          mine.sources[k] = from.source(places[k]);
          if (places[k] < frame.a_end) ++end_in_a;
        }
      }
      if (round + 1 < num_rounds) {
        auto& to = shared.tiles[(round + 1) % 2];
        detail::store_from(first, mine.keys.items, to.keys + 0, frame.b_end);
        detail::store_from(first, mine.sources.items, to.sources + 0, frame.b_end);
      }
      simt::sync_block();
      bool const is_last = first + items_per_thread >= frame.b_end;
      if (end_in_a != (is_last ? frame.a_end : shared.starts[round % 2][thread + 1])) has_gap = true;
    }
    if (has_gap) static_cast<void>(simt::add_shared(shared.num_gaps, 1u));
    simt::sync_block();
    return shared.num_gaps == 0;
  }

  // Calls f(place, key, source) for each of the thread's items.
  template <class F>
  static __device__ __forceinline__ void for_each(items const& mine, int count, F f) {
#pragma unroll
    for (int k = 0; k < items_per_thread; ++k) {
      if (first_place() + k < count) f(first_place() + k, mine.keys[k], mine.sources[k]);
    }
  }
};

}  // namespace mgpu::detail
