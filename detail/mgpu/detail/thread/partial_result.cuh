// A result under way, of an operator without an identity.
#pragma once
#include <mgpu/detail/core/array.cuh>

namespace mgpu::detail {

// Op over the items so far, if there were any.
template <class T>
struct partial_result {
  uninitialized_array<T, 1> value;
  bool any = false;

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
