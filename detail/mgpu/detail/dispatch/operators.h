// The operators of the standard library have twins on the device, as its comparators do.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/dispatch/std_functions.h>
#include <type_traits>

namespace mgpu::detail::impl {

template <class Function, class Twin, class T>
using operator_twin = std::conditional<is_number_or_void<T>, Twin, Function>;

template <class T>
struct device_twin<std::plus<T>> : operator_twin<std::plus<T>, cuda::std::plus<T>, T> {};
template <class T>
struct device_twin<std::multiplies<T>> : operator_twin<std::multiplies<T>, cuda::std::multiplies<T>, T> {};
template <class T>
struct device_twin<std::bit_and<T>> : operator_twin<std::bit_and<T>, cuda::std::bit_and<T>, T> {};
template <class T>
struct device_twin<std::bit_or<T>> : operator_twin<std::bit_or<T>, cuda::std::bit_or<T>, T> {};
template <class T>
struct device_twin<std::bit_xor<T>> : operator_twin<std::bit_xor<T>, cuda::std::bit_xor<T>, T> {};
template <class T>
struct device_twin<std::logical_and<T>> : operator_twin<std::logical_and<T>, cuda::std::logical_and<T>, T> {};
template <class T>
struct device_twin<std::logical_or<T>> : operator_twin<std::logical_or<T>, cuda::std::logical_or<T>, T> {};
template <class T>
struct device_twin<std::negate<T>> : operator_twin<std::negate<T>, cuda::std::negate<T>, T> {};
template <class T>
struct device_twin<std::bit_not<T>> : operator_twin<std::bit_not<T>, cuda::std::bit_not<T>, T> {};
template <class T>
struct device_twin<std::logical_not<T>> : operator_twin<std::logical_not<T>, cuda::std::logical_not<T>, T> {};

}  // namespace mgpu::detail::impl
