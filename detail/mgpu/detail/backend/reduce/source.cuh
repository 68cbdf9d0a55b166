// How a reduction reads its input: in units, each of which is one load of one thread. Each item becomes unary(item),
// converted to T. The host makes the source. Where a unit is several items, fewer than a unit may be left at either
// end: those are read one by one.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_transform.h>
#include <mgpu/detail/core/reorderable.h>
#include <mgpu/detail/core/transformed_iterator.h>
#include <mgpu/detail/thread/byte_sum.cuh>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace mgpu::detail {

// Reads any iterator. A unit is an item.
template <class T, class Input, class Unary>
struct item_source {
  static constexpr int items_per_unit = 1;
  using item = iterator_value_t<Input>;
  using unit = item;

  Input input;
  Unary unary;

  item_source(Input input, Unary unary) : input(input), unary(unary) {}
  // Returns how many items come before the first unit.
  int head() const { return 0; }

  // A source of the input has these: they load unit or item i, make an item a T, and return op over a unit's items.
  __device__ __forceinline__ unit load_unit(std::int64_t i) const { return *(input + i); }
  __device__ __forceinline__ item load_item(std::int64_t i) const { return *(input + i); }
  __device__ __forceinline__ T convert(item const& x) { return static_cast<T>(unary(x)); }
  template <class Op>
  __device__ __forceinline__ T fold(unit const& x, Op&) {
    return convert(x);
  }
};

// Reads the results of a grid's blocks, which are in the order of their spans. A unit is a result.
template <class T>
struct partials_source {
  using unit = T;
  T const* partials;

  __device__ __forceinline__ unit load_unit(std::int64_t i) const { return partials[i]; }
  template <class Op>
  __device__ __forceinline__ T fold(unit const& x, Op&) {
    return x;
  }
};

// Reads plain memory 16 bytes at a time. A unit is 16 bytes, or one item whose size is a multiple of that. The input
// is aligned to the size of an item, or to 16 bytes if that is less.
template <class T, class Item, class Unary>
struct vector_source {
  static constexpr int vector_bytes = 16;
  static constexpr int items_per_unit =
      sizeof(Item) < vector_bytes ? vector_bytes / static_cast<int>(sizeof(Item)) : 1;
  static constexpr int vectors_per_unit = items_per_unit * static_cast<int>(sizeof(Item)) / vector_bytes;
  using item = Item;

  struct __attribute__((__may_alias__)) vector {
    alignas(vector_bytes) std::uint32_t words[vector_bytes / 4];
  };
  struct unit {
    vector vectors[vectors_per_unit];
  };

  Item const* input;
  vector const* vectors;  // where the first unit begins
  Unary unary;

  vector_source(Item const* input, Unary unary) : input(input), unary(unary) {
    vectors = reinterpret_cast<vector const*>(input + head());
  }
  int head() const {
    auto const beyond = static_cast<int>(reinterpret_cast<std::uintptr_t>(input) % vector_bytes);
    return (vector_bytes - beyond) % vector_bytes / static_cast<int>(sizeof(Item));
  }

  __device__ __forceinline__ unit load_unit(std::int64_t i) const {
    unit loaded;
#pragma unroll
    for (int v = 0; v < vectors_per_unit; ++v) loaded.vectors[v] = vectors[i * vectors_per_unit + v];
    return loaded;
  }
  __device__ __forceinline__ item load_item(std::int64_t i) const { return input[i]; }
  __device__ __forceinline__ T convert(item const& x) { return static_cast<T>(unary(x)); }

  // Returns whether the items are one-byte integers that are added up, untransformed, in an integer.
  template <class Op>
  __host__ __device__ static constexpr bool adds_bytes() {
    return sizeof(Item) == 1 && std::is_integral_v<Item> && std::is_integral_v<T> &&
           std::is_same_v<Unary, no_transform> && is_sum<Op, T>;
  }
  // Returns op over the items of a unit, first to last; four at a time where bytes are added up.
  template <class Op>
  __device__ __forceinline__ T fold(unit const& x, Op& op) {
    if constexpr (adds_bytes<Op>()) {
      using sum_type = std::conditional_t<std::is_signed_v<Item>, std::int32_t, std::uint32_t>;
      std::uint32_t sum = 0;
#pragma unroll
      for (int w = 0; w < vector_bytes / 4; ++w) sum = add_bytes<Item>(x.vectors[0].words[w], sum);
      return static_cast<T>(static_cast<sum_type>(sum));
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
