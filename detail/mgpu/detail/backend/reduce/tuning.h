// Tuning of the reduction: plain numbers, chosen per compiled architecture and item size. It never changes results,
// but for the rounding of floating-point sums.
#pragma once
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

struct reduce_tuning {
  int threads_per_block;  // whole warps
  int rows_per_step;      // loads that each thread has in flight, a power of two; a row is one load of each lane
  int blocks_per_sm;      // in a full grid
  int lone_block_steps;   // a single block takes the input alone up to that many steps of each of its warps
};

// A selector: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0).
// load_bytes is what one load of a thread brings, value_bytes the size of the type that is accumulated.
template <int load_bytes, int value_bytes>
struct reduce_default_tuning {
  __host__ __device__ static constexpr reduce_tuning at(int arch) {
    if (arch >= 90) return sm_90();
    return sm_75();
  }

 private:
  static constexpr int bytes = load_bytes > value_bytes ? load_bytes : value_bytes;

  // The product of latency and bandwidth is about 30 KB an SM there, and as warps load and combine in turns, several
  // times that should be in flight: 1,024 threads with 128 bytes each.
  __host__ __device__ static constexpr reduce_tuning sm_90() {
    if (bytes <= 4) return {256, 16, 4, 2};
    if (bytes <= 16) return {256, 8, value_bytes <= 8 ? 4 : 3, 2};
    if (bytes <= 32) return {256, 4, 3, 2};
    if (bytes <= 64) return {256, 2, 2, 2};
    return {128, 1, 2, 2};
  }

  __host__ __device__ static constexpr reduce_tuning sm_75() {
    if (bytes <= 16) return {256, 4, 4, 2};
    if (bytes <= 64) return {128, 1, 4, 2};
    return {128, 1, 2, 2};
  }
};

}  // namespace mgpu::detail
