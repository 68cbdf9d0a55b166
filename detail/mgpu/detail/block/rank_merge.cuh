// One block merges up to 16 sorted pieces that lie one behind the other, two by two, until there is one: an item's place in
// two runs is its place in its own one and how many items of the other come before it.
// Shiloach, Vishkin, Journal of Algorithms 2(1), 1981.
#pragma once
#include <mgpu/detail/block/rank_sort.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <cuda/std/functional>
#include <cstdint>

namespace mgpu::detail {

// Where pieces begin; those that there are not begin at the end.
struct piece_bounds {
  static constexpr int max_pieces = 16;
  int begins[max_pieces + 1];

  // Sets the bounds; `length` is that of the lane's piece, of a lane that has none 0. Called by one warp.
  __device__ __forceinline__ void set(int length) {
    auto const lane = static_cast<int>(simt::lane());
    cuda::std::plus<> op;
    int const end = detail::warp_inclusive_scan(length, threads_per_warp, op);
    if (lane == 0) begins[0] = 0;
    if (lane < max_pieces) begins[lane + 1] = end;
  }

  __device__ __forceinline__ int num_items() const { return begins[max_pieces]; }
  // Returns which piece has the item at a place.
  __device__ __forceinline__ int piece_of(int place) const {
    int piece = 0;
#pragma unroll
    for (int next = 1; next < max_pieces; ++next) piece += begins[next] <= place ? 1 : 0;
    return piece;
  }
};

// A block merges at most max_items, as many as items_per_thread times its threads. Thread t has the items at t, and at t
// and the number of threads, and so on.
template <class Key, int max_items, int num_items_per_thread>
class block_rank_merge {
 public:
  static constexpr int items_per_thread = num_items_per_thread;

  struct storage {
    uninitialized_array<Key, max_items> keys[2];  // before and after a round
    std::uint16_t sources[max_items];             // source indices of the merged items
    std::uint32_t num_lost;
    __device__ storage() {}
  };

  __device__ __forceinline__ block_rank_merge(storage& shared, piece_bounds const& bounds)
      : shared_(shared), bounds_(bounds) {}

  // Calls f(k, place) for the thread's items.
  template <class F>
  __device__ __forceinline__ void for_each(F f) const {
#pragma unroll
    for (int k = 0; k < items_per_thread; ++k) {
      int const place = static_cast<int>(simt::thread_rank() + static_cast<unsigned>(k) * simt::threads_per_block());
      if (place < bounds_.num_items()) f(k, place);
    }
  }

  // Merges 2^num_rounds pieces, two at least, stable; keys[k] is that of the thread's item k. Returns false if comp is no
  // order, and two items found the same place. Called by all threads.
  template <class Comp>
  __device__ __forceinline__ bool merge(Key const (&keys)[items_per_thread], int num_rounds, Comp& comp) {
    int pieces[items_per_thread];
    int places[items_per_thread];
    for_each([&](int k, int place) {
      pieces[k] = bounds_.piece_of(place);
      places[k] = place;
      // By a comparator that is no order nobody may come to a place in any round: then comp sees a key there, too.
      for (auto& side : shared_.keys) side[place] = keys[k];
    });
    if (simt::thread_rank() == 0) shared_.num_lost = 0;
#pragma unroll 1
    for (int round = 0; round < num_rounds; ++round) {
      simt::sync_block();
      auto const& from = shared_.keys[side_];
      side_ ^= 1;
      auto& to = shared_.keys[side_];
      for_each([&](int k, int) {
        int const run = pieces[k] >> round;
        int const other = run ^ 1;
        bool const is_earlier = other < run;
        int const begin = bounds_.begins[other << round];
        int const length = bounds_.begins[(other + 1) << round] - begin;
        int end = begin;  // items before it come before the key, and of so many behind it, or fewer, it is unknown
#pragma unroll 1
        for (int unknown = length; unknown > 0; unknown /= 2) {
          int const next = end + unknown - unknown / 2;
          Key const item = from[next - 1];
          if (detail::comes_before(item, is_earlier, keys[k], comp)) end = next;
        }
        places[k] += end - (is_earlier ? begin + length : begin);
        to[places[k]] = keys[k];
      });
    }
    for_each([&](int k, int place) { shared_.sources[places[k]] = static_cast<std::uint16_t>(place); });
    simt::sync_block();
    for_each([&](int k, int place) {
      if (source(places[k]) != place) static_cast<void>(simt::add_shared(shared_.num_lost, 1u));
    });
    simt::sync_block();
    return shared_.num_lost == 0;
  }

  // These are what stands at a place after merge(), and where that item stood before.
  __device__ __forceinline__ Key const& key(int place) const { return shared_.keys[side_][place]; }
  __device__ __forceinline__ int source(int place) const { return shared_.sources[place]; }

 private:
  storage& shared_;
  piece_bounds const& bounds_;
  int side_ = 0;  // the items are at keys[side_]
};

}  // namespace mgpu::detail
