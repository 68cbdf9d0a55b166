// Finds the address of any object.
#pragma once
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

// Returns the address of an object whose type may be the user's, with an operator& of its own.
template <class T>
__host__ __device__ constexpr T* address_of(T& x) {
  return __builtin_addressof(x);
}

}  // namespace mgpu::detail
