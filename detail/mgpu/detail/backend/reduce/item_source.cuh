// A reduction reads what any iterator gives, item by item.
#pragma once
#include <mgpu/detail/core/iterator.h>
#include <cstdint>

namespace mgpu::detail {

// A source of the input is made by the host. It is read in units, each of which is one load of one thread, and here one
// item. Each item becomes unary(item), converted to T.
template <class T, class Input, class Unary>
struct item_source {
  static constexpr int items_per_unit = 1;
  using item = iterator_value_t<Input>;
  using unit = item;

  Input input;
  Unary unary;

  // Returns how many items come before the first unit.
  int head() const { return 0; }
  // These functions load unit or item i, make an item a T, and return op over a unit's items, first to last.
  __device__ __forceinline__ unit load_unit(std::int64_t i) const { return *(input + i); }
  __device__ __forceinline__ item load_item(std::int64_t i) const { return load_unit(i); }
  __device__ __forceinline__ T convert(item const& x) { return static_cast<T>(unary(x)); }
  template <class Op>
  __device__ __forceinline__ T fold(unit const& x, Op&) {
    return convert(x);
  }
};

}  // namespace mgpu::detail
