// One warp scans one value a lane. The operator need not commute: it is only ever called on the results of neighbouring
// lanes, the left one first.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/shuffle.cuh>

namespace mgpu::detail {

// Returns the inclusive prefix of its value, op over the values of lanes 0 to its own, to each of the lanes 0 to
// count - 1; the other lanes get a value of no use. Called by all lanes; count <= 32, the same in all lanes. op sees
// only values of the first `count` lanes. No barrier.
template <class T, class Op>
__device__ __forceinline__ T warp_inclusive_scan(T value, int count, Op& op) {
  int const lane = static_cast<int>(simt::lane());
#pragma unroll unrolled_steps(sizeof(T))
  for (int delta = 1; delta < threads_per_warp; delta *= 2) {
    T const left = detail::shuffle_up(value, delta);
    if (lane >= delta && lane < count) value = op(left, value);
  }
  return value;
}

}  // namespace mgpu::detail
