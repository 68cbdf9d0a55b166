// Reductions with any associative operator. Signatures and semantics are Thrust's, but here the order of the items is
// kept.
//
// This holds for all functions here:
//   Shape   Iterators are random-access ones, fancy ones included, of any alignment; there may be any number of
//           items, beyond 2^32 too. The input is only read; the output of reduce_into may lie within it. A range
//           whose last is before its first is empty.
//   Type    T, the type in which results accumulate, is that of init; without init it is the input's value type, and
//           init is T(). Every item (or what the unary function returns) is converted to T first: so sum bytes with
//           an init of a wider type. On the device items and T are as <mgpu/sort.h> says of items, and need no default
//           constructor; T has at most 1 KB. Its bytes go from thread to thread, so it must neither hold its own
//           address nor have virtual functions.
//   Order   init comes first, then the items from first to last. op is associative; it need not commute, and needs no
//           identity: it is only ever called on init, items, and what it returned, and init enters once. Where it is
//           associative but for rounding, as with floating-point sums, the result is the same to the bit from run to
//           run: it follows from the number of items, their address modulo 16, the kind of device, the part of it
//           that a stream of a green context has, and the tuning alone. It differs in rounding from a sum from left
//           to right (and is mostly nearer to the exact one); mgpu::host sums from left to right. The device takes
//           sums of numbers by std's or cuda::std's plus, and the largest and the smallest of integers by
//           cuda::maximum and cuda::minimum, in an order of its own, which only rounding can show.
//   Policy  The policy is the first argument, as in <mgpu/sort.h>; without one the iterators decide.
//   Stream  reduce and transform_reduce return a value, so they wait for their stream, and for nothing else, under
//           any device policy; they cannot be captured into a CUDA graph. reduce_into under par returns when the
//           result is there; under par_nosync it returns at once, never synchronises, and may be captured into a
//           graph.
//   Cost    Everything is read once, and op is called n times. The device needs one launch; beyond a cluster of
//           blocks (from sm_90 on 2 MB of most items; before, a block's 64 KB) two, from sm_90 on with the second
//           launched early.
//   Scratch A call makes no allocation up to there, and beyond it one: a T for each block, of which there are at most
//           4,096, and at most 510 bytes more. policy.query_scratch(bytes) tells exactly, at any address for items
//           aligned to their size (or 16 bytes); the call then does nothing, and reduce returns init. The value comes
//           back through pinned memory, of which each device keeps 4 KB (more for a T beyond that) for each call that
//           was ever under way at the same time.
//   Empty   Without items reduce returns init, and reduce_into writes it.
//   Throws  CUDA errors are thrown as thrust::system_error, a lack of memory as std::bad_alloc; what() begins with
//           the name of the call. On the host what op and the unary function throw passes through; reduce_into then
//           wrote nothing.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_transform.h>
#include <mgpu/detail/core/reduce_problem.h>
#include <mgpu/detail/dispatch/reduce.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <mgpu/execution_policy.h>
#include <mgpu/reduce_into.h>
#include <mgpu/transform_reduce.h>
#include <type_traits>
#include <utility>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Combines init and then the items of [first, last), in order, by op (plus, if none is given), where the policy says.
// Returns the result, for which it waits under any policy.
template <class Policy, class Input, class T = detail::iterator_value_t<Input>, class Op = cuda::std::plus<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
T reduce(Policy const& policy, Input first, Input last, T init = T(), Op op = {}) {
  static_assert(detail::check_iterators<Input>());
  return detail::dispatch_reduce("mgpu::reduce", policy,
                                 detail::reduce_problem{first, detail::num_items_in(first, last), std::move(init)},
                                 detail::no_transform{}, op);
}
// Combines init and then the items of [first, last), in order, by op (plus, if none is given), on the device or the
// host, as the iterators say. Returns the result.
template <class Input, class T = detail::iterator_value_t<Input>, class Op = cuda::std::plus<>,
          class = std::enable_if_t<!detail::is_policy<Input>>>
T reduce(Input first, Input last, T init = T(), Op op = {}) {
  return mgpu::reduce(detail::policy_of_system<Input>(), first, last, std::move(init), op);
}

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
