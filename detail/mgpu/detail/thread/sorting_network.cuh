// One thread sorts the items in its registers.
#pragma once
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

namespace impl {
// Exchanges items i and i + 1 of `count` where the right one is smaller, for every second i from `first` on.
template <int num_items, class Key, class Index, class Comp>
__device__ __forceinline__ void exchange_neighbours(Key (&keys)[num_items], Index (&indices)[num_items], int first,
                                                    int count, Comp& comp) {
#pragma unroll
  for (int i = first; i + 1 < num_items; i += 2) {
    if (i + 1 >= count) continue;
    Key const left = keys[i];
    Key const right = keys[i + 1];
    Index const left_index = indices[i];
    Index const right_index = indices[i + 1];
    bool const exchange = comp(right, left);
    keys[i] = exchange ? right : left;
    keys[i + 1] = exchange ? left : right;
    indices[i] = exchange ? right_index : left_index;
    indices[i + 1] = exchange ? left_index : right_index;
  }
}
}  // namespace impl

// Sorts the first `count` keys by odd-even transposition: it is quadratic, but stable (only neighbours are exchanged, and
// only when the right one is smaller), and every exchange of a level is independent of the others. `indices` go with the
// keys. Whatever comp answers, these are the same keys and indices after it. Any thread, no barrier.
template <int num_items, class Key, class Index, class Comp>
__device__ __forceinline__ void odd_even_transposition_sort(Key (&keys)[num_items], Index (&indices)[num_items],
                                                            int count, Comp& comp) {
  if (count >= num_items) {
    // The count is a constant here, so nothing branches.
#pragma unroll
    for (int level = 0; level < num_items; ++level) {
      impl::exchange_neighbours(keys, indices, level & 1, num_items, comp);
    }
  } else {
#pragma unroll 1
    for (int level = 0; level < count; level += 2) {
      impl::exchange_neighbours(keys, indices, 0, count, comp);
      impl::exchange_neighbours(keys, indices, 1, count, comp);
    }
  }
}

}  // namespace mgpu::detail
