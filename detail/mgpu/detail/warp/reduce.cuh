// One warp reduces one value a lane, in lane order, so the operator need not commute: it is only ever called on the
// results of neighbouring lanes, the left one first. Only an operator for which nobody can tell the order
// (core/reorderable.h) may get its operands in another one, and its identity as an operand too. The order is the same
// each time.
#pragma once
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/reorderable.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/shuffle.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

namespace impl {
// Reduces by one instruction, for reorderable operators on integers of at most a word. The instruction finds the
// largest unsigned word: for signed integers the sign bit is flipped first, and for the smallest all bits are.
template <class T, class Op>
__device__ __forceinline__ T warp_reduce_word(T value, Op&) {
  auto const word = static_cast<std::uint32_t>(value);
  if constexpr (is_sum<Op, T>) {
    return static_cast<T>(simt::sum_of_warp(word));
  } else {
    constexpr bool is_minimum = reorderable<Op, T>::kind == reorderable_kind::minimum;
    constexpr std::uint32_t flip = (std::is_signed_v<T> ? 0x8000'0000u : 0u) ^ (is_minimum ? ~0u : 0u);
    return static_cast<T>(simt::maximum_of_warp(word ^ flip) ^ flip);
  }
}
}  // namespace impl

// Returns op over the values of lanes 0 to count - 1 to lane 0; the other lanes get a value of no use. Called by all
// lanes; 1 <= count <= 32, the same in all lanes. op sees only values of the first `count` lanes, and the identity
// where it is reorderable. No barrier.
template <class T, class Op>
__device__ __forceinline__ T warp_reduce(T value, int count, Op& op) {
  int const lane = static_cast<int>(simt::lane());
  if constexpr (is_reorderable<Op, T> && std::is_integral_v<T> && sizeof(T) <= 4) {
    return impl::warp_reduce_word(lane < count ? value : reorderable<Op, T>::identity, op);
  } else {
#pragma unroll unrolled_steps(sizeof(T))
    for (int delta = 1; delta < threads_per_warp; delta *= 2) {
      T const right = detail::shuffle_down(value, delta);
      if (lane + delta < count) value = op(value, right);  // now the aggregate of lanes [lane, lane + 2 * delta)
    }
    return value;
  }
}

// Returns op over values[0] to values[count - 1], which lie where all lanes can read them, to lane 0; the other lanes
// get a value of no use. Called by all lanes; 1 <= count <= 32, the same in all lanes. No barrier.
template <class T, class Op>
__device__ __forceinline__ T warp_reduce_array(T const* values, int count, Op& op) {
  return detail::warp_reduce(values[smaller(static_cast<int>(simt::lane()), count - 1)], count, op);
}

}  // namespace mgpu::detail
