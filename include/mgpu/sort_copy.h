// Sorts whose result goes to another range, or tells where items were: sort_copy, sort_by_key_copy, argsort and
// sort_with_indices. What <mgpu/sort.h> says of all sorts holds for them.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/pair_tuple.h>
#include <mgpu/detail/core/sort_problem.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/dispatch/sort.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <mgpu/execution_policy.h>
#include <mgpu/holds_pointer.h>
#include <mgpu/radix_key.h>
#include <cuda/std/utility>
#include <type_traits>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Writes [first, last), sorted by comp (less, if none is given), to `out`; equal keys keep their order, and the
// input, which may be read-only, stays as it is. Returns the end of the output.
template <class Policy, class Input, class Output, class Comp = cuda::std::less<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output stable_sort_copy(Policy const& policy, Input first, Input last, Output out, Comp comp = {}) {
  static_assert(detail::check_iterators<Input, Output>());
  auto const num_items = detail::num_items_in(first, last);
  detail::no_values const none{};
  detail::dispatch_sort("mgpu::stable_sort_copy", policy, detail::sort_to_copy(first, none, out, none, num_items),
                        comp);
  return out + num_items;
}
// Writes [first, last), sorted by comp (less, if none is given), to `out`, on the device or the host, as the
// iterators say; equal keys keep their order, and the input stays as it is. Returns the end of the output.
template <class Input, class Output, class Comp = cuda::std::less<>,
          class = std::enable_if_t<!detail::is_policy<Input>>>
Output stable_sort_copy(Input first, Input last, Output out, Comp comp = {}) {
  return mgpu::stable_sort_copy(detail::policy_of_system<Input, Output>(), first, last, out, comp);
}

// Writes [first, last), sorted by comp (less, if none is given), to `out`; it is stable, as stable_sort_copy, and the
// input, which may be read-only, stays as it is. Returns the end of the output.
template <class Policy, class Input, class Output, class Comp = cuda::std::less<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Output sort_copy(Policy const& policy, Input first, Input last, Output out, Comp comp = {}) {
  static_assert(detail::check_iterators<Input, Output>());
  auto const num_items = detail::num_items_in(first, last);
  detail::no_values const none{};
  detail::dispatch_sort("mgpu::sort_copy", policy, detail::sort_to_copy(first, none, out, none, num_items), comp);
  return out + num_items;
}
// Writes [first, last), sorted by comp (less, if none is given), to `out`, on the device or the host, as the
// iterators say; it is stable, and the input stays as it is. Returns the end of the output.
template <class Input, class Output, class Comp = cuda::std::less<>,
          class = std::enable_if_t<!detail::is_policy<Input>>>
Output sort_copy(Input first, Input last, Output out, Comp comp = {}) {
  return mgpu::sort_copy(detail::policy_of_system<Input, Output>(), first, last, out, comp);
}

// Writes the keys [keys_first, keys_last), sorted by comp (less, if none is given), to keys_out, and as many values
// from values_first on, reordered likewise, to values_out; equal keys keep their order, and the input stays as it is.
// Returns the ends of both outputs, as a thrust::pair, which is cuda::std's: the caller includes <thrust/pair.h>.
template <class Policy, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp = cuda::std::less<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
cuda::std::pair<KeysOut, ValuesOut> stable_sort_by_key_copy(Policy const& policy, KeysIn keys_first, KeysIn keys_last,
                                                            ValuesIn values_first, KeysOut keys_out,
                                                            ValuesOut values_out, Comp comp = {}) {
  static_assert(detail::check_iterators<KeysIn, ValuesIn, KeysOut, ValuesOut>());
  auto const num_items = detail::num_items_in(keys_first, keys_last);
  detail::dispatch_sort("mgpu::stable_sort_by_key_copy", policy,
                        detail::sort_to_copy(keys_first, values_first, keys_out, values_out, num_items), comp);
  return {keys_out + num_items, values_out + num_items};
}
// Writes the keys [keys_first, keys_last), sorted by comp (less, if none is given), to keys_out, and as many values,
// reordered likewise, to values_out, on the device or the host, as the iterators say; equal keys keep their order.
// Returns the ends of both outputs, as a thrust::pair, for which the caller includes <thrust/pair.h>.
template <class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp = cuda::std::less<>,
          class = std::enable_if_t<!detail::is_policy<KeysIn>>>
cuda::std::pair<KeysOut, ValuesOut> stable_sort_by_key_copy(KeysIn keys_first, KeysIn keys_last,
                                                            ValuesIn values_first, KeysOut keys_out,
                                                            ValuesOut values_out, Comp comp = {}) {
  return mgpu::stable_sort_by_key_copy(detail::policy_of_system<KeysIn, ValuesIn, KeysOut, ValuesOut>(), keys_first,
                                       keys_last, values_first, keys_out, values_out, comp);
}

