// One block merges two or four sorted runs. Merge path: Green, McColl, Bader, ICS 2012.
#pragma once
#include <mgpu/detail/block/tile.cuh>
#include <mgpu/detail/core/address_of.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/vector_word.h>
#include <mgpu/detail/simt/async_copy.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/merge_path.cuh>
#include <mgpu/detail/thread/serial_merge.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Merges the two runs of the thread's frame, which lie in shared memory, from its diagonal on, into registers. Called
// by all threads of the block, each with a frame of its own. What is valid is as in serial_merge. Owes a barrier
// before any thread writes to `keys`: up to items_per_thread items behind the frame may be read.
template <int items_per_thread, class Key, class Index, class Comp>
__device__ __forceinline__ void merge_from_shared(Key const* keys, merge_frame frame, Key (&merged)[items_per_thread],
                                                  Index (&sources)[items_per_thread], Comp& comp) {
  int const from_a = detail::merge_path(keys + frame.a_begin, frame.a_end - frame.a_begin, keys + frame.a_end,
                                        frame.b_end - frame.a_end, frame.diagonal, comp);
  int const a = frame.a_begin + from_a;
  int const b = frame.a_end + frame.diagonal - from_a;
  bool const within = a + items_per_thread <= frame.a_end && b + items_per_thread <= frame.b_end;
  // For keys alone two loops are better, as the tests of the ends matter there; a warp chooses as one, so that none
  // runs both.
  if (!has_values<Index> && simt::all(simt::full_mask, within)) {
    detail::serial_merge<true>(keys, a, frame.a_end, b, frame.b_end, merged, sources, comp);
  } else {
    detail::serial_merge<false>(keys, a, frame.a_end, b, frame.b_end, merged, sources, comp);
  }
}

// The index that goes with a key in place of its value: the item's index in its tile, or nothing when there are no
// values.
template <class Value>
using value_index_t = std::conditional_t<has_values<Value>, int, no_value>;

// A tile's shares of some runs, joined one behind the other.
template <int num_runs>
struct run_shares {
  int ends[num_runs];              // where each share ends in the tile
  std::int64_t offsets[num_runs];  // an index in the tile plus this is the index in the runs' memory

  // Returns the index in the runs' memory of the tile's item i.
  __device__ __forceinline__ std::int64_t place(int i) const {
    int run = 0;
#pragma unroll
    for (int r = 0; r < num_runs - 1; ++r) run += i >= ends[r] ? 1 : 0;
    return offsets[run] + i;
  }
};

// The items of such shares, in the order of the tile. The shares lie in shared memory, which saves registers.
template <class Iterator, int num_runs>
struct joined_shares {
  Iterator items;
  run_shares<num_runs> const& shares;

  __device__ __forceinline__ decltype(auto) item(int i) const { return *(items + shares.place(i)); }
  static constexpr bool is_plain_memory = std::is_pointer_v<Iterator>;
  // Calls visit(begin of the share, its index in the tile, its count) for each run.
  template <class Visit>
  __device__ __forceinline__ void for_each_run(int, Visit visit) const {
#pragma unroll 1
    for (int r = 0; r < num_runs; ++r) {
      int const begin = r == 0 ? 0 : shares.ends[r - 1];
      visit(items + (shares.offsets[r] + begin), begin, shares.ends[r] - begin);
    }
  }
  // Calls visit(begin of the share), where all items of the tile are of one run.
  template <class Visit>
  __device__ __forceinline__ void with_only_run(Visit visit) const {
    visit(items + shares.place(0));
  }
};

// Joins the shares of two runs that are read by iterators of different types; its members are as those of
// joined_shares.
template <class A, class B>
struct joined_pair {
  A a;
  int a_count;
  B b;

  __device__ __forceinline__ decltype(auto) item(int i) const {
    if constexpr (std::is_same_v<A, B>) {
      return *(i < a_count ? a + i : b + (i - a_count));  // one load, with the address chosen
    } else {
      if (i < a_count) return iterator_value_t<A>(*(a + i));
      return iterator_value_t<A>(*(b + (i - a_count)));
    }
  }
  static constexpr bool is_plain_memory = std::is_pointer_v<A> && std::is_same_v<A, B>;
  template <class Visit>
  __device__ __forceinline__ void for_each_run(int count, Visit visit) const {
#pragma unroll 1
    for (int r = 0; r < 2; ++r) visit(r == 0 ? a : b, r == 0 ? 0 : a_count, r == 0 ? a_count : count - a_count);
  }
  template <class Visit>
  __device__ __forceinline__ void with_only_run(Visit visit) const {
    if constexpr (std::is_same_v<A, B>) {
      visit(a_count > 0 ? a : b);
    } else if (a_count > 0) {
      visit(a);
    } else {
      visit(b);
    }
  }
};

// One block merges up to max_items from two or four sorted runs in global memory to global memory. Four runs are
// merged as two pairs, and then these two. As a thread merges items of one pair alone, four runs may leave a thread
// partly idle: so max_items is a thread's share less than tile_items.
template <class Key, class Value, int threads_per_block, int items_per_thread, int num_runs = 2>
struct block_merge {
  static_assert(num_runs == 2 || num_runs == 4, "mgpu: a block merges two runs or four");
  static constexpr int tile_items = threads_per_block * items_per_thread;
  static constexpr int max_items = tile_items - (num_runs == 4 ? items_per_thread : 0);
  using index = value_index_t<Value>;

  struct temp_storage {
    Key keys[tile_items + items_per_thread];  // padded, as merge_from_shared may read behind the items
    index_array<index, tile_items> sources;
  };

