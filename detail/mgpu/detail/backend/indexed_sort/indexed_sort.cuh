// Sorting large items without moving them in every pass: their indices are sorted, and then each item is moved once.
#pragma once
#include <mgpu/detail/backend/indexed_sort/gather.cuh>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/sort_problem.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/inner_call.h>
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

  // Returns what stands for the source while the call's scratch memory is only planned.
  source planned(Source original) const {
    if constexpr (needs_copy) {
      return nullptr;
    } else {
      return original;
    }
  }
  // Returns the source from which items are moved, having copied it where that is needed.
  source prepare(device_call const& call, Source original) const {
    if constexpr (needs_copy) {
      detail::copy(call, original, call.scratch<T>(copy_), num_items_);
      return call.scratch<T>(copy_);
    } else {
      return original;
    }
  }

  // Moves the items: target[i] = from[order[i]].
  template <class Order, class Target>
  void move(device_call const& call, source from, Order const* order, Target target) const {
    if constexpr (has_values<T> && !is_discard<Target>) detail::gather(call, from, order, target, num_items_);
  }

 private:
  std::int64_t num_items_;
  std::size_t copy_ = 0;
};

// Sorts large values by their keys: the keys are sorted with indices for values, then the values are gathered.
// sort(call, problem) is the sort of keys with indices.
template <class Index, class Problem, class Sort>
void sort_values_by_index(device_call& call, Problem const& problem, Sort sort) {
  scratch_layout layout;
  std::size_t const order_piece = layout.add<Index>(problem.num_items);
  gathered_column<typename Problem::ValuesIn, Problem::values_in_place> const values(layout, problem.num_items);
  auto const sort_keys = [&](device_call& inner, Index* order) {
    counting_iterator<Index> const indices{0};
    if constexpr (Problem::keys_in_place) {
      sort(inner, detail::sort_in_place(problem.keys_in, indices, order, problem.num_items));
    } else {
      sort(inner, detail::sort_to_copy(problem.keys_in, indices, problem.keys_out, order, problem.num_items));
    }
  };
  inner_call const inner_sort(call, layout, [&](device_call& inner) { sort_keys(inner, nullptr); });
  if (!call.allocate(layout)) return;

  Index* const order = call.scratch<Index>(order_piece);
  inner_sort.run(call, [&](device_call& inner) { sort_keys(inner, order); });
  values.move(call, values.prepare(call, problem.values_in), order, problem.values_out);
}

// Sorts large keys: indices are sorted by comparing the keys that they stand for, then keys and values are gathered.
// sort(call, problem, comp) is the sort of indices, by a comparator.
template <class Index, class Problem, class Comp, class Sort>
void sort_by_index(device_call& call, Problem const& problem, Comp const& comp, Sort sort) {
  using keys_column = gathered_column<typename Problem::KeysIn, Problem::keys_in_place>;
  using keys_source = typename keys_column::source;
  scratch_layout layout;
  std::size_t const order_piece = layout.add<Index>(problem.num_items);
  keys_column const keys(layout, problem.num_items);
  gathered_column<typename Problem::ValuesIn, Problem::values_in_place> const values(layout, problem.num_items);
  auto const sort_indices = [&](device_call& inner, keys_source const& source, Index* order) {
    counting_iterator<Index> const indices{0};
    no_values const none{};
    sort(inner, detail::sort_to_copy(indices, none, order, none, problem.num_items),
         indirect_compare<keys_source, Comp>{source, comp});
  };
  inner_call const inner_sort(
      call, layout, [&](device_call& inner) { sort_indices(inner, keys.planned(problem.keys_in), nullptr); });
  if (!call.allocate(layout)) return;

  Index* const order = call.scratch<Index>(order_piece);
  keys_source const source = keys.prepare(call, problem.keys_in);
  inner_sort.run(call, [&](device_call& inner) { sort_indices(inner, source, order); });
  keys.move(call, source, order, problem.keys_out);
  values.move(call, values.prepare(call, problem.values_in), order, problem.values_out);
}

}  // namespace mgpu::detail
