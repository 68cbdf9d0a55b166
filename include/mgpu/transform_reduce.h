// Reductions of what a unary function makes of the items. What <mgpu/reduce.h> says of reductions holds for them.
#pragma once
#include <mgpu/detail/core/reduce_problem.h>
#include <mgpu/detail/dispatch/reduce.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <mgpu/execution_policy.h>
#include <type_traits>
#include <utility>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Combines init and then unary(item) of the items of [first, last), in order, by op; unary may be called more than
// once for an item. Returns the result, for which it waits under any policy.
template <class Policy, class Input, class Unary, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
T transform_reduce(Policy const& policy, Input first, Input last, Unary unary, T init, Op op) {
  static_assert(detail::check_iterators<Input>());
  return detail::dispatch_reduce("mgpu::transform_reduce", policy,
                                 detail::reduce_problem{first, detail::num_items_in(first, last), std::move(init)},
                                 unary, op);
}
// Combines init and then unary(item) of the items of [first, last), in order, by op, on the device or the host, as
// the iterators say; unary may be called more than once for an item. Returns the result.
template <class Input, class Unary, class T, class Op, class = std::enable_if_t<!detail::is_policy<Input>>>
T transform_reduce(Input first, Input last, Unary unary, T init, Op op) {
  return mgpu::transform_reduce(detail::policy_of_system<Input>(), first, last, unary, std::move(init), op);
}

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