// Writes the keys [keys_first, keys_last), sorted by comp (less, if none is given), to keys_out, and as many values
// from values_first on, reordered likewise, to values_out; it is stable, as stable_sort_by_key_copy, and the input
// stays as it is. Returns the ends of both outputs, as a thrust::pair, for which the caller includes <thrust/pair.h>.
template <class Policy, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp = cuda::std::less<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
cuda::std::pair<KeysOut, ValuesOut> sort_by_key_copy(Policy const& policy, KeysIn keys_first, KeysIn keys_last,
                                                     ValuesIn values_first, KeysOut keys_out, ValuesOut values_out,
                                                     Comp comp = {}) {
  static_assert(detail::check_iterators<KeysIn, ValuesIn, KeysOut, ValuesOut>());
  auto const num_items = detail::num_items_in(keys_first, keys_last);
  detail::dispatch_sort("mgpu::sort_by_key_copy", policy,
                        detail::sort_to_copy(keys_first, values_first, keys_out, values_out, num_items), comp);
  return {keys_out + num_items, values_out + num_items};
}
// Writes the keys [keys_first, keys_last), sorted by comp (less, if none is given), to keys_out, and as many values,
// reordered likewise, to values_out, on the device or the host, as the iterators say; it is stable. Returns the ends
// of both outputs, as a thrust::pair, for which the caller includes <thrust/pair.h>.
template <class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp = cuda::std::less<>,
          class = std::enable_if_t<!detail::is_policy<KeysIn>>>
cuda::std::pair<KeysOut, ValuesOut> sort_by_key_copy(KeysIn keys_first, KeysIn keys_last, ValuesIn values_first,
                                                     KeysOut keys_out, ValuesOut values_out, Comp comp = {}) {
  return mgpu::sort_by_key_copy(detail::policy_of_system<KeysIn, ValuesIn, KeysOut, ValuesOut>(), keys_first,
                                keys_last, values_first, keys_out, values_out, comp);
}

// Writes to `indices` the stable permutation that sorts [first, last) by comp: indices[i] is the index, from 0, of
// the item that belongs at position i; the items stay as they are. Returns the end of the indices, whose type must
// hold n - 1. Beyond a tile, scratch also holds the keys twice.
template <class Policy, class Input, class Indices, class Comp = cuda::std::less<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
Indices argsort(Policy const& policy, Input first, Input last, Indices indices, Comp comp = {}) {
  static_assert(detail::check_iterators<Input, Indices>());
  static_assert(detail::check_indices<Indices>());
  auto const num_items = detail::num_items_in(first, last);
  using index = detail::index_t<Indices>;
  detail::counting_iterator<index> const numbers{0};
  detail::discard_iterator<detail::iterator_value_t<Input>> const no_keys{};
  detail::dispatch_sort("mgpu::argsort", policy, detail::sort_to_copy(first, numbers, no_keys, indices, num_items),
                        comp);
  return indices + num_items;
}
// Writes to `indices` the stable permutation that sorts [first, last) by comp, on the device or the host, as the
// iterators say: indices[i] is the index, from 0, of the item that belongs at position i. Returns the end of the
// indices, whose type must hold n - 1.
template <class Input, class Indices, class Comp = cuda::std::less<>,
          class = std::enable_if_t<!detail::is_policy<Input>>>
Indices argsort(Input first, Input last, Indices indices, Comp comp = {}) {
  return mgpu::argsort(detail::policy_of_system<Input, Indices>(), first, last, indices, comp);
}

// Sorts the keys [first, last) by comp (less, if none is given), in place and stable, and writes the index that each
// had before to `indices`, as sort_by_key would with 0, 1, ... for values, which are not read. It returns nothing;
// the type of the indices must hold n - 1.
template <class Policy, class Keys, class Indices, class Comp = cuda::std::less<>,
          class = std::enable_if_t<detail::is_policy<Policy>>>
void sort_with_indices(Policy const& policy, Keys first, Keys last, Indices indices, Comp comp = {}) {
  static_assert(detail::check_iterators<Keys, Indices>());
  static_assert(detail::check_indices<Indices>());
  using index = detail::index_t<Indices>;
  detail::counting_iterator<index> const numbers{0};
  detail::dispatch_sort("mgpu::sort_with_indices", policy,
                        detail::sort_in_place(first, numbers, indices, detail::num_items_in(first, last)), comp);
}
// Sorts the keys [first, last) by comp (less, if none is given), in place and stable, on the device or the host, as
// the iterators say, and writes the index that each had before to `indices`. It returns nothing, when the result is
// there; the type of the indices must hold n - 1.
template <class Keys, class Indices, class Comp = cuda::std::less<>,
          class = std::enable_if_t<!detail::is_policy<Keys>>>
void sort_with_indices(Keys first, Keys last, Indices indices, Comp comp = {}) {
  mgpu::sort_with_indices(detail::policy_of_system<Keys, Indices>(), first, last, indices, comp);
}

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
