// The warps of one block, in roles, pass pieces of work on to one another through stages in shared memory, without a
// block barrier: each role goes through all stages in turns, and of each it waits until the role before it is done
// with the piece there. The first role waits for the last one, which frees the stage.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/simt/mbarrier.cuh>
#include <mgpu/detail/simt/simt.cuh>

namespace mgpu::detail {

// A cursor tells where a role is: at a stage, in an even or an odd round through all of them.
template <int num_stages>
struct stage_cursor {
  int stage = 0;
  unsigned parity = 0;

  // Goes on by `steps` stages, of which there are at least as many.
  __device__ __forceinline__ void advance(int steps = 1) {
    stage += steps;
    if (stage >= num_stages) {
      stage -= num_stages;
      parity ^= 1;
    }
  }
};

// What one role is done with, in shared memory: a barrier for each stage.
template <int num_stages>
struct stage_barriers {
  using cursor = stage_cursor<num_stages>;
  simt::mbarrier barriers[num_stages];

  // These make a stage ready for a role of one thread, or of some warps. Called by one thread; a block barrier is owed.
  __device__ __forceinline__ void init_for_thread(int stage) { simt::mbarrier_init(barriers[stage], 1); }
  __device__ __forceinline__ void init_for_warps(int stage, int num_warps) {
    simt::mbarrier_init(barriers[stage], num_warps * simt::arrivals_per_warp);
  }
  // These return when the role is done with the stage in this round, or in the one before: that is what the first role
  // waits for, from the second round on.
  __device__ __forceinline__ void wait(cursor at) { simt::mbarrier_wait(barriers[at.stage], at.parity); }
  __device__ __forceinline__ void wait_for_last_round(cursor at) {
    simt::mbarrier_wait(barriers[at.stage], at.parity ^ 1);
  }
  // Both say that the role is done with the stage, as far as that is the part of one thread, which calls arrive(), or
  // of one warp, all lanes of which call arrive_warp().
  __device__ __forceinline__ void arrive(cursor at) { simt::mbarrier_arrive(barriers[at.stage]); }
  __device__ __forceinline__ void arrive_warp(cursor at) {
    simt::sync_warp();
    if (simt::lane() < simt::arrivals_per_warp) arrive(at);
  }
};

}  // namespace mgpu::detail
