// A reduction reads plain memory 16 bytes at a time.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/thread/byte_sum.cuh>
#include <cstdint>
#include <cstring>

namespace mgpu::detail {

// A source of the input, like item_source. A unit is 16 bytes, or one item whose size is a multiple of that. Where it
// is several items, fewer than a unit may be left at either end of the input: those are read one by one.
template <class T, class Item, class Unary>
struct vector_source {
  static constexpr int item_bytes = static_cast<int>(sizeof(Item));
  static constexpr int items_per_unit = larger(16 / item_bytes, 1);
  static constexpr int unit_bytes = larger(item_bytes / 16, 1) * 16;
  // Memory can be read so if units have no gaps, and if it is aligned to the size of an item, or to 16 bytes if that is
  // less.
  static constexpr bool fits = items_per_unit * item_bytes == unit_bytes;
  static constexpr int alignment = smaller(item_bytes, 16);
  static constexpr bool always_aligned = static_cast<int>(alignof(Item)) >= alignment;

  using item = Item;
  struct __attribute__((__may_alias__)) unit {
    alignas(16) std::uint32_t words[unit_bytes / 4];
  };

  Item const* input;
  unit const* units;
  Unary unary;

  vector_source(Item const* items, Unary function)
      : input(items), units(reinterpret_cast<unit const*>(items + head())), unary(function) {}
  int head() const {
    auto const beyond = static_cast<int>(reinterpret_cast<std::uintptr_t>(input) % 16);
    return (16 - beyond) % 16 / item_bytes;
  }

  __device__ __forceinline__ unit load_unit(std::int64_t i) const { return units[i]; }
  __device__ __forceinline__ item load_item(std::int64_t i) const { return input[i]; }
  __device__ __forceinline__ T convert(item const& x) { return static_cast<T>(unary(x)); }
  template <class Op>
  __device__ __forceinline__ T fold(unit const& x, Op& op) {
    if constexpr (adds_bytes<T, Item, Unary, Op>) {
      return static_cast<T>(sum_of_bytes<Item>(x.words));
    } else {
      uninitialized_array<item, items_per_unit> items;
      memcpy(static_cast<void*>(items.items), &x, sizeof(x));
      uninitialized_array<T, 1> result;
      result[0] = convert(items[0]);
#pragma unroll
      for (int k = 1; k < items_per_unit; ++k) result[0] = op(result[0], convert(items[k]));
      return result[0];
    }
  }
};

}  // namespace mgpu::detail
