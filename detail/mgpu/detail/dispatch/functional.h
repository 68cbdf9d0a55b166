// Function objects of the standard library, for the device.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/functional.h>
#if __has_include(<bits/stl_function.h>)
#include <bits/stl_function.h>  // of libstdc++'s <functional>, what is wanted here
#else
#include <functional>
#endif
#include <type_traits>

namespace mgpu::detail {

namespace impl {

// What std's own templates say of themselves.
template <class Function>
auto argument_of(Function const*) -> typename Function::first_argument_type*;
template <class Function>
auto argument_of(Function const*) -> typename Function::argument_type*;

// Whether it is one of them. A program may specialise them for types of its own, though not for these; and a
// specialisation need not do what std's does.
template <class Function, class T, class = void>
constexpr bool is_stds_own = std::is_void_v<T> || std::is_arithmetic_v<T>;
template <class Function, class T>
inline constexpr bool is_stds_own<Function, T, std::void_t<decltype(impl::argument_of<Function>(nullptr))>> = true;

template <class Twin, class T, class Function>
auto twin_of(Function function) {
  if constexpr (is_stds_own<Function, T>) {
    return Twin{};
  } else {
    return function;
  }
}

}  // namespace impl

// Those of std are host functions to nvcc; their twins in libcu++ run on both sides. Anything else is the user's own and
// stays as it is.
template <class Function>
Function device_function(Function function) {
  return function;
}
template <class T>
auto device_function(std::less<T> function) {
  return impl::twin_of<cuda::std::less<T>, T>(function);
}
template <class T>
auto device_function(std::greater<T> function) {
  return impl::twin_of<cuda::std::greater<T>, T>(function);
}
template <class T>
auto device_function(std::plus<T> function) {
  return impl::twin_of<cuda::std::plus<T>, T>(function);
}
template <class T>
auto device_function(std::multiplies<T> function) {
  return impl::twin_of<cuda::std::multiplies<T>, T>(function);
}
template <class T>
auto device_function(std::bit_and<T> function) {
  return impl::twin_of<cuda::std::bit_and<T>, T>(function);
}
template <class T>
auto device_function(std::bit_or<T> function) {
  return impl::twin_of<cuda::std::bit_or<T>, T>(function);
}
template <class T>
auto device_function(std::bit_xor<T> function) {
  return impl::twin_of<cuda::std::bit_xor<T>, T>(function);
}
template <class T>
auto device_function(std::logical_and<T> function) {
  return impl::twin_of<cuda::std::logical_and<T>, T>(function);
}
template <class T>
auto device_function(std::logical_or<T> function) {
  return impl::twin_of<cuda::std::logical_or<T>, T>(function);
}
template <class T>
auto device_function(std::negate<T> function) {
  return impl::twin_of<cuda::std::negate<T>, T>(function);
}
template <class T>
auto device_function(std::bit_not<T> function) {
  return impl::twin_of<cuda::std::bit_not<T>, T>(function);
}
template <class T>
auto device_function(std::logical_not<T> function) {
  return impl::twin_of<cuda::std::logical_not<T>, T>(function);
}

}  // namespace mgpu::detail
