// One block scans a value of each thread, in thread order: the operator need not commute.
//
// Both functions are called by all threads of a block of whole warps, at most num_warps, and have one barrier; one more
// is owed before `warps`, which is shared memory, is written again. The first `count` threads get their prefixes; the
// other threads get a value of no use, and op never sees theirs. `count` is the same in all threads. Sums of integers
// have a quicker scan, which this header includes.
#pragma once
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <mgpu/detail/warp/shuffle.cuh>

namespace mgpu::detail {

namespace impl {
// Returns how many lanes of this warp are among the first `count` threads of the block.
__device__ __forceinline__ int lanes_within(int count) {
  return larger(0, smaller(count - static_cast<int>(simt::warp()) * threads_per_warp, threads_per_warp));
}
// Returns the prefix of its value within the warp to each of the first `lanes` lanes, and leaves op over the values of
// each warp that is full in `warps`. Has a barrier.
template <class T, class Op>
__device__ __forceinline__ T scan_warps(T value, int lanes, T* warps, Op& op) {
  T const up_to = detail::warp_inclusive_scan(value, lanes, op);
  if (simt::lane() == threads_per_warp - 1) warps[simt::warp()] = up_to;
  simt::sync_block();
  return up_to;
}
// Returns op over the results of the warps before this one to all its lanes. There is at least one such warp.
template <class T, class Op>
__device__ __forceinline__ T reduce_warps_before(T const* warps, Op& op) {
  auto const warp = static_cast<int>(simt::warp());
  T const mine = warps[smaller(static_cast<int>(simt::lane()), warp - 1)];
  return detail::shuffle(detail::warp_reduce(mine, warp, op), 0);
}
}  // namespace impl

// Returns the inclusive prefix of a thread: op over the values of threads 0 to its own.
template <unsigned num_warps, class T, class Op>
__device__ __forceinline__ T block_inclusive_scan(T value, int count, T (&warps)[num_warps], Op& op) {
  int const lanes = impl::lanes_within(count);
  T const up_to = impl::scan_warps(value, lanes, warps, op);
  if (simt::warp() == 0 || lanes == 0) return up_to;
  T const before = impl::reduce_warps_before(warps, op);
  return static_cast<int>(simt::lane()) < lanes ? static_cast<T>(op(before, up_to)) : up_to;
}

// Returns the exclusive prefix of a thread: op over init and the values of the threads before it.
template <unsigned num_warps, class T, class Op>
__device__ __forceinline__ T block_exclusive_scan(T value, T const& init, int count, T (&warps)[num_warps], Op& op) {
  int const lanes = impl::lanes_within(count);
  T const left = detail::shuffle_up(impl::scan_warps(value, lanes, warps, op), 1);
  if (lanes == 0) return init;
  T const before = simt::warp() == 0 ? init : static_cast<T>(op(init, impl::reduce_warps_before(warps, op)));
  bool const has_left = simt::lane() > 0 && static_cast<int>(simt::lane()) < lanes;
  return has_left ? static_cast<T>(op(before, left)) : before;
}

}  // namespace mgpu::detail
