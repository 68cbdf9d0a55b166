// One thread makes several binary searches in step. No step is a branch, so what they load is under way together.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

// Sets ranks[s] to how many of num_items items come before what search s looks for: load(s, i) returns item i, and
// comes_before(s, i, item) tells it of that one. If an item comes before, so do those in front of it.
template <class Item, int num_searches, class Load, class ComesBefore>
__device__ __forceinline__ void find_ranks(int (&ranks)[num_searches], int num_items, Load load,
                                           ComesBefore comes_before) {
#pragma unroll
  for (int s = 0; s < num_searches; ++s) ranks[s] = 0;
#pragma unroll 1
  for (auto unknown = static_cast<unsigned>(num_items); unknown > 0; unknown /= 2) {
    // It is not known yet of so many items, from ranks[s] on, or of fewer.
    auto const step = static_cast<int>((unknown + 1) / 2);
    uninitialized_array<Item, num_searches> items;
#pragma unroll
    for (int s = 0; s < num_searches; ++s) items[s] = load(s, ranks[s] + step - 1);
#pragma unroll
    for (int s = 0; s < num_searches; ++s) {
      ranks[s] += comes_before(s, ranks[s] + step - 1, items[s]) ? step : 0;
    }
  }
}

}  // namespace mgpu::detail
