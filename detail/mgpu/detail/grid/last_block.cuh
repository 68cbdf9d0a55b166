// Which block of a launch is the last to have done its part: it goes on with what all have left in global memory. No
// block waits for another, so no forward progress between blocks is assumed.
#pragma once
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Returns, to all threads, whether all other blocks of the launch have called it before. What their threads did before
// that call is then visible to this block's. blocks_done is zero before the launch, `is_last` is shared memory. Called
// by all threads of each block, once; has two barriers.
__device__ __forceinline__ bool is_last_block(std::uint64_t& blocks_done, bool& is_last) {
  simt::fence_device();
  simt::sync_block();
  if (simt::thread_rank() == 0) {
    is_last = simt::add_acq_rel<std::uint64_t>(blocks_done, 1) == simt::block_count() - 1;
  }
  simt::sync_block();
  return is_last;
}

}  // namespace mgpu::detail
