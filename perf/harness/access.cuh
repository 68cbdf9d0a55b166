// Iterators over items in memory, as operations.h says how they are reached.
#pragma once
#include <harness/operations.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

namespace perf {

// Only `computed` makes a difference here: data sets know what is unaligned.
template <class Access, class T>
auto input_iterator(T const* items) {
  if constexpr (std::is_same_v<Access, computed>) {
    return thrust::make_transform_iterator(items, opposite{});
  } else {
    return items;
  }
}
template <class Access, class T>
auto output_iterator(T* items) {
  if constexpr (std::is_same_v<Access, computed>) {
    return thrust::make_transform_output_iterator(items, opposite{});
  } else {
    return items;
  }
}

}  // namespace perf
