// Merging two sorted ranges. Signatures and semantics are Thrust's.
//
// This holds for both functions:
//   Shape   Iterators are random-access ones, fancy ones included, of any alignment; there may be any number of
//           items, beyond 2^32 too. The first range's type is that of the keys (and values) while they are worked on;
//           on the device it is as <mgpu/sort.h> says of items. The output overlaps neither input. A range whose last
//           is before its first is empty.
//   Order   Both inputs are sorted by comp, a strict weak order. The merge is stable: within a range equal keys keep
//           their order, and those of the first range come before those of the second.
//   Policy, Stream  as in <mgpu/sort.h>.
//   Cost    Everything is read once and written once; the device needs one launch up to 2,048 tiles of output (each of
//           256 items or more, of some thousand where they have 4 bytes), else two.
//   Scratch A call takes none up to 2,048 tiles of output, and beyond 8 bytes for each and at most 511 more;
//           policy.query_scratch(bytes) tells exactly.
//   Throws  CUDA errors are thrown as thrust::system_error, a lack of memory as std::bad_alloc; what() begins with
//           the name of the call. On the host what comp throws passes through, and nothing was written.
//
// Source: merge path, Green, McColl, Bader, ICS 2012.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/merge_problem.h>
#include <mgpu/detail/dispatch/merge.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <mgpu/execution_policy.h>
#include <thrust/pair.h>
#include <type_traits>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Merges [first1, last1) and [first2, last2), both sorted by comp (less, if none is given), to `out`, where the
// policy says; of equal items those of the first range come first. Returns the end of the output.
template <class Policy, class Input1, class Input2, class Output, class Comp = cuda::std::less<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output merge(Policy const& policy, Input1 first1, Input1 last1, Input2 first2, Input2 last2, Output out,
             Comp comp = {}) {
  static_assert(detail::check_iterators<Input1, Input2, Output>());
  detail::no_values const none{};
  auto const count1 = detail::num_items_in(first1, last1);
  auto const count2 = detail::num_items_in(first2, last2);
  detail::dispatch_merge("mgpu::merge", policy,
                         detail::merge_problem{first1, none, count1, first2, none, count2, out, none}, comp);
  return out + (count1 + count2);
}
// Merges [first1, last1) and [first2, last2), both sorted by comp (less, if none is given), to `out`, on the device
// or the host, as the iterators say; of equal items those of the first range come first. Returns the end of the
// output.
template <class Input1, class Input2, class Output, class Comp = cuda::std::less<>,
          class = std::enable_if_t<!detail::is_policy<Input1>>>
Output merge(Input1 first1, Input1 last1, Input2 first2, Input2 last2, Output out, Comp comp = {}) {
  return mgpu::merge(detail::policy_of_system<Input1, Input2, Output>(), first1, last1, first2, last2, out, comp);
}

// Merges the keys [keys_first1, keys_last1) and [keys_first2, keys_last2), both sorted by comp (less, if none is
// given), to keys_out, and as many values of each likewise to values_out; of equal keys those of the first range come
// first. Returns the ends of both outputs.
template <class Policy, class Keys1, class Keys2, class Values1, class Values2, class KeysOut, class ValuesOut,
          class Comp = cuda::std::less<>, class = std::enable_if_t<detail::is_policy<Policy>>>
thrust::pair<KeysOut, ValuesOut> merge_by_key(Policy const& policy, Keys1 keys_first1, Keys1 keys_last1,
                                              Keys2 keys_first2, Keys2 keys_last2, Values1 values_first1,
                                              Values2 values_first2, KeysOut keys_out, ValuesOut values_out,
                                              Comp comp = {}) {
  static_assert(detail::check_iterators<Keys1, Keys2, Values1, Values2, KeysOut, ValuesOut>());
  auto const count1 = detail::num_items_in(keys_first1, keys_last1);
  auto const count2 = detail::num_items_in(keys_first2, keys_last2);
  detail::dispatch_merge("mgpu::merge_by_key", policy,
                         detail::merge_problem{keys_first1, values_first1, count1, keys_first2, values_first2, count2,
                                               keys_out, values_out},
                         comp);
  return {keys_out + (count1 + count2), values_out + (count1 + count2)};
}
// Merges the keys [keys_first1, keys_last1) and [keys_first2, keys_last2), both sorted by comp (less, if none is
// given), to keys_out, and as many values of each likewise to values_out, on the device or the host, as the iterators
// say. Returns the ends of both outputs.
template <class Keys1, class Keys2, class Values1, class Values2, class KeysOut, class ValuesOut,
          class Comp = cuda::std::less<>, class = std::enable_if_t<!detail::is_policy<Keys1>>>
thrust::pair<KeysOut, ValuesOut> merge_by_key(Keys1 keys_first1, Keys1 keys_last1, Keys2 keys_first2,
                                              Keys2 keys_last2, Values1 values_first1, Values2 values_first2,
                                              KeysOut keys_out, ValuesOut values_out, Comp comp = {}) {
  return mgpu::merge_by_key(detail::policy_of_system<Keys1, Keys2, Values1, Values2, KeysOut, ValuesOut>(),
                            keys_first1, keys_last1, keys_first2, keys_last2, values_first1, values_first2, keys_out,
                            values_out, comp);
}

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
