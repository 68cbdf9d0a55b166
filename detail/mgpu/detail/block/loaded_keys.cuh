// One block writes bare keys in order that lie in its shared memory, where block_radix_sort has loaded them.
#pragma once
#include <mgpu/detail/block/bare_key_sort.cuh>
#include <mgpu/detail/block/or_of_bits.cuh>
#include <mgpu/detail/block/radix_sort.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/bare_key.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/number_range.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Tells whether keys can be ordered so: they are made anew from their bits.
template <class Sort>
constexpr bool can_order_loaded_keys =
    !has_values<typename Sort::value_type> && is_bare_key<typename Sort::key_type> &&
    Sort::tile_items / Sort::threads_per_block % 2 == 0;

// The memory of a block that sorts items in Sort's memory; if so asked, it orders bare keys without the indices that tell
// equal ones apart.
template <class Sort, bool orders_keys = can_order_loaded_keys<Sort>>
union loaded_keys_storage {
  static constexpr bool has_order = false;
  Sort sort;
  __device__ loaded_keys_storage() {}
};
template <class Sort>
union loaded_keys_storage<Sort, true> {
  static constexpr bool has_order = true;
  Sort sort;
  struct {
    uninitialized_array<typename Sort::key_type, Sort::tile_items> loaded;  // the first member of what is above
    bare_key_storage<ordered_bits_t<typename Sort::key_type>, Sort::threads_per_block,
                     Sort::tile_items / Sort::threads_per_block,
                     larger(1, bit_width(static_cast<std::uint32_t>(Sort::tile_items)) - 1)>
        ordered;
  } keys;
  __device__ loaded_keys_storage() {}
};

// Writes the first num_items loaded keys in order, and returns true, or returns false, having written nothing, where the
// memory is not for that, where many keys lie close together, or where zeros of two kinds have an order to keep. The keys'
// directed bits lie in the range. There is at least one. Called by all threads of the block, once the keys are seen by
// all; a barrier is owed before the memory is used again.
template <bool descending, class Memory, class Bits, class KeysOut>
__device__ __forceinline__ bool block_write_loaded_keys(Memory& memory, int num_items, number_range<Bits> range,
                                                        KeysOut out) {
  if constexpr (!Memory::has_order) {
    return false;
  } else {
    using Key = typename decltype(memory.sort)::key_type;
    auto& loaded = memory.keys.loaded;
    auto& ordered = memory.keys.ordered;
    auto const for_each_item = [&](auto f) {
#pragma unroll 4
      for (int i = static_cast<int>(simt::thread_rank()); i < num_items; i += ordered.threads_per_block) f(i);
    };
    std::uint32_t zeros = 0;
    if constexpr (has_two_zeros<Key>) {
      for_each_item([&](int i) { zeros |= detail::kind_of_zero(loaded[i]); });
      zeros = detail::block_or_of_bits(zeros, ordered.warps);
      if (zeros == 3) {
        simt::sync_block();
        return false;
      }
    }
    auto const bits_at = [&](int i) { return detail::directed_bits<descending>(loaded[i]); };
    if (!detail::block_order_numbers(ordered, bits_at, bits_at(0), num_items, range)) return false;
    simt::sync_block();
    bare_key_maker<descending, Key> const make_key{zeros == 2};
    for_each_item([&](int i) { *(out + i) = make_key(ordered.keys[i]); });
    return true;
  }
}

}  // namespace mgpu::detail
