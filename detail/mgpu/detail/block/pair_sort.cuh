// One block sorts pairs of a key and a value, stable, whose keys agree in their highest bits. The bits below and the
// pair's index make one number: numbers are put in order, and then keys and values follow.
#pragma once
#include <mgpu/detail/block/bare_key_sort.cuh>
#include <mgpu/detail/block/merge_sort.cuh>
#include <mgpu/detail/block/merge_tile.cuh>
#include <mgpu/detail/block/start_copies.cuh>
#include <mgpu/detail/block/striped.cuh>
#include <mgpu/detail/core/address_of.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/bare_key.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/async_copy.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The shared memory of such a block, which has a power of two of threads.
template <class Key, class Value, int num_threads, int num_items_per_thread, int bin_bits>
struct pair_sort_storage {
  using number = ordered_bits_t<Key>;
  using sorter = block_merge_sort<number, no_value, num_threads, num_items_per_thread>;
  static constexpr int threads_per_block = num_threads;
  static constexpr int items_per_thread = num_items_per_thread;
  static constexpr int tile_items = threads_per_block * items_per_thread;
  static constexpr bool makes_keys = is_bare_key<Key>;  // anew, from their bits

  union {
    bare_key_storage<number, threads_per_block, items_per_thread, bin_bits> numbers;
    typename sorter::temp_storage merge;
  };
  // These are in the order of the input.
  alignas(16) uninitialized_array<Value, tile_items> values;
  alignas(16) uninitialized_array<Key, makes_keys ? 1 : tile_items> keys;
  __device__ pair_sort_storage() {}
};

namespace impl {

// Puts the numbers in order, in shared.numbers.keys, whatever they are. Has barriers at both ends, and owes one.
template <class Storage, class NumberAt>
__device__ __forceinline__ void merge_numbers(Storage& shared, NumberAt number_at, int num_items) {
  using number = typename Storage::number;
  constexpr int items_per_thread = Storage::items_per_thread;
  auto const is_less = [](number a, number b) { return a < b; };
  int const first = static_cast<int>(simt::thread_rank()) * items_per_thread;
  uninitialized_array<number, items_per_thread> mine;
  no_value none[items_per_thread];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (first + i < num_items) mine[i] = number_at(first + i);
  }
  Storage::sorter::sort(shared.merge, mine.items, none, num_items, is_less);
  simt::sync_block();
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (first + i < num_items) shared.numbers.keys[first + i] = mine[i];
  }
}

}  // namespace impl

// Sorts num_items pairs, at least one, by the directed bits of their keys. All of these are `prefix`, or differ from it
// in lower bits than the index_bits highest ones. There are at most 2^index_bits pairs. Input and output may be the same
// memory, as all is read before a pair is written. Called by all threads of a block; a barrier is owed before the shared
// memory is used again.
template <bool descending, class Storage, class Key, class Value>
__device__ __forceinline__ void block_pair_sort(Storage& shared, Key const* keys, Value const* values, Key* keys_out,
                                                Value* values_out, int num_items, ordered_bits_t<Key> prefix,
                                                int index_bits) {
  using number = typename Storage::number;
  constexpr int threads = Storage::threads_per_block;
  constexpr int items_per_thread = Storage::items_per_thread;
  auto const number_of = [&](Key const& key, int at) {
    return static_cast<number>(detail::directed_bits<descending>(key) << index_bits | static_cast<number>(at));
  };
  auto const index_of = [&](number one) {
    return static_cast<int>(static_cast<std::uint32_t>(one) & ((1u << index_bits) - 1));
  };
  auto const bits_of = [&](number one) { return static_cast<number>(one >> index_bits | prefix); };
  auto const number_at = [&](int at) {
    Key const key = keys[at];
    if constexpr (!Storage::makes_keys) shared.keys[at] = key;
    return number_of(key, at);
  };
  simt::async_copies copies;
  detail::start_copies<threads>(copies, values, detail::address_of(shared.values[0]), num_items);
  if (!detail::block_order_numbers(shared.numbers, number_at, number_of(*keys, 0), num_items)) {
    impl::merge_numbers(shared, number_at, num_items);
  }
  copies.wait();
  simt::sync_block();

  // Two zeros have the same bits, so a zero's sign is read again before a key is written.
  static_assert(items_per_thread <= 32);
  std::uint32_t negative_zeros = 0;
  if constexpr (has_two_zeros<Key>) {
    number const zero = detail::directed_bits<descending>(Key{});
    if ((zero ^ prefix) >> (8 * static_cast<int>(sizeof(number)) - index_bits) == 0) {
      detail::for_each_striped<threads, items_per_thread>(num_items, [&](int i, int at) {
        number const one = shared.numbers.keys[at];
        if (bits_of(one) == zero && detail::kind_of_zero(keys[index_of(one)]) == 2) negative_zeros |= 1u << i;
      });
      simt::sync_block();
    }
  }
  detail::for_each_striped<threads, items_per_thread>(num_items, [&](int i, int at) {
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

}  // namespace mgpu::detail
