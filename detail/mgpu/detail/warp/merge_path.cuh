// One warp finds where a diagonal crosses the merge path: a few steps of 32 probes instead of many of one.
#pragma once
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// As merge_path in thread/, with the same arguments and the same result in all lanes. Called by all lanes. No barrier.
template <class IteratorA, class IteratorB, class Comp>
__device__ __forceinline__ std::int64_t warp_merge_path(IteratorA a, std::int64_t a_count, IteratorB b,
                                                        std::int64_t b_count, std::int64_t diagonal, Comp& comp) {
  constexpr int lanes = threads_per_warp;
  auto const lane = static_cast<int>(simt::lane());
  std::int64_t low = larger(diagonal - b_count, std::int64_t{0});
  std::int64_t high = smaller(diagonal, a_count);
  while (low < high) {
    // As many probes, at equal distances, as there are candidates, or lanes.
    std::int64_t const candidates = high - low;
    int const probes = static_cast<int>(smaller<std::int64_t>(candidates, lanes));
    auto const place = [&](int probe) {
      return candidates <= lanes ? low + probe : low + candidates * (probe + 1) / (lanes + 1);
    };
    bool from_a = false;
    if (lane < probes) {
      iterator_value_t<IteratorA> const a_item = *(a + place(lane));
      iterator_value_t<IteratorB> const b_item = *(b + (diagonal - 1 - place(lane)));
      from_a = !comp(b_item, a_item);
    }
    // Of the probes the first so many; by a comparator that is no order, some number of them.
    auto const from = static_cast<int>(simt::population_count(simt::ballot(simt::full_mask, from_a)));
    high = from < probes ? place(from) : high;
    low = from > 0 ? place(from - 1) + 1 : low;
  }
  return low;
}

}  // namespace mgpu::detail
