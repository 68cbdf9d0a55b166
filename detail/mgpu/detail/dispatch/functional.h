// Function objects of the standard library, for the device.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/functional.h>
#if __has_include(<bits/stl_function.h>)
#include <bits/stl_function.h>  // of libstdc++'s <functional>, what is wanted here
#else
#include <functional>
#endif

namespace mgpu::detail {

// Those of std are host functions to nvcc; their twins in libcu++ run on both sides. Anything else is the user's own and
// stays as it is.
template <class Function>
Function device_function(Function function) {
  return function;
}
template <class T>
cuda::std::less<T> device_function(std::less<T>) {
  return {};
}
template <class T>
cuda::std::greater<T> device_function(std::greater<T>) {
  return {};
}
template <class T>
cuda::std::plus<T> device_function(std::plus<T>) {
  return {};
}
template <class T>
cuda::std::multiplies<T> device_function(std::multiplies<T>) {
  return {};
}
template <class T>
cuda::std::bit_and<T> device_function(std::bit_and<T>) {
  return {};
}
template <class T>
cuda::std::bit_or<T> device_function(std::bit_or<T>) {
  return {};
}
template <class T>
cuda::std::bit_xor<T> device_function(std::bit_xor<T>) {
  return {};
}
template <class T>
cuda::std::logical_and<T> device_function(std::logical_and<T>) {
  return {};
}
template <class T>
cuda::std::logical_or<T> device_function(std::logical_or<T>) {
  return {};
}

}  // namespace mgpu::detail
