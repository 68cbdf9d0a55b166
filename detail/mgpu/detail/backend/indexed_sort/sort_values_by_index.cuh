// Sorting large values by their keys without moving them in every pass.
#pragma once
#include <mgpu/detail/backend/indexed_sort/gathered_column.cuh>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/sort_problem.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/inner_call.h>
#include <cstddef>

namespace mgpu::detail {

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

}  // namespace mgpu::detail
