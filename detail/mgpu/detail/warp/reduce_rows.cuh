// One warp reduces several values a lane: rows of 32 values in registers, or an array that may be longer than a row.
// The operator need not commute: it is only ever called on the results of neighbouring values, the left one first.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <mgpu/detail/warp/shuffle.cuh>

namespace mgpu::detail {

// Reduces each row by itself, all rows at the same time: lane 0 gets op over the values of row i in values[i]. On
// entry values[i] is a lane's value in row i; the rows together have `count` values, the first 32 in row 0, the next
// in row 1. Called by all lanes. Lanes beyond the last value hold some value, which op never sees; what they and rows
// without a value get is of no use. No barrier.
template <int rows, class T, class Op>
__device__ __forceinline__ void warp_reduce_each_row(T (&values)[rows], int count, Op& op) {
  int const lane = static_cast<int>(simt::lane());
#pragma unroll unrolled_steps(sizeof(T))
  for (int delta = 1; delta < threads_per_warp; delta *= 2) {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      T const right = detail::shuffle_down(values[i], delta);
      bool const neighbours = lane + delta < threads_per_warp && i * threads_per_warp + lane + delta < count;
      if (neighbours) values[i] = op(values[i], right);
    }
  }
}

// Returns op over row 0, lane by lane, then row 1, and so on, to lane 0; the other lanes get a value of no use.
// values[i] is a lane's value in row i. The rows together have `count` values, at least one; beyond, lanes hold some
// value, which op never sees. Called by all lanes. No barrier.
template <int rows, class T, class Op>
__device__ __forceinline__ T warp_reduce_rows(T (&values)[rows], int count, Op& op) {
  detail::warp_reduce_each_row(values, count, op);
  T value = values[0];
  if (simt::lane() == 0) {
#pragma unroll
    for (int i = 1; i < rows; ++i) {
      if (i * threads_per_warp < count) value = op(value, values[i]);
    }
  }
  return value;
}

// Returns op over values[0] to values[count - 1], which lie where all lanes can read them, to lane 0; the other lanes
// get a value of no use. Called by all lanes; 1 <= count <= most, the same in all lanes. No barrier.
template <int most, class T, class Op>
__device__ __forceinline__ T warp_reduce_range(T const* values, int count, Op& op) {
  if constexpr (most <= threads_per_warp) {
    return detail::warp_reduce_array(values, count, op);
  } else {
    int const lane = static_cast<int>(simt::lane());
    int const per_lane = divide_up(count, threads_per_warp);
    int const lanes = divide_up(count, per_lane);
    int const begin = smaller(lane, lanes - 1) * per_lane;
    int const end = smaller(begin + per_lane, count);
    uninitialized_array<T, 1> value;
    value[0] = values[begin];
#pragma unroll 1
    for (int i = begin + 1; i < end; ++i) value[0] = op(value[0], values[i]);
    return detail::warp_reduce(value[0], lanes, op);
  }
}

}  // namespace mgpu::detail
