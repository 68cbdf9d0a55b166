// The result so far of an operator that has no identity.
#pragma once
#include <mgpu/detail/core/array.cuh>

namespace mgpu::detail {

// Holds op over the items so far, if `any` says that there were some. Any thread, no barrier.
template <class T>
struct partial_result {
  uninitialized_array<T, 1> value;
  bool any = false;

  // These take one more value, on the right of the result or on its left.
  template <class Op>
  __device__ __forceinline__ void append(T const& right, Op& op) {
    if (any) {
      value[0] = op(value[0], right);
    } else {
      value[0] = right;
      any = true;
    }
  }
  template <class Op>
  __device__ __forceinline__ void prepend(T const& left, Op& op) {
    if (any) {
      value[0] = op(left, value[0]);
    } else {
      value[0] = left;
      any = true;
    }
  }
};

}  // namespace mgpu::detail
