// What the dispatch of every algorithm asks about items: whether the device can have them, and how they travel.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/host/policy.h>
#include <tuple>
#include <type_traits>
#include <utility>

namespace mgpu::detail {

// Larger items than these cost less to gather once than to move in every pass.
constexpr int max_moved_key_bytes = 32;
constexpr int max_moved_value_bytes = 16;

template <class T>
constexpr int bytes_of = has_values<T> ? static_cast<int>(sizeof(T)) : 0;

template <class Tuning, class Default>
using tuning_or_default = std::conditional_t<std::is_void_v<Tuning>, Default, Tuning>;

// Items are copied from kernel to kernel by plain copies and never destroyed. Weaker than trivially copyable, so that
// pairs and tuples of such items, whose assignment is not trivial, are items too.
// Those of std are assigned by host functions, though, unless nvcc is told otherwise.
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

// A plain range of T needs no conversion; any other is read through an iterator that makes T of its items.
template <class T, class In, class Unary>
auto as_items(In in, Unary unary) {
  if constexpr (std::is_same_v<Unary, no_transform> && std::is_same_v<iterator_value_t<In>, T>) {
    return in;
  } else {
    return transformed_iterator<T, In, Unary>{in, unary};
  }
}

// Each says in one line what keeps a call from the device.
template <class Policy>
constexpr auto check_device_compiler() {
  static_assert(MGPU_HAS_DEVICE || always_false<Policy>::value,
                "mgpu: a device policy needs nvcc: compile this file as CUDA, or use mgpu::host");
}
template <class Policy, class Keys, class Values>
constexpr auto check_device_items() {
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
