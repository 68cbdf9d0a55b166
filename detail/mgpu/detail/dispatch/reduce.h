// Which backend reduces. Allocates and launches nothing itself.
#pragma once
#include <mgpu/detail/backend/std/reduce.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/dispatch/functional.h>
#include <mgpu/detail/dispatch/items.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/host/iterator.h>
#include <mgpu/detail/host/policy.h>
#if MGPU_HAS_DEVICE
#include <mgpu/detail/backend/reduce/reduce.cuh>
#include <mgpu/detail/host/call.h>
#endif
#include <cstdint>
#include <type_traits>
#include <utility>

namespace mgpu::detail {

// Each says in one line what is wrong. On the host T need only be movable.
template <class Policy, class Input, class Unary, class T, class Op>
constexpr auto check_reduction() {
  check_unary<Unary, Input, T>();
  check_operator<Op, T, std::conditional_t<runs_on_host<Policy>, T, T const&>>();
  if constexpr (!runs_on_host<Policy>) {
    static_assert(
        is_plain_item<iterator_value_t<Input>>,
        "mgpu: on the device, items must be trivially copyable, or pairs or tuples of such (std's only with C++20 "
        "and --expt-relaxed-constexpr)");
    static_assert(is_plain_item<T>,
                  "mgpu: on the device, the type of init must be trivially copyable, or a pair or tuple of such "
                  "(std's only with "
                  "C++20 and --expt-relaxed-constexpr)");
    check_device_compiler<Policy>();
  }
}

// Returns what unary(item), as T, of num_items items come to by op, after init.
template <class Policy, class Input, class Unary, class T, class Op>
T dispatch_reduce([[maybe_unused]] char const* name, [[maybe_unused]] Policy const& policy, Input first,
                  std::int64_t num_items, Unary unary, T init, Op op) {
  check_reduction<Policy, Input, Unary, T, Op>();
  if constexpr (runs_on_host<Policy>) {
    return detail::host_reduce(first, num_items, unary, std::move(init), op);
  } else {
#if MGPU_HAS_DEVICE
    auto const resolved = detail::to_device_policy(policy);
    auto source = resolved.scratch();
    device_call call(name, resolved.stream(), true, source);  // a value is returned, so it waits under any policy
    if (num_items > 0) {
      return detail::reduce_to_value<typename policy_tuning<Policy>::type>(
          call, detail::unwrap(first), num_items, detail::device_function(unary), init, detail::device_function(op));
    }
    call.skip();
#endif
    return init;
  }
}

// The same, written through `out`.
template <class Policy, class Input, class Unary, class T, class Op, class Output>
void dispatch_reduce_into([[maybe_unused]] char const* name, [[maybe_unused]] Policy const& policy, Input first,
                          std::int64_t num_items, Unary unary, T init, Op op, Output out) {
  check_reduction<Policy, Input, Unary, T, Op>();
  check_output<Output, T>();
  if constexpr (runs_on_host<Policy>) {
    *out = detail::host_reduce(first, num_items, unary, std::move(init), op);
  } else {
#if MGPU_HAS_DEVICE
    std::int64_t const num_outputs = 1;  // of an empty range too
    detail::run_on_device(name, policy, num_outputs, [&](device_call& call) {
      detail::reduce_to_output<typename policy_tuning<Policy>::type>(
          call, detail::unwrap(first), num_items > 0 ? num_items : 0, detail::device_function(unary), init,
          detail::device_function(op), detail::unwrap(out));
    });
#endif
  }
}

}  // namespace mgpu::detail
