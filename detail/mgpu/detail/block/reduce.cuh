// One block reduces in thread order: the operator need not commute, and needs no identity.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/warp/reduce.cuh>

namespace mgpu::detail {

template <class T, int threads_per_block>
struct block_reduce {
  static_assert(threads_per_block % threads_per_warp == 0 && threads_per_block <= 1024,
                "mgpu: a block reduces with whole warps");
  static constexpr int num_warps = threads_per_block / threads_per_warp;

  struct temp_storage {
    T warps[num_warps];
  };

  // Thread 0 gets op over the values of threads 0 to count - 1; what the others get is of no use. Called by all
  // threads; 1 <= count <= threads_per_block, the same in all threads. No barrier is owed before the call unless
  // others still read `temp`; one is owed after it, before `temp` is written.
  template <class Op>
  static __device__ __forceinline__ T reduce(temp_storage& temp, T const& value, int count, Op& op) {
    int const mine = smaller(threads_per_warp, count - static_cast<int>(simt::warp()) * threads_per_warp);
    return reduce_warps(temp, warp_reduce(value, mine, op), divide_up(count, threads_per_warp), op);
  }

  // The same where lane 0 of each warp holds what its warp came to, for warps 0 to count - 1. Lane 0 of every warp
  // gets the result.
  template <class Op>
  static __device__ __forceinline__ T reduce_warps(temp_storage& temp, T const& value, int count, Op& op) {
    int const warp = static_cast<int>(simt::warp());
    int const lane = static_cast<int>(simt::lane());
    if (lane == 0 && warp < count) temp.warps[warp] = value;
    simt::sync_block();
    return warp_reduce(temp.warps[smaller(lane, count - 1)], count, op);
  }
};

}  // namespace mgpu::detail
