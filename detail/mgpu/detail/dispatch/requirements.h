// These checks say what a call asks of its arguments. For a wrong argument the compiler says so in one line, before
// anything else that it breaks: every call begins with its own checks, each in a static_assert, so that they are
// looked into there and leave no code behind.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/pair_tuple.h>
#include <mgpu/detail/dispatch/item_traits.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace mgpu::detail {

// --- Iterators.

template <class Iterator, class = void>
constexpr bool is_random_access = false;
template <class Iterator>
inline constexpr bool
    is_random_access<Iterator, std::void_t<decltype(*(std::declval<Iterator&>() + std::int64_t{}))>> = true;

template <class... Iterators>
constexpr auto check_iterators() {
  static_assert((is_random_access<Iterators> && ...),
                "mgpu: ranges are given by random-access iterators; copy a list, a set or a stream to a vector");
  return true;
}

// The type that kernels get when they dereference the iterator.
template <class Iterator>
using reference_t = decltype(*(unwrap(std::declval<Iterator>()) + std::int64_t{}));

// --- Outputs.

// An output is read-only if it cannot be assigned to, and drops what is written to it if that changes nothing: it is
// a value that the iterator made, or a tuple that it made of references, some of which cannot be assigned to, though
// the tuple promises an assignment whatever they are.
template <class Reference>
constexpr bool is_read_only = !std::is_assignable_v<Reference, std::decay_t<Reference>>;
template <class... References>
constexpr bool any_is_read_only(cuda::std::tuple<References...> const*) {
  return (is_read_only<References> || ...);
}
constexpr bool any_is_read_only(void const*) { return false; }

template <class Reference, class T>
constexpr bool drops_writes = std::is_same_v<std::remove_cv_t<Reference>, std::decay_t<T>> ||
                              (!std::is_lvalue_reference_v<Reference> &&
                               detail::any_is_read_only(static_cast<std::decay_t<Reference>*>(nullptr)));

// T is the type in which a result is passed: T const&, or T where it is moved.
template <class Output, class T>
constexpr auto check_output() {
  if constexpr (has_values<std::decay_t<T>>) {
    using reference = reference_t<Output>;
    constexpr bool takes = std::is_assignable_v<reference, T>;
    static_assert(
        !drops_writes<reference, T> && (takes || !is_read_only<reference>),
        "mgpu: the output is read-only: its iterator points to const, or computes its items (a sort in place "
        "becomes sort_copy, sort_by_key sort_by_key_copy)");
    static_assert(takes || is_read_only<reference>, "mgpu: the results do not convert to the items of the output");
  }
  return true;
}

// --- Functions of the user's.

// Tells whether the type that a function returns is hidden here. nvcc's host compiler is given a stand-in for a
// __device__ lambda, and device functions without their bodies, so that a deduced return type is void there.
template <class Function, class Result>
constexpr bool hides_result() {
#if defined(__CUDACC_EXTENDED_LAMBDA__) && !defined(__CUDA_ARCH__)
  if (__nv_is_extended_device_lambda_closure_type(Function)) {
    return !__nv_is_extended_device_lambda_with_preserved_return_type(Function);
  }
#endif
#if defined(__CUDACC__) && !defined(__CUDA_ARCH__)
  return std::is_void_v<Result>;
#else
  return false;
#endif
}

// Returns whether a call of the function converts to T. A function that cannot be called passes, as another check
// reports it.
template <class T, class Function, class... Arguments>
constexpr bool returns() {
  if constexpr (std::is_invocable_v<Function&, Arguments...>) {
    using result = std::invoke_result_t<Function&, Arguments...>;
    return std::is_constructible_v<T, result> || hides_result<Function, result>();
  } else {
    return true;  // the check that it can be called reports this
  }
}

template <class Comp, class Key>
constexpr auto check_comparator() {
  static_assert(std::is_invocable_v<Comp&, Key const&, Key const&>,
                "mgpu: the comparator (less, if none is given) must be callable with two const keys");
  static_assert(returns<bool, Comp, Key const&, Key const&>(), "mgpu: the comparator must return bool");
  return true;
}

// --- Items.

template <class From, class To>
constexpr auto check_conversion() {
  static_assert(std::is_constructible_v<To, From>,
                "mgpu: the items of the second range do not convert to the type of those of the first");
  return true;
}

template <class Indices>
constexpr auto check_indices() {
  using value = output_value_t<Indices>;
  static_assert(std::is_void_v<value> || std::is_constructible_v<value, std::int64_t>,
                "mgpu: indices are integers, which do not convert to the items of the range for them");
  return true;
}

// --- Tunings.

// Tells whether the caller brought a tuning of a certain type.
template <class Tuning, class Of>
constexpr bool is_tuning_of = std::is_same_v<std::decay_t<decltype(Tuning::at(0))>, Of>;
template <class Of>
inline constexpr bool is_tuning_of<void, Of> = false;

// `Of` are the types that tune the call.
template <class Policy, class... Of>
constexpr auto check_tuning() {
  using tuning = typename policy_tuning<Policy>::type;
  static_assert(std::is_void_v<tuning> || (is_tuning_of<tuning, Of> || ...),
                "mgpu: with_tuning: this call does not go by a tuning of that type: <mgpu/tuning.h> says which do");
  return true;
}

// --- The device.

// Each of these checks says in one line what keeps a call from the device.
template <class Policy>
constexpr auto check_device_compiler() {
  static_assert(MGPU_HAS_DEVICE || always_false<Policy>::value,
                "mgpu: a device policy needs nvcc: compile this file as CUDA, or use mgpu::host");
  return true;
}
template <class... Items>
constexpr auto check_long_double() {
  static_assert(
      !(holds_long_double<Items> || ...),
      "mgpu: on the device there is no long double, which nvcc takes for double: use double, or mgpu::host");
  return true;
}
// This says what is_device_item asks of something that a call is given.
#define MGPU_DEVICE_ITEM_MESSAGE(what)                                                        \
  "mgpu: on the device, " what                                                                \
  " must be trivially copyable, or have a copy constructor and an assignment "                \
  "of their own and no destructor, or be pairs or tuples of such (std's only with C++20 and " \
  "--expt-relaxed-constexpr)"

// `Others` are the iterators of the call besides the first keys and values.
template <class Policy, class Keys, class Values, class... Others>
constexpr auto check_device_items() {
  static_assert(check_long_double<iterator_value_t<Keys>, iterator_value_t<Values>, output_value_t<Others>...>());
  static_assert(is_device_item<iterator_value_t<Keys>>, MGPU_DEVICE_ITEM_MESSAGE("keys"));
  static_assert(is_device_item<iterator_value_t<Values>>, MGPU_DEVICE_ITEM_MESSAGE("values"));
  static_assert(check_device_compiler<Policy>());
  return true;
}

}  // namespace mgpu::detail
