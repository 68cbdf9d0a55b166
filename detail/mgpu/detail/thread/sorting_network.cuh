// One thread sorts the items in its registers.
#pragma once
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

// Sorts keys by odd-even transposition: it is quadratic, but stable (only neighbours are exchanged, and only when the
// right one is smaller), it does not branch, and every exchange of a level is independent of the others. `indices` go
// with the keys. Any thread, no barrier.
template <int num_items, class Key, class Index, class Comp>
__device__ __forceinline__ void odd_even_transposition_sort(Key (&keys)[num_items], Index (&indices)[num_items],
                                                            Comp& comp) {
#pragma unroll
  for (int level = 0; level < num_items; ++level) {
#pragma unroll
    for (int i = level & 1; i + 1 < num_items; i += 2) {
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
}

}  // namespace mgpu::detail
