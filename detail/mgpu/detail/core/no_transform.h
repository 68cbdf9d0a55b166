// The unary function of a call that has none.
#pragma once
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

// A function that returns an item as it is.
struct no_transform {
  template <class T>
  __host__ __device__ constexpr T const& operator()(T const& item) const {
    return item;
  }
};

}  // namespace mgpu::detail
