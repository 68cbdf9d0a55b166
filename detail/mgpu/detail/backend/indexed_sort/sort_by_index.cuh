// Sorting large keys without moving them in every pass.
#pragma once
#include <mgpu/detail/backend/indexed_sort/gathered_column.cuh>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/sort_problem.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/inner_call.h>
#include <mgpu/detail/thread/indirect_compare.cuh>
#include <cstddef>

namespace mgpu::detail {

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
