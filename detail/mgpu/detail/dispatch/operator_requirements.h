// These checks say what reductions and scans ask of their functions; they are called like those of requirements.h.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/dispatch/item_traits.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <type_traits>

namespace mgpu::detail {

// `Argument` is the type in which an item of T is passed.
template <class Op, class T, class Argument>
constexpr auto check_operator() {
  static_assert(std::is_invocable_v<Op&, Argument, Argument>,
                "mgpu: the operator (plus, if none is given) must be callable with two const items of the type that "
                "is accumulated: that of init, or else of the items");
  static_assert(returns<T, Op, Argument, Argument>(),
                "mgpu: what the operator returns does not convert to the type that is accumulated: that of init, or "
                "else of the items");
  return true;
}

template <class Iterator>
using argument_t = std::remove_reference_t<reference_t<Iterator>> const&;

template <class Unary, class Input, class T>
constexpr auto check_unary() {
  static_assert(std::is_invocable_v<Unary&, argument_t<Input>>,
                "mgpu: the unary function must be callable with a const item of the input");
  static_assert(returns<T, Unary, argument_t<Input>>(),
                "mgpu: the items, or what the unary function makes of them, do not convert to the type that is "
                "accumulated: that of init, or else of the items");
  return true;
}

// The type that a unary function makes of the items, where a call accumulates in that type. (For a function that
// cannot be called any type will do, as check_unary reports it.)
template <class Input, class Unary, bool = std::is_invocable_v<Unary&, argument_t<Input>>>
struct transformed {
  using type = iterator_value_t<Input>;
};
template <class Input, class Unary>
struct transformed<Input, Unary, true> {
  using type = std::decay_t<std::invoke_result_t<Unary&, argument_t<Input>>>;
  static_assert(!hides_result<Unary, type>(),
                "mgpu: what the unary function returns is not known to host code: write it behind the parameters, "
                "as in [] __device__(int x) -> float, or make the function __host__ __device__");
};
template <class Input, class Unary>
using transformed_t = typename transformed<Input, Unary>::type;

// Says in one line what is wrong with a reduction. On the host T need only be movable.
template <class Policy, class Input, class Unary, class T, class Op, class... Output>
constexpr auto check_reduction() {
  static_assert(check_unary<Unary, Input, T>());
  static_assert(check_operator<Op, T, std::conditional_t<runs_on_host<Policy>, T, T const&>>());
  if constexpr (!runs_on_host<Policy>) {
    static_assert(check_long_double<iterator_value_t<Input>, T, output_value_t<Output>...>());
    static_assert(is_device_item<iterator_value_t<Input>>, MGPU_DEVICE_ITEM_MESSAGE("items"));
    static_assert(is_device_item<T>, MGPU_DEVICE_ITEM_MESSAGE("the type of init"));
    static_assert(check_device_compiler<Policy>());
  }
  return true;
}

// Says the same of a scan.
template <class Policy, class Problem, class Unary, class Op>
constexpr auto check_scan() {
  using T = typename Problem::T;
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Total = typename Problem::Total;
  static_assert(check_unary<Unary, In, T>());
  static_assert(check_operator<Op, T, T const&>());
  static_assert(check_output<Out, T const&>());
  if constexpr (Problem::has_total) static_assert(check_output<Total, T const&>());
  if constexpr (!runs_on_host<Policy>) {
    static_assert(check_long_double<T, iterator_value_t<In>, output_value_t<Out>, output_value_t<Total>>());
    static_assert(is_device_item<T>, MGPU_DEVICE_ITEM_MESSAGE("what is accumulated"));
    static_assert(check_device_compiler<Policy>());
  }
  return true;
}

}  // namespace mgpu::detail
