// What types of items the device can have.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/pair_tuple.h>
#include <mgpu/detail/core/plain_item.h>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace mgpu::detail {

// std's pairs and tuples are assigned by host functions, unless nvcc is told otherwise.
template <class T>
constexpr bool is_assigned_by_host = false;
#if defined(__CUDACC__) && !(defined(__CUDACC_RELAXED_CONSTEXPR__) && __cplusplus >= 202002L)
template <class First, class Second>
inline constexpr bool is_assigned_by_host<std::pair<First, Second>> = true;
template <class... Elements>
inline constexpr bool is_assigned_by_host<std::tuple<Elements...>> = true;
#endif
// Tells whether kernels can copy an item, as its bytes or by functions of its own, which must then be the device's too.
// Copies are never destroyed.
template <class T>
constexpr bool is_device_item = (is_plain<T> || (std::is_copy_constructible_v<T> && std::is_copy_assignable_v<T> &&
                                                 std::is_trivially_destructible_v<T>)) &&
                                !is_assigned_by_host<T>;

// nvcc takes long double for double, of as many bytes, so what the host wrote is another number on the device. This
// tells whether T holds one, as far as can be seen: in a number, in a type that names its elements by value_type, as
// complex numbers do, in an array, a pair or a tuple.
template <class T, class = void>
constexpr bool holds_long_double = std::is_same_v<T, long double>;
template <class T>
inline constexpr bool holds_long_double<T, std::enable_if_t<!std::is_same_v<T, typename T::value_type>>> =
    holds_long_double<std::remove_cv_t<typename T::value_type>>;
template <class T, std::size_t size>
inline constexpr bool holds_long_double<T[size], void> = holds_long_double<std::remove_cv_t<T>>;
template <class First, class Second>
inline constexpr bool holds_long_double<std::pair<First, Second>, void> =
    holds_long_double<First> || holds_long_double<Second>;
template <class First, class Second>
inline constexpr bool holds_long_double<cuda::std::pair<First, Second>, void> =
    holds_long_double<First> || holds_long_double<Second>;
template <class... Elements>
inline constexpr bool holds_long_double<std::tuple<Elements...>, void> = (holds_long_double<Elements> || ...);
template <class... Elements>
inline constexpr bool holds_long_double<cuda::std::tuple<Elements...>, void> = (holds_long_double<Elements> || ...);

}  // namespace mgpu::detail
