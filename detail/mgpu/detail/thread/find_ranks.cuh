// One thread makes several binary searches in step. No step is a branch, so what they load is under way together.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

// Adds to ranks[s] how many of num_items items, from item ranks[s] on, come before what search s looks for: load(s, i)
// returns item i, and comes_before(s, i, item) tells it of that one. If an item comes before, so do those in front of it.
template <class Item, int num_searches, class Load, class ComesBefore>
__device__ __forceinline__ void find_ranks(int (&ranks)[num_searches], int num_items, Load load,
                                           ComesBefore comes_before) {
#pragma unroll 1
  for (auto unknown = static_cast<unsigned>(num_items); unknown > 0; unknown /= 2) {
    // It is not known yet of so many items, from ranks[s] on, or of fewer.
    int nexts[num_searches];
    uninitialized_array<Item, num_searches> items;
#pragma unroll
    for (int s = 0; s < num_searches; ++s) {
      nexts[s] = ranks[s] + static_cast<int>(unknown - unknown / 2);
      items[s] = load(s, nexts[s] - 1);
    }
#pragma unroll
    for (int s = 0; s < num_searches; ++s) {
      if (comes_before(s, nexts[s] - 1, items[s])) ranks[s] = nexts[s];
    }
  }
}

}  // namespace mgpu::detail
