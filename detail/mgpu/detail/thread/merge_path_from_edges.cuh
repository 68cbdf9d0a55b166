// One thread finds where a diagonal of the merge matrix crosses the merge path of runs that may hardly overlap: that path
// keeps to the edges of the matrix.
#pragma once
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/thread/merge_path.cuh>

namespace mgpu::detail {

// Returns what merge_path does, or by a comparator that is no order another number within the bounds. It looks first, side
// by side, at the least and at the most that can come from a.
template <class Offset, class IteratorA, class IteratorB, class Comp>
__device__ __forceinline__ Offset merge_path_from_edges(IteratorA a, Offset a_count, IteratorB b, Offset b_count,
                                                        Offset diagonal, Comp& comp) {
  Offset const low = larger(diagonal - b_count, Offset{0});
  Offset const high = smaller(diagonal, a_count);
  if (low < high) {
    iterator_value_t<IteratorA> const first_of_a = *(a + low), last_of_a = *(a + (high - 1));
    iterator_value_t<IteratorB> const last_of_b = *(b + (diagonal - 1 - low)), first_of_b = *(b + (diagonal - high));
    if (comp(last_of_b, first_of_a)) return low;
    if (!comp(first_of_b, last_of_a)) return high;
  }
  return detail::merge_path(a, a_count, b, b_count, diagonal, comp);
}

}  // namespace mgpu::detail
