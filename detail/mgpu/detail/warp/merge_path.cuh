// One warp finds where a diagonal of the merge matrix crosses the merge path, by a few steps of 32 probes.
#pragma once
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Returns how many of the first `diagonal` items of the stable merge of a and b come from a, as merge_path in thread/ does
// for one thread. Whatever comp answers, that many are there. Called by all lanes, with the same arguments; no barrier.
template <class IteratorA, class IteratorB, class Comp>
__device__ __forceinline__ std::int64_t warp_merge_path(IteratorA a, std::int64_t a_count, IteratorB b,
                                                        std::int64_t b_count, std::int64_t diagonal, Comp& comp) {
  std::int64_t low = larger<std::int64_t>(diagonal - b_count, 0);
  std::int64_t high = smaller(diagonal, a_count);
  while (low < high) {
    std::int64_t const step = divide_up<std::int64_t>(high - low, threads_per_warp);
    // Returns the last item of a that so many lanes' steps cover.
    auto const last_of = [&](int lanes) { return smaller(low + lanes * step, high) - 1; };
    std::int64_t const probe = last_of(static_cast<int>(simt::lane()) + 1);
    iterator_value_t<IteratorA> const a_item = *(a + probe);
    iterator_value_t<IteratorB> const b_item = *(b + (diagonal - 1 - probe));
    // Items of a up to the first one that comes too late are taken. By a comparator that is no order there may be others.
    std::uint32_t const late = simt::ballot(simt::full_mask, comp(b_item, a_item));
    auto const lanes_taken = static_cast<int>(simt::population_count(~late & (late - 1)));
    std::int64_t const before = last_of(lanes_taken) + 1;
    if (late != 0) high = last_of(lanes_taken + 1);
    low = before;
  }
  return low;
}

}  // namespace mgpu::detail
