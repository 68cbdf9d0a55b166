// Scans (prefix sums) with any operator. Signatures and semantics are Thrust's; variants deliver the total, too.
//
// This holds for all functions here:
//   Shape   Iterators in and out are random-access ones, fancy ones included, of any alignment; there may be any
//           number of items, beyond 2^32 too. The output is the input, or does not overlap it. The total overlaps
//           neither. A range whose last is before its first is empty.
//   Type    T, the type in which results accumulate, is that of init; without init it is the input's value type, or
//           what the unary function returns. Every item is converted to T first, and results from T to the output's
//           type. On the device T is as <mgpu/reduce.h> says of its own, and has at most 1 KB.
//   Order   op is associative; it need not commute, and needs no identity: it is only ever called on init, items and
//           what it returned, the left operand first. Where it is associative but for rounding, as with
//           floating-point sums, results on one device type (and one part of it, for streams of green contexts) are
//           the same to the bit from run to run; they differ in rounding from a sequential sum.
//   Reads   On the device an item may be read, and given to the unary function and to op, more than once. Where the
//           output is the input, no function of the call is given what has been overwritten; but an iterator that
//           computes (thrust::transform_iterator) may do so from an item that is output by then, wholly or in some of
//           its bytes. What it returns is dropped.
//   Policy  It is the first argument, as in <mgpu/sort.h>; without one the iterators decide. A call under par returns
//           when the result is there; one under par_nosync at once, and may be captured into a CUDA graph.
//   Cost    Everything is read once and written once. The device needs one launch up to a cluster of blocks (from
//           sm_90 on 131,072 items of 4 bytes, where the stream has room for such a cluster, which that of a green
//           context may not have; before, a tile of a few thousand), else a memset and one launch.
//   Scratch A call makes no allocation up to there, and beyond it one: 8 bytes for each tile; for a T of 8 bytes or
//           more instead sizeof(T), rounded up to a multiple of 8, and 8 more for each 504 of these that are begun.
//           The number of tiles is rounded up to a multiple of 64 (of 32 for a T of up to 8 bytes). At most 511 bytes
//           come on top. policy.query_scratch(bytes) tells the size, for the policy's stream.
//   Throws  thrust::system_error for CUDA errors, std::bad_alloc for memory; what() begins with the name of the call.
//           On the host what op and the unary function throw passes through; outputs may then be written in part.
//   Empty   Without items nothing is written, but for a total if there is an init, which then is the total.
//
// Sources: decoupled look-back, Merrill and Garland, NVR-2016-002; its fallback, Smith, Levien, Owens, SPAA 2025.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_transform.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/scan_problem.h>
#include <mgpu/detail/dispatch/scan.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <mgpu/execution_policy.h>
#include <mgpu/scan_with_total.h>
#include <mgpu/transform_scan.h>
#include <type_traits>
#include <utility>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Writes out[i] = items 0 to i, combined in order by op (plus, if none is given), on the policy's device or host.
// Returns the end of the output.
template <class Policy, class Input, class Output, class Op = cuda::std::plus<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output inclusive_scan(Policy const& policy, Input first, Input last, Output out, Op op = {}) {
  static_assert(detail::check_iterators<Input, Output>());
  auto const num_items = detail::num_items_in(first, last);
  using T = detail::iterator_value_t<Input>;
  detail::dispatch_scan("mgpu::inclusive_scan", policy,
                        detail::scan_of<true, T>(first, out, detail::no_values{}, num_items, detail::no_value{}),
                        detail::no_transform{}, op);
  return out + num_items;
}
// Writes out[i] = init and items 0 to i, combined in order by op, on the policy's device or host. Returns the end of
// the output.
template <class Policy, class Input, class Output, class T, class Op,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output inclusive_scan(Policy const& policy, Input first, Input last, Output out, T init, Op op) {
  static_assert(detail::check_iterators<Input, Output>());
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan("mgpu::inclusive_scan", policy,
                        detail::scan_of<true, T>(first, out, detail::no_values{}, num_items, init),
                        detail::no_transform{}, op);
  return out + num_items;
}

// Writes out[i] = init and items 0 to i - 1, combined in order by op (plus, if none is given), so that out[0] is
// init. Returns the end of the output.
template <class Policy, class Input, class Output, class T, class Op = cuda::std::plus<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output exclusive_scan(Policy const& policy, Input first, Input last, Output out, T init, Op op = {}) {
  static_assert(detail::check_iterators<Input, Output>());
  auto const num_items = detail::num_items_in(first, last);
  detail::dispatch_scan("mgpu::exclusive_scan", policy,
                        detail::scan_of<false, T>(first, out, detail::no_values{}, num_items, init),
                        detail::no_transform{}, op);
  return out + num_items;
}
// Writes out[i] = the sum of items 0 to i - 1, so that out[0] is zero: the value-initialised value type is init.
// Returns the end of the output.
template <class Policy, class Input, class Output, class = std::enable_if_t<detail::is_policy<Policy>>>
Output exclusive_scan(Policy const& policy, Input first, Input last, Output out) {
  static_assert(detail::check_iterators<Input, Output>());
  return mgpu::exclusive_scan(policy, first, last, out, detail::iterator_value_t<Input>{});
}

// --- Without a policy: the iterators say whether the device or the host scans, and each call returns when the result
// is there. `rest` is what the overloads with a policy take behind `out`.

// Writes out[i] = items 0 to i, combined in order by op; `rest` is nothing (op is plus), op, or init and op, and init
// goes before the first item. Returns the end of the output.
template <class Input, class Output, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output inclusive_scan(Input first, Input last, Output out, Rest... rest) {
  return mgpu::inclusive_scan(detail::policy_of_system<Input, Output>(), first, last, out, rest...);
}
// Writes out[i] = init and items 0 to i - 1, combined in order by op; `rest` is nothing (their sum, from zero), init
// (op is plus), or init and op. Returns the end of the output.
template <class Input, class Output, class... Rest, class = std::enable_if_t<!detail::is_policy<Input>>>
Output exclusive_scan(Input first, Input last, Output out, Rest... rest) {
  return mgpu::exclusive_scan(detail::policy_of_system<Input, Output>(), first, last, out, rest...);
}

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
