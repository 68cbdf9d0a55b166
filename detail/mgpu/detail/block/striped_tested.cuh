// One block goes over a tile that is seldom full, striped as in block/striped.cuh: each position is tested.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>

namespace mgpu::detail {

// Calls visit(i, position) for the striped positions of this thread that are valid, some at a time, as far as there are
// any. Positions are made anew, so that none is kept in a register from one call to the next. Called by all threads of
// the block; no barrier.
template <int threads_per_block, int items_per_thread, class Visit>
__device__ __forceinline__ void for_each_striped_tested(int valid, Visit visit) {
  constexpr int at_a_time = 4;
  auto const thread = static_cast<int>(simt::thread_rank_anew());
  int const my_valid = valid - thread;
#pragma unroll
  for (int first = 0; first < items_per_thread; first += at_a_time) {
    if (first * threads_per_block < my_valid) {
#pragma unroll
      for (int i = first; i < smaller(first + at_a_time, items_per_thread); ++i) {
        if (i * threads_per_block < my_valid) visit(i, thread + i * threads_per_block);
      }
    }
  }
}

}  // namespace mgpu::detail
