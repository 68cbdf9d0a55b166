// One block sorts pairs of a key and a value, stable, whose keys agree in their highest bits. The bits below and the
// pair's index make one number: numbers are put in order, and then keys and values follow.
#pragma once
#include <mgpu/detail/block/bare_key_sort.cuh>
#include <mgpu/detail/block/merge_sort.cuh>
#include <mgpu/detail/block/start_copies.cuh>
#include <mgpu/detail/block/striped_tested.cuh>
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/bare_key.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/async_copy.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// A range of pairs in global memory.
template <class Key, class Value>
struct pair_range {
  Key* keys;
  Value* values;
};

// The shared memory of such a block, in which Numbers are put in order.
template <class Key, class Value, class Numbers, int num_threads, int num_items_per_thread>
struct pair_sort_storage {
  using number = ordered_bits_t<Key>;
  static constexpr int threads_per_block = num_threads;
  static constexpr int items_per_thread = num_items_per_thread;
  static constexpr int tile_items = threads_per_block * items_per_thread;
  static constexpr bool makes_keys = is_bare_key<Key>;  // anew, from their bits

  Numbers numbers;
  // These are in the order of the input.
  alignas(16) uninitialized_array<Value, tile_items> values;
  alignas(16) uninitialized_array<Key, makes_keys ? 1 : tile_items> keys;
  number prefix;  // what the keys agree in
  __device__ pair_sort_storage() {}
};

// The memory of a block that sorts evenly spread keys, and of one that sorts any; that one has a power of two of threads.
template <class Key, class Value, int threads, int items_per_thread, int bin_bits>
using even_pairs_storage =
    pair_sort_storage<Key, Value, bare_key_storage<ordered_bits_t<Key>, threads, items_per_thread, bin_bits>, threads,
                      items_per_thread>;
template <class Key, class Value, int threads, int items_per_thread>
using any_pairs_storage = pair_sort_storage<
    Key, Value, typename block_merge_sort<ordered_bits_t<Key>, no_value, threads, items_per_thread>::temp_storage,
    threads, items_per_thread>;

// The sort of one block, whose functions are called by all threads: of num_items pairs, at least one, from place `first`
// on, by the directed bits of their keys, which agree in the index_bits highest ones. There are at most 2^index_bits
// pairs. Input and output may be the same memory, as all is read before a pair is written.
template <bool descending, class Storage, class Key, class Value>
class block_pair_sort {
  using number = typename Storage::number;
  static constexpr int threads = Storage::threads_per_block;
  static constexpr int items_per_thread = Storage::items_per_thread;

 public:
  Storage& shared;
  pair_range<Key, Value> from;
  pair_range<Key, Value> to;
  std::uint32_t first;
  int num_items;
  int index_bits;

  // Puts evenly spread keys in order, which write() then writes, and returns true, or returns false where others come. A
  // barrier is owed before the shared memory is used again.
  __device__ __forceinline__ bool order_if_even() {
    simt::async_copies copies;
    number const first_number = begin(copies);
    bool const is_even = detail::block_order_numbers(
        shared.numbers, [&](int at) { return number_at(at); }, first_number, num_items);
    copies.wait();
    return is_even;
  }

  // Sorts any keys. A barrier is owed before the shared memory is used again.
  __device__ __forceinline__ void run() {
    using sorter = block_merge_sort<number, no_value, threads, items_per_thread>;
    simt::async_copies copies;
    begin(copies);
    auto const is_less = [](number a, number b) { return a < b; };
    int const place = static_cast<int>(simt::thread_rank()) * items_per_thread;
    uninitialized_array<number, items_per_thread> mine;
    no_value none[items_per_thread];
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (place + i < num_items) mine[i] = number_at(place + i);
    }
    sorter::sort(shared.numbers, mine.items, none, num_items, is_less);
    simt::sync_block();
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (place + i < num_items) shared.numbers.keys[place + i] = mine[i];
    }
    copies.wait();
    write();
  }

  // Writes the pairs, once they are in order. The first thing in it is a barrier; another is owed before the shared memory
  // is used again.
  __device__ __forceinline__ void write() {
    simt::sync_block();
    simt::forget(first);  // else addresses are kept all the time, for which there are no registers
    number const prefix = shared.prefix;
    auto const bits_of = [&](number one) { return static_cast<number>(one >> index_bits | prefix); };
    // Two zeros have the same bits, so a zero's sign is read again before a key is written.
    static_assert(items_per_thread <= 32);
    std::uint32_t negative_zeros = 0;
    if constexpr (has_two_zeros<Key>) {
      number const zero = detail::directed_bits<descending>(Key{});
      if ((zero ^ prefix) >> (8 * static_cast<int>(sizeof(number)) - index_bits) == 0) {
        Key const* const keys = from.keys + first;
        detail::for_each_striped_tested<threads, items_per_thread>(num_items, [&](int i, int at) {
          number const one = shared.numbers.keys[at];
          if (bits_of(one) == zero && detail::kind_of_zero(keys[index_of(one)]) == 2) negative_zeros |= 1u << i;
        });
        simt::sync_block();
      }
    }
    Key* const keys_out = to.keys + first;
    Value* const values_out = to.values + first;
    detail::for_each_striped_tested<threads, items_per_thread>(num_items, [&](int i, int at) {
      number const one = shared.numbers.keys[at];
      int const source = index_of(one);
      if constexpr (Storage::makes_keys) {
        keys_out[at] = bare_key_maker<descending, Key>{(negative_zeros >> i & 1) != 0}(bits_of(one));
      } else {
        keys_out[at] = shared.keys[source];
      }
      values_out[at] = shared.values[source];
    });
  }

 private:
  __device__ __forceinline__ number number_of(Key const& key, int at) const {
    return static_cast<number>((detail::directed_bits<descending>(key) << index_bits) + static_cast<number>(at));
  }
  __device__ __forceinline__ number number_at(int at) const {
    Key const key = (from.keys + first)[at];
    if constexpr (!Storage::makes_keys) shared.keys[at] = key;
    return number_of(key, at);
  }
  __device__ __forceinline__ int index_of(number one) const {
    return static_cast<int>(static_cast<std::uint32_t>(one) & ((1u << index_bits) - 1));
  }

  // Starts to load values, and returns the first number.
  __device__ __forceinline__ number begin(simt::async_copies& copies) const {
    detail::start_copies<threads>(copies, static_cast<Value const*>(from.values + first),
                                  cuda::std::addressof(shared.values[0]), num_items);
    Key const key = from.keys[first];
    if (simt::thread_rank() == 0) {
      int const low_bits = 8 * static_cast<int>(sizeof(number)) - index_bits;
      shared.prefix = static_cast<number>(detail::directed_bits<descending>(key) >> low_bits << low_bits);
    }
    return number_of(key, 0);
  }
};

}  // namespace mgpu::detail
