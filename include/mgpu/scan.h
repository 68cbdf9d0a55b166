// Scans (prefix sums) with any operator. Signatures and semantics are Thrust's; each has a variant that also
// delivers the total in the same pass.
//
// What holds for all functions here:
//   Shape   Random-access iterators in and out, fancy ones included; any alignment; any number of items, beyond 2^32
//           too. The output is the input, or does not overlap it. The total overlaps neither. A range whose last is
//           before its first is empty.
//   Type    Accumulated is in T: the type of init; without init the input's value type, or what the unary function
//           returns. Every item is converted to T first, and results from T to the output's type. On the device T is
//           trivially copyable (or a pair or tuple of such: thrust's or cuda::std's; std's want C++20 and
//           --expt-relaxed-constexpr), of up to 1 KB.
//   Order   op is associative; it need not commute, and needs no identity: it is only ever called on init, items and
//           what it returned, left one first. Where it is associative but for rounding, as with floating-point sums,
//           results on one device type are the same to the bit from run to run; they differ in rounding from a
//           sequential sum.
//   Reads   On the device an item may be read, and given to the unary function and to op, more than once. Where the
//           output is the input, no function of the call is given what has been overwritten; but an iterator that
//           computes (thrust::transform_iterator) may do so from an item that is output by then, wholly or in some of
//           its bytes. What it returns is dropped.
//   Policy  The first argument, as in <mgpu/sort.h>; without one the iterators decide.
//   Stream  par returns when the result is there. par_nosync returns at once, never synchronises, and may be
//           captured into a CUDA graph.
//   Cost    One read and one write of everything. On the device one launch up to a cluster of blocks (from sm_90 on
//           131,072 items of 4 bytes; before, a tile of a few thousand), else a memset and one launch.
//   Scratch One allocation. None up to there; beyond, for each tile 8 bytes, and as many as T has from 8 bytes
//           on; tiles count in sixty-fours. policy.query_scratch(bytes) tells exactly.
//   Throws  thrust::system_error for CUDA errors, std::bad_alloc for memory; what() begins with the name of the call.
//           On the host what op and the unary function throw passes through; outputs may then be written in part.
//   Empty   Nothing is written, but for a total where there is an init: then that is the total.
//   Returns the end of the output, which is its begin where there are no items.
//
// Sources: decoupled look-back, Merrill and Garland, NVR-2016-002; its fallback, Smith, Levien, Owens, SPAA 2025.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/dispatch/scan.h>
#include <mgpu/detail/host/policy.h>
#include <mgpu/execution_policy.h>
#include <type_traits>
#include <utility>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// out[i] = items 0 to i by op.
template <class Policy, class Input, class Output, class Op = cuda::std::plus<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output inclusive_scan(Policy const& policy, Input first, Input last, Output out, Op op = {}) {
  detail::check_iterators<Input, Output>();
  auto const num_items = detail::num_items_in(first, last);
  using T = detail::iterator_value_t<Input>;
  detail::dispatch_scan<true, T>("mgpu::inclusive_scan", policy, first, out, detail::no_values{}, num_items,
                                 detail::no_transform{}, detail::no_value{}, op);
  return out + num_items;
}
// out[i] = init and items 0 to i by op.
template <class Policy, class Input, class Output, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output inclusive_scan(Policy const& policy, Input first, Input last, Output out, T init, Op op) {
  detail::check_iterators<Input, Output>();
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan<true, T>("mgpu::inclusive_scan", policy, first, out, detail::no_values{}, num_items,
                                 detail::no_transform{}, init, op);
  return out + num_items;
}

// out[i] = init and items 0 to i - 1 by op.
template <class Policy, class Input, class Output, class T, class Op = cuda::std::plus<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output exclusive_scan(Policy const& policy, Input first, Input last, Output out, T init, Op op = {}) {
  detail::check_iterators<Input, Output>();
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan<false, T>("mgpu::exclusive_scan", policy, first, out, detail::no_values{}, num_items,
                                  detail::no_transform{}, init, op);
  return out + num_items;
}
// With the value-initialised value type for init.
template <class Policy, class Input, class Output, class = std::enable_if_t<detail::is_policy<Policy>>>
Output exclusive_scan(Policy const& policy, Input first, Input last, Output out) {
  detail::check_iterators<Input, Output>();
  return mgpu::exclusive_scan(policy, first, last, out, detail::iterator_value_t<Input>{});
}

// As inclusive_scan of unary(item).
template <class Policy, class Input, class Output, class Unary, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output transform_inclusive_scan(Policy const& policy, Input first, Input last, Output out, Unary unary, Op op) {
  detail::check_iterators<Input, Output>();
  auto const num_items = detail::num_items_in(first, last);
  using T = detail::transformed_t<Input, Unary>;
  detail::dispatch_scan<true, T>("mgpu::transform_inclusive_scan", policy, first, out, detail::no_values{}, num_items,
                                 unary, detail::no_value{}, op);
  return out + num_items;
}
template <class Policy, class Input, class Output, class Unary, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output transform_inclusive_scan(Policy const& policy, Input first, Input last, Output out, Unary unary, T init,
                                Op op) {
  detail::check_iterators<Input, Output>();
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan<true, T>("mgpu::transform_inclusive_scan", policy, first, out, detail::no_values{}, num_items,
                                 unary, init, op);
  return out + num_items;
}

