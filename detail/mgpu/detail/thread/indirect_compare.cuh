// One thread compares items by their indices.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <cstdint>

namespace mgpu::detail {

// A comparator that orders indices as comp orders the items with these indices.
template <class Items, class Comp>
struct indirect_compare {
  Items items;
  Comp comp;

  template <class Index>
  __device__ __forceinline__ bool operator()(Index a, Index b) {
    iterator_value_t<Items> const a_item = *(items + static_cast<std::int64_t>(a));
    iterator_value_t<Items> const b_item = *(items + static_cast<std::int64_t>(b));
    return comp(a_item, b_item);
  }
};

}  // namespace mgpu::detail
