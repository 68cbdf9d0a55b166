// One block merges two or four sorted runs. Merge path: Green, McColl, Bader, ICS 2012.
#pragma once
#include <mgpu/detail/block/copy_large_items.cuh>
#include <mgpu/detail/block/merge_tile.cuh>
#include <mgpu/detail/block/start_copies.cuh>
#include <mgpu/detail/block/striped.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/plain_item.h>
#include <mgpu/detail/core/vector_word.h>
#include <mgpu/detail/simt/async_copy.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/merge_path.cuh>

namespace mgpu::detail {

// One block merges up to max_items from two or four sorted runs in global memory to global memory. Four runs are
// merged as two pairs, and then these two. As a thread merges items of one pair alone, four runs may leave a thread
// partly idle: so max_items is a thread's share less than the tile.
template <class Key, class Value, int threads_per_block, int items_per_thread, int num_runs = 2>
class block_merge {
  static_assert(num_runs == 2 || num_runs == 4, "mgpu: a block merges two runs or four");
  static constexpr int half = num_runs / 2;
  using index = value_index_t<Value>;

 public:
  using temp_storage = merge_tile<Key, index, threads_per_block, items_per_thread>;
  static constexpr int max_items = temp_storage::tile_items - (num_runs == 4 ? items_per_thread : 0);

  // Merges the tile's items. Called by all threads, once a block: no barrier is owed before it. keys.item(i) and
  // values.item(i) are item i of the runs joined one behind the other, which end at `ends`. Values are read only
  // where their index says, so they may be of any size; output and input do not overlap.
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Comp>
  static __device__ __forceinline__ void merge(temp_storage& temp, Keys const& keys, Values const& values,
                                               int const (&ends)[num_runs], KeysOut keys_out, ValuesOut values_out,
                                               Comp& comp) {
    // These are read anew wherever they are needed, as registers are short in a round: `ends` may lie in shared
    // memory.
    auto const valid = [&] { return ends[num_runs - 1]; };
    auto const halves = [&] { return ends[half - 1] > 0 && ends[half - 1] < valid(); };
    bool pairs = false;
    if constexpr (num_runs == 4) {
      pairs = (ends[0] > 0 && ends[0] < ends[1]) || (ends[1] < ends[2] && ends[2] < ends[3]);
    }
    if (!pairs && !halves()) {  // all items are of one run, as where much is in order already
      keys.with_only_run(
          [&](auto run) { copy<Key>([&](int i) -> decltype(auto) { return *(run + i); }, keys_out, valid()); });
      if constexpr (has_values<Value>) {
        values.with_only_run(
            [&](auto run) { copy<Value>([&](int i) -> decltype(auto) { return *(run + i); }, values_out, valid()); });
      }
      return;
    }
    load(keys, temp.keys + 0, valid());
    simt::sync_block();

#pragma unroll 1
    for (int round = pairs ? 0 : 1; round == 0 || (round == 1 && halves()); ++round) {
      merge_in_shared(temp, find_frame(round, ends), round > 0 && pairs, comp);
    }
    if constexpr (moves_whole_items<Key, KeysOut>) {
      detail::store_striped<threads_per_block, items_per_thread, max_items>(static_cast<Key const*>(temp.keys),
                                                                            keys_out, valid());
    } else {
      copy<Key>([&](int i) -> Key const& { return temp.keys[i]; }, keys_out, valid());
    }
    if constexpr (has_values<Value>) {
      copy<Value>([&](int i) -> decltype(auto) { return values.item(temp.source(i)); }, values_out, valid());
    }
  }

 private:
  // Returns the runs that the thread merges in a round, and from where: round 0 merges the first two and the last two
  // of four, round 1 the two halves.
  static __device__ __forceinline__ merge_frame find_frame(int round, int const (&ends)[num_runs]) {
    int thread = static_cast<int>(simt::thread_rank());
    merge_frame frame{0, ends[half - 1], ends[num_runs - 1], 0};
    if constexpr (num_runs == 4) {
      if (round == 0) {
        int const threads_of_first = divide_up(ends[1], items_per_thread);
        bool const is_first = thread < threads_of_first;
        frame = is_first ? merge_frame{0, ends[0], ends[1], 0} : merge_frame{ends[1], ends[2], ends[3], 0};
        thread -= is_first ? 0 : threads_of_first;
      }
    }
    frame.diagonal = smaller(thread * items_per_thread, frame.b_end - frame.a_begin);
    return frame;
  }

  // Merges the thread's share of a round. `again` says that an earlier round has moved the items, so that their source
  // indices are looked up. Called by all threads; has two barriers, the last one at its end.
  template <class Comp>
  static __device__ __forceinline__ void merge_in_shared(temp_storage& temp, merge_frame const& frame, bool again,
                                                         Comp& comp) {
    uninitialized_array<Key, items_per_thread> keys;
    uninitialized_array<index, items_per_thread> sources;
    temp.merge(frame, keys.items, sources.items, comp);
    int const first = frame.a_begin + frame.diagonal;
    if (has_values<Value> && again) temp.find_sources(first, sources.items, sources.items, frame.b_end);
    simt::sync_block();
    detail::store_from(first, keys.items, temp.keys + 0, frame.b_end);
    detail::store_from(first, sources.items, temp.sources + 0, frame.b_end);
    simt::sync_block();
  }

  // Loads the tile's keys to shared memory; a barrier is owed. Runs of plain memory are copied one after the other,
  // as finding an item's run takes longer than a step.
  template <class Keys>
  static __device__ __forceinline__ void load(Keys const& from, Key* shared, int valid) {
    if constexpr (Keys::is_plain_memory) {
      simt::async_copies copies;
      from.for_each_run(valid, [&](Key const* run, int begin, int count) {
        detail::start_copies<threads_per_block>(copies, run, shared + begin, count);
      });
      copies.wait();
    } else {
      detail::copy_items_striped<Key, threads_per_block, items_per_thread, max_items>(
          [&](int i) { return static_cast<Key>(from.item(i)); }, shared, valid);
    }
  }

  template <class T, class Out>
  static constexpr bool moves_whole_items = is_plain<T> && sizeof(T) <= 16 && !writes_large_items<Out>;

  // Copies item(0) to item(valid - 1) to `out`. Small items are all read before the first is written. Neighbouring
  // values come from neighbouring items of one run or the other, so reading them is nearly coalesced without a stay in
  // shared memory.
  template <class T, class Item, class Out>
  static __device__ __forceinline__ void copy(Item item, Out out, int valid) {
    if constexpr (moves_whole_items<T, Out>) {
      detail::copy_items_striped<T, threads_per_block, items_per_thread, max_items>(
          [&](int i) { return static_cast<T>(item(i)); }, out, valid);
    } else {
      detail::copy_large_items<T, threads_per_block>(item, out, valid);
    }
  }
};

}  // namespace mgpu::detail
