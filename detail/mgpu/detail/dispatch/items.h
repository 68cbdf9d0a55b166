// The dispatch of every algorithm asks here about its items: whether the device can have them, and how they are
// moved.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/pair_tuple.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace mgpu::detail {

// Items larger than these cost less to gather once than to move in every pass.
constexpr int max_moved_key_bytes = 32;
constexpr int max_moved_value_bytes = 16;

template <class T>
constexpr int bytes_of = has_values<T> ? static_cast<int>(sizeof(T)) : 0;

template <class Tuning, class Default>
using tuning_or_default = std::conditional_t<std::is_void_v<Tuning>, Default, Tuning>;

// Items are copied from kernel to kernel by plain copies and never destroyed. That asks for less than trivially
// copyable, so that pairs and tuples of such items, whose assignment is not trivial, are items too. But std's pairs
// and tuples are assigned by host functions, unless nvcc is told otherwise.
template <class T>
constexpr bool is_assigned_by_host = false;
#if defined(__CUDACC__) && !(defined(__CUDACC_RELAXED_CONSTEXPR__) && __cplusplus >= 202002L)
template <class First, class Second>
inline constexpr bool is_assigned_by_host<std::pair<First, Second>> = true;
template <class... Elements>
inline constexpr bool is_assigned_by_host<std::tuple<Elements...>> = true;
#endif
template <class T>
constexpr bool is_plain_item =
    std::is_trivially_copy_constructible_v<T>&& std::is_trivially_destructible_v<T> && !is_assigned_by_host<T>;

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

// Returns an iterator over items of T: `in` itself where it needs no conversion, else an iterator that makes T of its
// items.
template <class T, class In, class Unary>
auto as_items(In in, Unary unary) {
  if constexpr (std::is_same_v<Unary, no_transform> && std::is_same_v<iterator_value_t<In>, T>) {
    return in;
  } else {
    return transformed_iterator<T, In, Unary>{in, unary};
  }
}

// Each of these checks says in one line what keeps a call from the device.
template <class Policy>
constexpr auto check_device_compiler() {
  static_assert(MGPU_HAS_DEVICE || always_false<Policy>::value,
                "mgpu: a device policy needs nvcc: compile this file as CUDA, or use mgpu::host");
}
template <class... Items>
constexpr auto check_long_double() {
  static_assert(
      !(holds_long_double<Items> || ...),
      "mgpu: on the device there is no long double, which nvcc takes for double: use double, or mgpu::host");
}
// `Others` are the iterators of the call besides the first keys and values.
template <class Policy, class Keys, class Values, class... Others>
constexpr auto check_device_items() {
  check_long_double<iterator_value_t<Keys>, iterator_value_t<Values>, output_value_t<Others>...>();
  static_assert(
      is_plain_item<iterator_value_t<Keys>>,
      "mgpu: on the device, keys must be trivially copyable, or pairs or tuples of such (std's only with C++20 "
      "and --expt-relaxed-constexpr)");
  static_assert(
      is_plain_item<iterator_value_t<Values>>,
      "mgpu: on the device, values must be trivially copyable, or pairs or tuples of such (std's only with C++20 "
      "and --expt-relaxed-constexpr)");
  check_device_compiler<Policy>();
}

}  // namespace mgpu::detail
