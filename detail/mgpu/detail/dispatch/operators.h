// The device gets a twin of each operator of the standard library here.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/dispatch/functional.h>
#include <mgpu/detail/dispatch/std_functions.h>

namespace mgpu::detail {

namespace impl {
template <class Twin, class T, class Function>
auto operator_twin(Function function) {
  return impl::twin_of<Twin, is_number_or_void<T>>(function);
}
}  // namespace impl

template <class T>
auto device_function(std::plus<T> function) {
  return impl::operator_twin<cuda::std::plus<T>, T>(function);
}
template <class T>
auto device_function(std::multiplies<T> function) {
  return impl::operator_twin<cuda::std::multiplies<T>, T>(function);
}
template <class T>
auto device_function(std::bit_and<T> function) {
  return impl::operator_twin<cuda::std::bit_and<T>, T>(function);
}
template <class T>
auto device_function(std::bit_or<T> function) {
  return impl::operator_twin<cuda::std::bit_or<T>, T>(function);
}
template <class T>
auto device_function(std::bit_xor<T> function) {
  return impl::operator_twin<cuda::std::bit_xor<T>, T>(function);
}
template <class T>
auto device_function(std::logical_and<T> function) {
  return impl::operator_twin<cuda::std::logical_and<T>, T>(function);
}
template <class T>
auto device_function(std::logical_or<T> function) {
  return impl::operator_twin<cuda::std::logical_or<T>, T>(function);
}
template <class T>
auto device_function(std::negate<T> function) {
  return impl::operator_twin<cuda::std::negate<T>, T>(function);
}
template <class T>
auto device_function(std::bit_not<T> function) {
  return impl::operator_twin<cuda::std::bit_not<T>, T>(function);
}
template <class T>
auto device_function(std::logical_not<T> function) {
  return impl::operator_twin<cuda::std::logical_not<T>, T>(function);
}

}  // namespace mgpu::detail
