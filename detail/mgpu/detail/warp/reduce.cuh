// One warp reduces and scans, a value a lane, in lane order: the operator need not commute. It is only ever called on
// what neighbouring lanes (or rows) came to, left one first.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/warp/shuffle.cuh>
#include <cstdint>

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

// Lane 0 gets op over the values of row 0 in values[0], and so on for each row by itself, all at the same time.
// values[i] is a lane's value in row i; the rows together have `count` values, the first 32 in row 0, the next in row
// 1. Called by all lanes. Lanes beyond the last value hold some value, which op never sees, and what they and rows
// without a value get is of no use. No barrier.
template <int rows, class T, class Op>
__device__ __forceinline__ void warp_reduce_each_row(T (&values)[rows], int count, Op& op) {
  int const lane = static_cast<int>(simt::lane());
#pragma unroll
  for (int delta = 1; delta < threads_per_warp; delta *= 2) {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      T const right = shuffle_down(values[i], delta);
      bool const neighbours = lane + delta < threads_per_warp && i * threads_per_warp + lane + delta < count;
      if (neighbours) values[i] = op(values[i], right);
    }
  }
}

namespace impl {
// The rows that are still apart, at `delta` lanes: each lane keeps one of every two and gives the other away, so that
// half as many are left, and the shuffles of all levels together are no more than the rows.
template <int rows, int delta, class T, class Op>
__device__ __forceinline__ void fold_rows(T* values, Op& op) {
  if constexpr (rows > 1) {
    constexpr int half = rows / 2;
    bool const upper = (simt::lane() & delta) != 0;
#pragma unroll
    for (int i = 0; i < half; ++i) {
      // Chosen word by word, as a choice between two structs would send them through memory.
      words_of<T> const a(values[i]);
      words_of<T> const b(values[i + half]);
      words_of<T> left, right;
#pragma unroll
      for (int w = 0; w < words_of<T>::count; ++w) {
        std::uint32_t const other = simt::shuffle_xor(simt::full_mask, upper ? a.words[w] : b.words[w], delta);
        left.words[w] = upper ? other : a.words[w];
        right.words[w] = upper ? b.words[w] : other;
      }
      values[i] = op(left.value(), right.value());
    }
    fold_rows<half, 2 * delta>(values, op);
  }
}
}  // namespace impl

// Lane 0 gets op over row 0, lane by lane, then row 1, and so on; what the other lanes get is of no use. values[i] is
// a lane's value in row i. Called by all lanes. No barrier. `rows` is a power of two, at most 32.
// About rows + 10 shuffles, where a warp_reduce for each row takes 5 * rows.
template <int rows, class T, class Op>
__device__ __forceinline__ T warp_reduce_rows(T (&values)[rows], Op& op) {
  static_assert(is_power_of_two(rows) && rows <= threads_per_warp);
  int const lane = static_cast<int>(simt::lane());
  impl::fold_rows<rows, 1>(values, op);
  // Each group of `rows` lanes holds one value of every row, in bit-reversed order: neighbouring rows are half a
  // group apart. First the groups are put together, then the rows of the first group.
  T value = values[0];
#pragma unroll
  for (int delta = rows; delta < threads_per_warp; delta *= 2) {
    T const right = shuffle_down(value, delta);
    if (lane + delta < threads_per_warp) value = op(value, right);
  }
#pragma unroll
  for (int delta = rows / 2; delta > 0; delta /= 2) {
    T const right = shuffle_down(value, delta);
    if (lane < delta) value = op(value, right);
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
