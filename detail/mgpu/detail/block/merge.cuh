// One block merges two sorted runs. Merge path: Green, McColl, Bader, ICS 2012.
#pragma once
#include <mgpu/detail/block/tile.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/thread/merge_path.cuh>
#include <mgpu/detail/thread/serial_merge.cuh>
#include <cstddef>
#include <type_traits>

namespace mgpu::detail {

// Merges the two runs of the thread's frame, which lie in shared memory, from its diagonal on, into registers.
// Called by all threads of the block; the frame is the thread's own. As serial_merge for what is valid.
// Owes a barrier before anybody writes to `keys`: up to items_per_thread items behind the frame may be read.
template <int items_per_thread, class Key, class Index, class Comp>
__device__ __forceinline__ void merge_from_shared(Key const* keys, merge_frame<int> frame,
                                                  Key (&merged)[items_per_thread], Index (&sources)[items_per_thread],
                                                  Comp& comp) {
  int const from_a = merge_path(keys + frame.a_begin, frame.a_end - frame.a_begin, keys + frame.a_end,
                                frame.b_end - frame.a_end, frame.diagonal, comp);
  int const a = frame.a_begin + from_a;
  int const b = frame.a_end + frame.diagonal - from_a;
  bool const within = a + items_per_thread <= frame.a_end && b + items_per_thread <= frame.b_end;
  // Two loops are better for keys alone, where the tests tell; by warps, so that none runs both.
  if (!has_values<Index> && simt::all(simt::full_mask, within)) {
    serial_merge<true>(keys, a, frame.a_end, b, frame.b_end, merged, sources, comp);
  } else {
    serial_merge<false>(keys, a, frame.a_end, b, frame.b_end, merged, sources, comp);
  }
}

// What a value index is: the place of an item in its tile, or nothing when there are no values.
template <class Value>
using value_index_t = std::conditional_t<has_values<Value>, int, no_value>;

// Merges up to a tile of items from two runs in global memory to global memory.
template <class Key, class Value, int threads_per_block, int items_per_thread>
struct block_merge {
  static constexpr int tile_items = threads_per_block * items_per_thread;
  using index = value_index_t<Value>;

  union temp_storage {
    Key keys[tile_items + items_per_thread];  // more than there are, as merge_from_shared may read them
    index_array<index, tile_items> sources;
  };

  // Called by all threads. Run a has a_count items, run b b_count, together at most tile_items. Values are read only
  // where their index says, so they may be of any size; output and input do not overlap.
  template <class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut, class Comp>
  static __device__ __forceinline__ void merge(temp_storage& temp, KeysA keys_a, ValuesA values_a, int a_count,
                                               KeysB keys_b, ValuesB values_b, int b_count, KeysOut keys_out,
                                               ValuesOut values_out, Comp& comp) {
    int const valid = a_count + b_count;
    if (a_count == 0 || b_count == 0) {  // as where all is in order already
      if constexpr (std::is_same_v<KeysA, KeysB> && std::is_same_v<ValuesA, ValuesB>) {
        bool const is_a = b_count == 0;
        copy_run(is_a ? keys_a : keys_b, is_a ? values_a : values_b, valid, keys_out, values_out);
      } else if (b_count == 0) {
        copy_run(keys_a, values_a, valid, keys_out, values_out);
      } else {
        copy_run(keys_b, values_b, valid, keys_out, values_out);
      }
      return;
    }
    load_runs(temp.keys, keys_a, a_count, keys_b, b_count);
    simt::sync_block();

    uninitialized_array<Key, items_per_thread> keys;
    uninitialized_array<index, items_per_thread> sources;
    int const first = static_cast<int>(simt::thread_rank()) * items_per_thread;
    merge_from_shared(temp.keys, merge_frame<int>{0, a_count, valid, smaller(first, valid)}, keys.items,
                      sources.items, comp);
    simt::sync_block();

    store_blocked(keys.items, temp.keys, valid);
    simt::sync_block();
    store_keys(static_cast<Key const*>(temp.keys), keys_out, valid);

    if constexpr (has_values<Value>) {
      simt::sync_block();
      store_blocked(sources.items, temp.sources);
      simt::sync_block();
      gather_values(temp.sources, values_a, a_count, values_b, values_out, valid);
    }
  }

 private:
  // Item i of the two runs put one behind the other.
  template <class RunA, class RunB>
  static __device__ __forceinline__ auto item(RunA a, int a_count, RunB b, int i) -> iterator_value_t<RunA> {
    if constexpr (std::is_same_v<RunA, RunB>) {
      return *(i < a_count ? a + i : b + (i - a_count));  // one load, with the address chosen
    } else {
      if (i < a_count) return *(a + i);
      return *(b + (i - a_count));
    }
  }

  template <class KeysA, class KeysB>
  static __device__ __forceinline__ void load_runs(Key* shared, KeysA a, int a_count, KeysB b, int b_count) {
    uninitialized_array<Key, items_per_thread> keys;
    int const valid = a_count + b_count;
    for_each_striped<threads_per_block, items_per_thread>(
        valid, [&](int i, int position) { keys[i] = item(a, a_count, b, position); });
    for_each_striped<threads_per_block, items_per_thread>(valid,
                                                          [&](int i, int position) { shared[position] = keys[i]; });
  }

  template <class Keys, class Values, class KeysOut, class ValuesOut>
  static __device__ __forceinline__ void copy_run(Keys keys, Values values, int count, KeysOut keys_out,
                                                  ValuesOut values_out) {
    store_keys(keys, keys_out, count);
    if constexpr (has_values<Value>) {
      if constexpr (sizeof(Value) <= 8) {
        copy_striped<threads_per_block, items_per_thread>(values, values_out, count);
      } else {
        copy_one_by_one(values, values_out, count);
      }
    }
  }

  template <class Source, class Target>
  static __device__ __forceinline__ void copy_one_by_one(Source source, Target target, int count) {
#pragma unroll 1
    for (int position = static_cast<int>(simt::thread_rank()); position < count; position += threads_per_block) {
      *(target + position) = *(source + position);
    }
  }

  template <class Keys, class KeysOut>
  static __device__ __forceinline__ void store_keys(Keys keys, KeysOut out, int count) {
    if constexpr (writes_large_items<KeysOut>) {
      copy_one_by_one(keys, out, count);
    } else {
      copy_striped<threads_per_block, items_per_thread>(keys, out, count);
    }
  }

  // Neighbouring outputs come from neighbouring inputs of one run or the other, so these reads are nearly coalesced
  // without a stay in shared memory. Values of up to 8 bytes are all read before the first is written.
  template <class ValuesA, class ValuesB, class ValuesOut>
  static __device__ __forceinline__ void gather_values(index_array<index, tile_items> const& sources, ValuesA a,
                                                       int a_count, ValuesB b, ValuesOut out, int valid) {
    if constexpr (sizeof(Value) <= 8) {
      uninitialized_array<Value, items_per_thread> values;
      for_each_striped<threads_per_block, items_per_thread>(
          valid, [&](int i, int position) { values[i] = item(a, a_count, b, sources.get(position)); });
      for_each_striped<threads_per_block, items_per_thread>(
          valid, [&](int i, int position) { *(out + position) = values[i]; });
    } else {
#pragma unroll 1
      for (int position = static_cast<int>(simt::thread_rank()); position < valid; position += threads_per_block) {
        *(out + position) = item(a, a_count, b, sources.get(position));
      }
    }
  }
};

}  // namespace mgpu::detail
