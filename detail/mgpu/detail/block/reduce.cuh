// One block reduces one value a thread, of any trivially copyable type, in thread order: the operator need not commute.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/reduce.cuh>

namespace mgpu::detail {

// Returns op over the values of all threads to thread 0; the others get a value of no use. The block has whole warps.
// `warps` is shared memory with room for a value of each warp. Called by all threads; has one barrier, and owes one
// before `warps` is written again.
template <class T, class Op>
__device__ __forceinline__ T block_reduce(T value, T* warps, Op& op) {
  T const sum = detail::warp_reduce(value, threads_per_warp, op);
  if (simt::lane() == 0) warps[simt::warp()] = sum;
  simt::sync_block();
  if (simt::warp() != 0) return sum;
  return detail::warp_reduce_array(warps, static_cast<int>(simt::threads_per_block()) / threads_per_warp, op);
}

}  // namespace mgpu::detail