  // Merges the tile's items. Called by all threads, once a block: no barrier is owed before it. keys.item(i) and
  // values.item(i) are item i of the runs joined one behind the other, which end at `ends`. Values are read only
  // where their index says, so they may be of any size; output and input do not overlap.
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Comp>
  static __device__ __forceinline__ void merge(temp_storage& temp, Keys const& keys, Values const& values,
                                               int const (&ends)[num_runs], KeysOut keys_out, ValuesOut values_out,
                                               Comp& comp) {
    constexpr int half = num_runs / 2;
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
    load(keys, temp.keys, valid());
    simt::sync_block();

#pragma unroll 1
    for (int round = pairs ? 0 : 1; round == 0 || (round == 1 && halves()); ++round) {
      int thread = static_cast<int>(simt::thread_rank());
      merge_frame frame{0, ends[half - 1], valid(), 0};
      if constexpr (num_runs == 4) {
        if (round == 0) {
          int const threads_of_first = divide_up(ends[1], items_per_thread);
          bool const is_first = thread < threads_of_first;
          frame = is_first ? merge_frame{0, ends[0], ends[1], 0} : merge_frame{ends[1], ends[2], valid(), 0};
          thread -= is_first ? 0 : threads_of_first;
        }
      }
      frame.diagonal = smaller(thread * items_per_thread, frame.b_end - frame.a_begin);
      merge_in_shared(temp, frame, round > 0 && pairs, comp);
    }
    if constexpr (moves_whole_items<Key, KeysOut>) {
      detail::store_striped<threads_per_block, items_per_thread, max_items>(static_cast<Key const*>(temp.keys),
                                                                            keys_out, valid());
    } else {
      copy<Key>([&](int i) -> Key const& { return temp.keys[i]; }, keys_out, valid());
    }
    if constexpr (has_values<Value>) {
      copy<Value>([&](int i) -> decltype(auto) { return values.item(temp.sources.get(i)); }, values_out, valid());
    }
  }

 private:
  // Merges the thread's share of a round in shared memory. `again` says that an earlier round has moved the items, so
  // that their source indices are looked up. Called by all threads; has two barriers, the last one at its end.
  template <class Comp>
  static __device__ __forceinline__ void merge_in_shared(temp_storage& temp, merge_frame const& frame, bool again,
                                                         Comp& comp) {
    uninitialized_array<Key, items_per_thread> keys;
    uninitialized_array<index, items_per_thread> sources;
    detail::merge_from_shared(temp.keys, frame, keys.items, sources.items, comp);
    int const first = frame.a_begin + frame.diagonal;
    if (has_values<Value> && again) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        if (first + i < frame.b_end) sources[i] = temp.sources.get(static_cast<int>(sources[i]));
      }
    }
    simt::sync_block();
    detail::store_from(first, keys.items, temp.keys, frame.b_end);
    detail::store_from(first, sources.items, temp.sources, frame.b_end);
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
      uninitialized_array<Key, items_per_thread> keys;
      detail::for_each_striped<threads_per_block, items_per_thread, max_items>(
          valid, [&](int i, int position) { keys[i] = static_cast<Key>(from.item(position)); });
      detail::for_each_striped<threads_per_block, items_per_thread, max_items>(
          valid, [&](int i, int position) { shared[position] = keys[i]; });
    }
  }

  template <class T, class Out>
  static constexpr bool moves_whole_items = sizeof(T) <= 16 && !writes_large_items<Out>;

  // Copies item(0) to item(valid - 1) to `out`. Small items are all read before the first is written; large ones are
  // moved in pieces. Neighbouring values come from neighbouring items of one run or the other, so reading them is
  // nearly coalesced without a stay in shared memory.
  template <class T, class Item, class Out>
  static __device__ __forceinline__ void copy(Item item, Out out, int valid) {
    using reference = decltype(item(0));  // it may be a proxy
    auto const thread = static_cast<int>(simt::thread_rank());
    if constexpr (moves_whole_items<T, Out>) {
      uninitialized_array<T, items_per_thread> items;
      detail::for_each_striped<threads_per_block, items_per_thread, max_items>(
          valid, [&](int i, int position) { items[i] = static_cast<T>(item(position)); });
      detail::for_each_striped<threads_per_block, items_per_thread, max_items>(
          valid, [&](int i, int position) { *(out + position) = items[i]; });
    } else if constexpr (std::is_lvalue_reference_v<reference> && std::is_same_v<std::decay_t<reference>, T> &&
                         std::is_same_v<Out, T*>) {
      using piece = vector_word_of<T>;
      constexpr int pieces = sizeof(T) / sizeof(piece);
      auto const pieces_of = [&](int i) { return reinterpret_cast<piece const*>(detail::address_of(item(i))); };
      if constexpr (pieces >= 8 * threads_per_block) {  // all threads move one item: an int does not count all pieces
#pragma unroll 1
        for (int i = 0; i < valid; ++i) {
          auto const* const from = pieces_of(i);
          auto* const to = reinterpret_cast<piece*>(out + i);
#pragma unroll 4
          for (int at = thread; at < pieces; at += threads_per_block) to[at] = from[at];
        }
      } else {
#pragma unroll 4
        for (int at = thread; at < valid * pieces; at += threads_per_block) {
          reinterpret_cast<piece*>(out + at / pieces)[at % pieces] = pieces_of(at / pieces)[at % pieces];
        }
      }
    } else {
#pragma unroll 1
      for (int position = thread; position < valid; position += threads_per_block) {
        *(out + position) = static_cast<T>(item(position));
      }
    }
  }
};

}  // namespace mgpu::detail