// As exclusive_scan of unary(item).
template <class Policy, class Input, class Output, class Unary, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output transform_exclusive_scan(Policy const& policy, Input first, Input last, Output out, Unary unary, T init,
                                Op op) {
  detail::check_iterators<Input, Output>();
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan<false, T>("mgpu::transform_exclusive_scan", policy, first, out, detail::no_values{},
                                  num_items, unary, init, op);
  return out + num_items;
}

// The scans that also write *total: init, if there is one, and all items by op.
template <class Policy, class Input, class Output, class Total, class Op = cuda::std::plus<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output inclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total, Op op = {}) {
  detail::check_iterators<Input, Output, Total>();
  auto const num_items = detail::num_items_in(first, last);
  using T = detail::iterator_value_t<Input>;
  detail::dispatch_scan<true, T>("mgpu::inclusive_scan_with_total", policy, first, out, total, num_items,
                                 detail::no_transform{}, detail::no_value{}, op);
  return out + num_items;
}
template <class Policy, class Input, class Output, class Total, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output inclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total, T init,
                                 Op op) {
  detail::check_iterators<Input, Output, Total>();
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan<true, T>("mgpu::inclusive_scan_with_total", policy, first, out, total, num_items,
                                 detail::no_transform{}, init, op);
  return out + num_items;
}
template <class Policy, class Input, class Output, class Total, class T, class Op = cuda::std::plus<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output exclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total, T init,
                                 Op op = {}) {
  detail::check_iterators<Input, Output, Total>();
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan<false, T>("mgpu::exclusive_scan_with_total", policy, first, out, total, num_items,
                                  detail::no_transform{}, init, op);
  return out + num_items;
}
template <class Policy, class Input, class Output, class Total, class = std::enable_if_t<detail::is_policy<Policy>>>
Output exclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total) {
  detail::check_iterators<Input, Output, Total>();
  return mgpu::exclusive_scan_with_total(policy, first, last, out, total, detail::iterator_value_t<Input>{});
}
template <class Policy, class Input, class Output, class Total, class Unary, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output transform_inclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total,
                                           Unary unary, Op op) {
  detail::check_iterators<Input, Output, Total>();
  auto const num_items = detail::num_items_in(first, last);
  using T = detail::transformed_t<Input, Unary>;
  detail::dispatch_scan<true, T>("mgpu::transform_inclusive_scan_with_total", policy, first, out, total, num_items,
                                 unary, detail::no_value{}, op);
  return out + num_items;
}
template <class Policy, class Input, class Output, class Total, class Unary, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output transform_inclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total,
                                           Unary unary, T init, Op op) {
  detail::check_iterators<Input, Output, Total>();
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan<true, T>("mgpu::transform_inclusive_scan_with_total", policy, first, out, total, num_items,
                                 unary, init, op);
  return out + num_items;
}
template <class Policy, class Input, class Output, class Total, class Unary, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output transform_exclusive_scan_with_total(Policy const& policy, Input first, Input last, Output out, Total total,
                                           Unary unary, T init, Op op) {
  detail::check_iterators<Input, Output, Total>();
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan<false, T>("mgpu::transform_exclusive_scan_with_total", policy, first, out, total, num_items,
                                  unary, init, op);
  return out + num_items;
}

// The same without a policy.
template <class Input, class Output, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output inclusive_scan(Input first, Input last, Output out, Rest... rest) {
  return mgpu::inclusive_scan(detail::policy_of_system<Input, Output>(), first, last, out, rest...);
}
template <class Input, class Output, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output exclusive_scan(Input first, Input last, Output out, Rest... rest) {
  return mgpu::exclusive_scan(detail::policy_of_system<Input, Output>(), first, last, out, rest...);
}
template <class Input, class Output, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output transform_inclusive_scan(Input first, Input last, Output out, Rest... rest) {
  return mgpu::transform_inclusive_scan(detail::policy_of_system<Input, Output>(), first, last, out, rest...);
}
template <class Input, class Output, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output transform_exclusive_scan(Input first, Input last, Output out, Rest... rest) {
  return mgpu::transform_exclusive_scan(detail::policy_of_system<Input, Output>(), first, last, out, rest...);
}
template <class Input, class Output, class Total, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output inclusive_scan_with_total(Input first, Input last, Output out, Total total, Rest... rest) {
  return mgpu::inclusive_scan_with_total(detail::policy_of_system<Input, Output, Total>(), first, last, out, total,
                                         rest...);
}
template <class Input, class Output, class Total, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output exclusive_scan_with_total(Input first, Input last, Output out, Total total, Rest... rest) {
  return mgpu::exclusive_scan_with_total(detail::policy_of_system<Input, Output, Total>(), first, last, out, total,
                                         rest...);
}
template <class Input, class Output, class Total, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output transform_inclusive_scan_with_total(Input first, Input last, Output out, Total total, Rest... rest) {
  return mgpu::transform_inclusive_scan_with_total(detail::policy_of_system<Input, Output, Total>(), first, last, out,
                                                   total, rest...);
}
template <class Input, class Output, class Total, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output transform_exclusive_scan_with_total(Input first, Input last, Output out, Total total, Rest... rest) {
  return mgpu::transform_exclusive_scan_with_total(detail::policy_of_system<Input, Output, Total>(), first, last, out,
                                                   total, rest...);
}

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
