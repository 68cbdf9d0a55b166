// What the rows of scans and reductions differ in, beside the type of the items: the operator, and how the items are
// reached.
#pragma once
#include <harness/types.h>
#include <cuda/functional>
#include <cuda/std/functional>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <type_traits>

namespace perf {

// Operators; every library is given the same.
using plus = cuda::std::plus<>;
using maximum = cuda::maximum<>;

// The map that does `first`, then `second`.
struct compose {
  __host__ __device__ constexpr affine operator()(affine const& first, affine const& second) const {
    return {second.scale * first.scale, second.scale * first.shift + second.shift};
  }
};

// Of integers of 128 bits whose low half is `order`: a struct with an operator of a user's own.
struct plus_128 {
  __host__ __device__ constexpr s16 operator()(s16 const& a, s16 const& b) const {
    u64 const low = a.order + b.order;
    return {low, a.id + b.id + (low < a.order ? 1 : 0)};
  }
};

inline char const* name_of(plus) { return "plus"; }
inline char const* name_of(maximum) { return "max"; }
inline char const* name_of(compose) { return "compose"; }
inline char const* name_of(plus_128) { return "plus_128"; }

template <class Op>
constexpr bool commutes = !std::is_same_v<Op, compose>;

// What a scan or reduction with an init begins with: the operators' neutral element.
template <class T>
__host__ __device__ constexpr T initial() {
  if constexpr (std::is_same_v<T, affine>) {
    return {1, 0};
  } else {
    return {};
  }
}

// How items are reached: through pointers; through pointers to one item after where memory is aligned; through
// iterators that compute.
struct direct {};
struct unaligned {};
struct computed {};

// What rows append to the operator's name.
inline char const* suffix_of(direct) { return ""; }
inline char const* suffix_of(unaligned) { return "_unaligned"; }
inline char const* suffix_of(computed) { return "_computed"; }

// What the iterators compute, on the way in and out. It is its own inverse; and for integers not a minus sign, since
// two of those, before and after a sum, cancel.
struct opposite {
  template <class T>
  __host__ __device__ constexpr T operator()(T const& x) const {
    if constexpr (std::is_floating_point_v<T>) {
      return T{} - x;
    } else {
      return ~x;
    }
  }
};

// What an operator sees of an item in memory; and what in memory is the result that an operator gave.
template <class Access, class T>
__host__ __device__ constexpr T through(T const& item) {
  if constexpr (std::is_same_v<Access, computed>) {
    return opposite{}(item);
  } else {
    return item;
  }
}

// An iterator over items in memory, to read them if they are const, else to write results. Only `computed` makes a
// difference here: inputs know what is unaligned.
template <class Access, class T>
auto iterator_over(T* items) {
  if constexpr (!std::is_same_v<Access, computed>) {
    return items;
  } else if constexpr (std::is_const_v<T>) {
    return thrust::make_transform_iterator(items, opposite{});
  } else {
    return thrust::make_transform_output_iterator(items, opposite{});
  }
}

}  // namespace perf
