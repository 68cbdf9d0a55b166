// A reduction to a value runs on the host, or on the device.
#pragma once
#include <mgpu/detail/backend/cpu/reduce.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_transform.h>
#include <mgpu/detail/core/plain_item.h>
#include <mgpu/detail/core/reduce_problem.h>
#include <mgpu/detail/dispatch/distributed_calls.h>
#include <mgpu/detail/dispatch/functional.h>
#include <mgpu/detail/dispatch/item_images.h>
#include <mgpu/detail/dispatch/operator_requirements.h>
#include <mgpu/detail/dispatch/operators.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#if MGPU_HAS_DEVICE
#include <mgpu/detail/backend/reduce/reduce.cuh>
#include <mgpu/detail/backend/reduce/tuning.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/run.h>
#endif
#include <cstdint>
#include <type_traits>
#include <utility>

namespace mgpu::detail {

// Returns the problem with the iterator that kernels use.
template <class In, class T>
auto unwrap_problem(reduce_problem<In, T> const& problem) {
  return reduce_problem{detail::unwrap(problem.in), problem.num_items, problem.init};
}

// Tells whether the items of a reduction, or what they are accumulated in, have copy constructors of their own.
template <class Problem>
constexpr bool copies_itself = !(is_plain<typename Problem::T> && is_plain<iterator_value_t<typename Problem::In>>);

// Returns op over init and unary(item), converted to T, of all items.
template <class Policy, class Problem, class Unary, class Op>
typename Problem::T dispatch_reduce([[maybe_unused]] char const* name, [[maybe_unused]] Policy const& policy,
                                    Problem problem, Unary unary, Op op) {
  static_assert(check_reduction<Policy, typename Problem::In, Unary, typename Problem::T, Op>());
  if constexpr (runs_on_host<Policy>) {
    return detail::host_reduce(std::move(problem), unary, op);
  } else if constexpr (copies_itself<Problem>) {
    using T = typename Problem::T;
    return detail::dispatch_reduce(name, policy, detail::on_images(problem, unary), no_transform{},
                                   detail::operator_on_images<T>(op))
        .item();
  } else {
#if MGPU_HAS_DEVICE
    static_assert(check_tuning<Policy, reduce_tuning>());
    if constexpr (is_distributed<Policy>) {
      return distributed_calls<Policy>::reduce(name, policy, detail::unwrap_problem(problem),
                                               detail::device_function(unary), detail::device_function(op));
    } else {
      auto const resolved = detail::to_device_policy(policy);
      scratch_of source(resolved.scratch());
      named_range const range(name);
      device_call call(name, resolved.stream(), true, source);  // a call that returns a value waits under any policy
      if (problem.num_items > 0) {
        return detail::reduce_to_value<typename policy_tuning<Policy>::type>(
            call, detail::unwrap_problem(problem), detail::device_function(unary), detail::device_function(op));
      }
      call.skip();
    }
#endif
    return problem.init;
  }
}

}  // namespace mgpu::detail
