// Sorting large items without moving them in every pass: their indices are sorted, and the items moved once.
#pragma once
#include <mgpu/detail/backend/merge_sort/gather.cuh>
#include <mgpu/detail/backend/merge_sort/merge_sort.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/host/call.h>
#include <mgpu/detail/thread/indirect_compare.cuh>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// A column whose items are moved by a permutation. Where the target is the source, which may not be overwritten while
// it is read, the source is copied to scratch memory first.
template <class Source, bool in_place>
class gathered_column {
  using T = iterator_value_t<Source>;
  static constexpr bool needs_copy = in_place && has_values<T>;

 public:
  using source = std::conditional_t<needs_copy, T const*, Source>;

  gathered_column(scratch_layout& layout, std::int64_t num_items) : num_items_(num_items) {
    if constexpr (needs_copy) copy_ = layout.add<T>(num_items);
  }

  source prepare(device_call const& call, Source original) const {
    if constexpr (needs_copy) {
      detail::copy(call, original, call.scratch<T>(copy_), num_items_);
      return call.scratch<T>(copy_);
    } else {
      return original;
    }
  }

  template <class Order, class Target>
  void move(device_call const& call, source from, Order const* order, Target target) const {
    if constexpr (has_values<T> && !is_discard<Target>) detail::gather(call, from, order, target, num_items_);
  }

 private:
  std::int64_t num_items_;
  std::size_t copy_ = 0;
};

// Small keys, large values: keys are sorted together with indices, then the values are gathered.
template <class Index, bool in_place, class Sorter, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
void sort_values_by_index(device_call& call, Sorter const& sorter, KeysIn keys_in, ValuesIn values_in,
                          KeysOut keys_out, ValuesOut values_out, std::int64_t num_items) {
  constexpr bool values_in_place = in_place && std::is_same_v<ValuesIn, ValuesOut>;
  scratch_layout layout;
  std::size_t const order_piece = layout.add<Index>(num_items);
  gathered_column<ValuesIn, values_in_place> const values(layout, num_items);
  typename Sorter::template plan<KeysIn, counting_iterator<Index>, KeysOut, Index*> const plan(call, layout,
                                                                                               num_items);
  if (!call.allocate(layout)) return;

  Index* const order = call.scratch<Index>(order_piece);
  sorter.run(plan, call, keys_in, counting_iterator<Index>{0}, keys_out, order);
  values.move(call, values.prepare(call, values_in), order, values_out);
}

// Large keys: indices are sorted by looking at the keys, then keys and values are gathered.
template <class Tuning, class Index, bool in_place, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut,
          class Comp>
void sort_by_index(device_call& call, KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                   std::int64_t num_items, Comp comp) {
  using columns = gathered_column<KeysIn, in_place>;
  using compare = indirect_compare<typename columns::source, Comp>;

  constexpr bool values_in_place = in_place && std::is_same_v<ValuesIn, ValuesOut>;
  scratch_layout layout;
  std::size_t const order_piece = layout.add<Index>(num_items);
  columns const keys(layout, num_items);
  gathered_column<ValuesIn, values_in_place> const values(layout, num_items);
  merge_sort<Tuning, counting_iterator<Index>, no_values, Index*, no_values, compare> const sort(call, layout,
                                                                                                 num_items);
  if (!call.allocate(layout)) return;

  Index* const order = call.scratch<Index>(order_piece);
  auto const keys_source = keys.prepare(call, keys_in);
  sort.run(call, counting_iterator<Index>{0}, no_values{}, order, no_values{}, compare{keys_source, comp});
  keys.move(call, keys_source, order, keys_out);
  values.move(call, values.prepare(call, values_in), order, values_out);
}

}  // namespace mgpu::detail
