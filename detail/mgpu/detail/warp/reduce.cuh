// One warp reduces and scans, a value a lane, in lane order: the operator need not commute.
#pragma once
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/warp/shuffle.cuh>

namespace mgpu::detail {

// Lane 0 gets op over the values of lanes 0 to count - 1; what the other lanes get is of no use. Called by all lanes;
// 1 <= count <= 32, the same in all lanes. op sees only values of the first `count` lanes. No barrier.
template <class T, class Op>
__device__ __forceinline__ T warp_reduce(T value, int count, Op& op) {
  int const lane = static_cast<int>(simt::lane());
#pragma unroll
  for (int delta = 1; delta < threads_per_warp; delta *= 2) {
    T const right = shuffle_down(value, delta);
    if (lane + delta < count) value = op(value, right);  // now that of lanes [lane, lane + 2 * delta)
  }
  return value;
}

// Each lane gets op over the values of lanes 0 to its own. Called by all lanes. No barrier.
template <class T, class Op>
__device__ __forceinline__ T warp_inclusive_scan(T value, Op& op) {
  int const lane = static_cast<int>(simt::lane());
#pragma unroll
  for (int delta = 1; delta < threads_per_warp; delta *= 2) {
    T const left = shuffle_up(value, delta);
    if (lane >= delta) value = op(left, value);
  }
  return value;
}

}  // namespace mgpu::detail
