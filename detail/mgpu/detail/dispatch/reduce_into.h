// A reduction runs on the host, or on the device, and its result goes through an iterator.
#pragma once
#include <mgpu/detail/backend/cpu/reduce.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/no_transform.h>
#include <mgpu/detail/dispatch/distributed_calls.h>
#include <mgpu/detail/dispatch/functional.h>
#include <mgpu/detail/dispatch/item_images.h>
#include <mgpu/detail/dispatch/operator_requirements.h>
#include <mgpu/detail/dispatch/operators.h>
#include <mgpu/detail/dispatch/reduce.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#if MGPU_HAS_DEVICE
#include <mgpu/detail/backend/reduce/tuning.h>
#endif
#include <cstdint>
#include <utility>

namespace mgpu::detail {

// Writes op over init and unary(item), converted to T, of all items through `out`.
template <class Policy, class Problem, class Unary, class Op, class Output>
void dispatch_reduce_into([[maybe_unused]] char const* name, [[maybe_unused]] Policy const& policy, Problem problem,
                          Unary unary, Op op, Output out) {
  static_assert(check_reduction<Policy, typename Problem::In, Unary, typename Problem::T, Op, Output>());
  static_assert(check_output<Output, typename Problem::T>());
  if constexpr (runs_on_host<Policy>) {
    *out = detail::host_reduce(std::move(problem), unary, op);
  } else if constexpr (copies_itself<Problem>) {
    using T = typename Problem::T;
    detail::dispatch_reduce_into(name, policy, detail::on_images(problem, unary), no_transform{},
                                 detail::operator_on_images<T>(op), detail::to_images<T>(detail::unwrap(out)));
  } else {
#if MGPU_HAS_DEVICE
    static_assert(check_tuning<Policy, reduce_tuning>());
    if constexpr (is_distributed<Policy>) {
      distributed_calls<Policy>::reduce_into(name, policy, detail::unwrap_problem(problem),
                                             detail::device_function(unary), detail::device_function(op),
                                             detail::unwrap(out));
    } else {
      std::int64_t const num_outputs = 1;  // an empty range has a result too
      detail::run_on_device(name, policy, num_outputs, [&](device_call& call) {
        detail::reduce_to_output<typename policy_tuning<Policy>::type>(
            call, detail::unwrap_problem(problem), detail::device_function(unary), detail::device_function(op),
            detail::unwrap(out));
      });
    }
#endif
  }
}

}  // namespace mgpu::detail
