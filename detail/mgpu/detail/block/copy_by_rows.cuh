// One block copies plain memory through registers, where no asynchronous copy can.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/simt/simt.cuh>

namespace mgpu::detail {

// Copies `count` items, in rows of one item a thread, of which several are read before they are written. Called by all
// threads. A barrier is owed before other threads read the target.
template <int threads_per_block, class T>
__device__ __forceinline__ void copy_by_rows(T const* from, T* to, int count) {
  constexpr int rows = 8;  // at once
#pragma unroll 1
  for (int at = static_cast<int>(simt::thread_rank_anew()); at < count; at += rows * threads_per_block) {
    uninitialized_array<T, rows> items;
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      if (at + i * threads_per_block < count) items[i] = from[at + i * threads_per_block];
    }
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      if (at + i * threads_per_block < count) to[at + i * threads_per_block] = items[i];
    }
  }
}

}  // namespace mgpu::detail
