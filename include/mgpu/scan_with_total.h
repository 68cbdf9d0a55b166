// Scans that also deliver the total, in the same pass. What <mgpu/scan.h> says of all scans holds for them.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_transform.h>
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

// Writes out[i] = items 0 to i, combined in order by op (plus, if none is given), and in the same pass all items
// combined to *total. Returns the end of the output.
template <class Policy, class Input, class Output, class Total, class Op = cuda::std::plus<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output inclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total, Op op = {}) {
  static_assert(detail::check_iterators<Input, Output, Total>());
  auto const num_items = detail::num_items_in(first, last);
  using T = detail::iterator_value_t<Input>;
  detail::dispatch_scan("mgpu::inclusive_scan_with_total", policy,
                        detail::scan_of<true, T>(first, out, total, num_items, detail::no_value{}),
                        detail::no_transform{}, op);
  return out + num_items;
}
// Writes out[i] = init and items 0 to i, combined in order by op, and in the same pass init and all items combined to
// *total. Returns the end of the output.
template <class Policy, class Input, class Output, class Total, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output inclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total, T init,
                                 Op op) {
  static_assert(detail::check_iterators<Input, Output, Total>());
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan("mgpu::inclusive_scan_with_total", policy,
                        detail::scan_of<true, T>(first, out, total, num_items, init), detail::no_transform{}, op);
  return out + num_items;
}
// Writes out[i] = init and items 0 to i - 1, combined in order by op (plus, if none is given), and in the same pass
// init and all items combined to *total. Returns the end of the output.
template <class Policy, class Input, class Output, class Total, class T, class Op = cuda::std::plus<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output exclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total, T init,
                                 Op op = {}) {
  static_assert(detail::check_iterators<Input, Output, Total>());
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan("mgpu::exclusive_scan_with_total", policy,
                        detail::scan_of<false, T>(first, out, total, num_items, init), detail::no_transform{}, op);
  return out + num_items;
}
// Writes out[i] = the sum of items 0 to i - 1, so that out[0] is zero, and in the same pass the sum of all items to
// *total. Returns the end of the output.
template <class Policy, class Input, class Output, class Total, class = std::enable_if_t<detail::is_policy<Policy>>>
Output exclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total) {
  static_assert(detail::check_iterators<Input, Output, Total>());
  return mgpu::exclusive_scan_with_total(policy, first, last, out, total, detail::iterator_value_t<Input>{});
}
// Writes out[i] = unary(item) of items 0 to i, combined in order by op, and in the same pass all items combined to
// *total. Returns the end of the output.
template <class Policy, class Input, class Output, class Total, class Unary, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output transform_inclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total,
                                           Unary unary, Op op) {
  static_assert(detail::check_iterators<Input, Output, Total>());
  auto const num_items = detail::num_items_in(first, last);
  using T = detail::transformed_t<Input, Unary>;
  detail::dispatch_scan("mgpu::transform_inclusive_scan_with_total", policy,
                        detail::scan_of<true, T>(first, out, total, num_items, detail::no_value{}), unary, op);
  return out + num_items;
}
// Writes out[i] = init and unary(item) of items 0 to i, combined in order by op, and in the same pass init and all
// items combined to *total. Returns the end of the output.
template <class Policy, class Input, class Output, class Total, class Unary, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output transform_inclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total,
                                           Unary unary, T init, Op op) {
  static_assert(detail::check_iterators<Input, Output, Total>());
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan("mgpu::transform_inclusive_scan_with_total", policy,
                        detail::scan_of<true, T>(first, out, total, num_items, init), unary, op);
  return out + num_items;
}
// Writes out[i] = init and unary(item) of items 0 to i - 1, combined in order by op, and in the same pass init and
// all items combined to *total. Returns the end of the output.
template <class Policy, class Input, class Output, class Total, class Unary, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output transform_exclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total,
                                           Unary unary, T init, Op op) {
  static_assert(detail::check_iterators<Input, Output, Total>());
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan("mgpu::transform_exclusive_scan_with_total", policy,
                        detail::scan_of<false, T>(first, out, total, num_items, init), unary, op);
  return out + num_items;
}

// --- Without a policy: the iterators say whether the device or the host scans, and each call returns when the result
// is there. `rest` is what the overloads with a policy take behind `total`.

// Writes out[i] = items 0 to i, combined in order by op, and all items combined to *total; `rest` is nothing (op is
// plus), op, or init and op, and init goes before the first item. Returns the end of the output.
template <class Input, class Output, class Total, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output inclusive_scan_with_total(Input first, Input last, Output out, Total total, Rest... rest) {
  return mgpu::inclusive_scan_with_total(detail::policy_of_system<Input, Output, Total>(), first, last, out, total,
                                         rest...);
}
// Writes out[i] = init and items 0 to i - 1, combined in order by op, and init and all items combined to *total;
// `rest` is nothing (their sum, from zero), init (op is plus), or init and op. Returns the end of the output.
template <class Input, class Output, class Total, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output exclusive_scan_with_total(Input first, Input last, Output out, Total total, Rest... rest) {
  return mgpu::exclusive_scan_with_total(detail::policy_of_system<Input, Output, Total>(), first, last, out, total,
                                         rest...);
}
// Writes out[i] = unary(item) of items 0 to i, combined in order by op, and all items combined to *total; `rest` is
// unary and op, or unary, init and op, and init goes before the first item. Returns the end of the output.
template <class Input, class Output, class Total, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output transform_inclusive_scan_with_total(Input first, Input last, Output out, Total total, Rest... rest) {
  return mgpu::transform_inclusive_scan_with_total(detail::policy_of_system<Input, Output, Total>(), first, last, out,
                                                   total, rest...);
}
// Writes out[i] = init and unary(item) of items 0 to i - 1, combined in order by op, and init and all items combined
// to *total; `rest` is unary, init and op. Returns the end of the output.
template <class Input, class Output, class Total, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output transform_exclusive_scan_with_total(Input first, Input last, Output out, Total total, Rest... rest) {
  return mgpu::transform_exclusive_scan_with_total(detail::policy_of_system<Input, Output, Total>(), first, last, out,
                                                   total, rest...);
}

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
