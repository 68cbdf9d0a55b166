// One block merges up to 16 sorted pieces that lie one behind the other, two by two, until there is one: an item's place in
// two runs is its place in its own one and how many items of the other come before it.
// Shiloach, Vishkin, Journal of Algorithms 2(1), 1981.
#pragma once
#include <mgpu/detail/block/rank_sort.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/word_of_key.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/find_ranks.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <cuda/std/functional>
#include <cstdint>

namespace mgpu::detail {

// This says where pieces begin; the missing ones begin at the end.
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
    for (int step = max_pieces / 2; step > 0; step /= 2) piece += begins[piece + step] <= place ? step : 0;
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
    typename word_of_key<Key>::type keys[2][max_items];  // before and after a round
    std::uint16_t sources[max_items];                    // source indices of the merged items
    std::uint32_t num_lost;
    __device__ storage() {}
  };

  __device__ __forceinline__ block_rank_merge(storage& shared, piece_bounds const& bounds)
      : shared_(shared), bounds_(bounds) {
    for_each([&](int k, int place) { pieces_[k] = bounds_.piece_of(place); });
  }

  // Returns which piece has the thread's item k.
  __device__ __forceinline__ int piece(int k) const { return pieces_[k]; }

  // Calls f(k, place) for the thread's items.
  template <class F>
  __device__ __forceinline__ void for_each(F f) const {
#pragma unroll
    for (int k = 0; k < items_per_thread; ++k) {
      int const place = place_of(k);
      if (place < bounds_.num_items()) f(k, place);
    }
  }

  // Puts the keys of the thread's items into the memory. Called by all threads, before merge().
  __device__ __forceinline__ void put(Key const (&keys)[items_per_thread]) {
    // By a comparator that is no order nobody may come to a place in any round: then comp sees a key there, too.
    for_each([&](int k, int place) {
      for (auto& side : shared_.keys) side[place] = packed::of(keys[k]);
    });
    if (simt::thread_rank() == 0) shared_.num_lost = 0;
  }

  // Merges 2^num_rounds pieces, two at least, stable; keys[k] is that of the thread's item k. Returns false if comp is no
  // order, and two items found the same place. Called by all threads.
  template <class Comp>
  __device__ __forceinline__ bool merge(Key const (&keys)[items_per_thread], int num_rounds, Comp& comp) {
    int places[items_per_thread] = {};
    for_each([&](int k, int place) { places[k] = place; });
    int const items = items_of_warp();
#pragma unroll 1
    for (int round = 0; round < num_rounds; ++round) {
      simt::sync_block();
      if (items > 1) {
        merge_round<items_per_thread>(keys, places, round, comp);
      } else if (items > 0) {
        merge_round<1>(keys, places, round, comp);
      }
      side_ ^= 1;
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
  __device__ __forceinline__ Key key(int place) const { return packed::key(shared_.keys[side_][place]); }
  __device__ __forceinline__ int source(int place) const { return shared_.sources[place]; }

 private:
  using packed = word_of_key<Key>;

  // Returns where the thread's item k stands before merge(), if there is one.
  __device__ __forceinline__ int place_of(int k) const {
    return static_cast<int>(simt::thread_rank() + static_cast<unsigned>(k) * simt::threads_per_block());
  }
  // Returns how many items a lane of the warp has at most.
  __device__ __forceinline__ int items_of_warp() const {
    auto const lane = static_cast<int>(simt::lane());
    int items = 0;
#pragma unroll
    for (int k = 0; k < items_per_thread; ++k) items += place_of(k) - lane < bounds_.num_items() ? 1 : 0;
    return items;
  }

  // Merges each two neighbouring runs, of 2^round pieces each. The thread's first num_items items, all that it has, are
  // looked for in step, as each look waits for the last.
  template <int num_items, class Comp>
  __device__ __forceinline__ void merge_round(Key const (&keys)[items_per_thread], int (&places)[items_per_thread],
                                              int round, Comp& comp) {
    auto const& from = shared_.keys[side_];
    auto& to = shared_.keys[side_ ^ 1];
    auto const is_earlier = [&](int k) { return (pieces_[k] >> round & 1) != 0; };  // tells it of the other run
    int const last = bounds_.num_items() - 1;
    int ends[num_items];      // items of the other run before it come before the key
    int run_ends[num_items];  // of the other run, which has none for an item that there is not
    int longest = 0;
#pragma unroll
    for (int k = 0; k < num_items; ++k) {
      int const other = pieces_[k] >> round ^ 1;
      ends[k] = bounds_.begins[other << round];
      int const run_end = bounds_.begins[(other + 1) << round];
      run_ends[k] = place_of(k) <= last ? run_end : ends[k];
      longest = larger(longest, run_ends[k] - ends[k]);
      places[k] -= is_earlier(k) ? run_ends[k] : ends[k];
    }
    detail::find_ranks<Key>(
        ends, longest, [&](int, int i) { return packed::key(from[num_items == 1 ? i : smaller(i, last)]); },
        [&](int k, int i, Key const& item) {
          return (num_items == 1 || i < run_ends[k]) && detail::comes_before(item, is_earlier(k), keys[k], comp);
        });
#pragma unroll
    for (int k = 0; k < num_items; ++k) {
      places[k] += ends[k];
      if (place_of(k) <= last) to[places[k]] = packed::of(keys[k]);
    }
  }

  storage& shared_;
  piece_bounds const& bounds_;
  int pieces_[items_per_thread] = {};
  int side_ = 0;  // the items are at keys[side_]
};

}  // namespace mgpu::detail
