// Scans of what a unary function makes of the items. What <mgpu/scan.h> says of all scans holds for them.
#pragma once
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/scan_problem.h>
#include <mgpu/detail/dispatch/operator_requirements.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/dispatch/scan.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <mgpu/execution_policy.h>
#include <type_traits>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Writes out[i] = unary(item) of items 0 to i, combined in order by op, in the type that unary returns. Returns the
// end of the output.
template <class Policy, class Input, class Output, class Unary, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output transform_inclusive_scan(Policy const& policy, Input first, Input last, Output out, Unary unary, Op op) {
  static_assert(detail::check_iterators<Input, Output>());
  auto const num_items = detail::num_items_in(first, last);
  using T = detail::transformed_t<Input, Unary>;
  detail::dispatch_scan("mgpu::transform_inclusive_scan", policy,
                        detail::scan_of<true, T>(first, out, detail::no_values{}, num_items, detail::no_value{}),
                        unary, op);
  return out + num_items;
}
// Writes out[i] = init and unary(item) of items 0 to i, combined in order by op, in the type of init. Returns the end
// of the output.
template <class Policy, class Input, class Output, class Unary, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output transform_inclusive_scan(Policy const& policy, Input first, Input last, Output out, Unary unary, T init,
                                Op op) {
  static_assert(detail::check_iterators<Input, Output>());
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan("mgpu::transform_inclusive_scan", policy,
                        detail::scan_of<true, T>(first, out, detail::no_values{}, num_items, init), unary, op);
  return out + num_items;
}

// Writes out[i] = init and unary(item) of items 0 to i - 1, combined in order by op, so that out[0] is init. Returns
// the end of the output.
template <class Policy, class Input, class Output, class Unary, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output transform_exclusive_scan(Policy const& policy, Input first, Input last, Output out, Unary unary, T init,
                                Op op) {
  static_assert(detail::check_iterators<Input, Output>());
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan("mgpu::transform_exclusive_scan", policy,
                        detail::scan_of<false, T>(first, out, detail::no_values{}, num_items, init), unary, op);
  return out + num_items;
}

// --- Without a policy: the iterators say whether the device or the host scans, and each call returns when the result
// is there. `rest` is what the overloads with a policy take behind `out`.

// Writes out[i] = unary(item) of items 0 to i, combined in order by op; `rest` is unary and op, or unary, init and
// op, and init goes before the first item. Returns the end of the output.
template <class Input, class Output, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output transform_inclusive_scan(Input first, Input last, Output out, Rest... rest) {
  return mgpu::transform_inclusive_scan(detail::policy_of_system<Input, Output>(), first, last, out, rest...);
}
// Writes out[i] = init and unary(item) of items 0 to i - 1, combined in order by op; `rest` is unary, init and op.
// Returns the end of the output.
template <class Input, class Output, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output transform_exclusive_scan(Input first, Input last, Output out, Rest... rest) {
  return mgpu::transform_exclusive_scan(detail::policy_of_system<Input, Output>(), first, last, out, rest...);
}

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
