// Tuning of the reduction: plain numbers, chosen per compiled architecture and item size. It never changes results,
// but for the rounding of floating-point sums.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>

namespace mgpu::detail {

struct reduce_tuning {
  int threads_per_block;  // whole warps
  int rows_per_step;      // loads that each thread has in flight, a power of two; a row is one load of each lane
  int blocks_per_sm;      // that are resident
  int lone_block_steps;   // a single block takes the input alone up to that many steps of each of its warps
  // The grid has more blocks than are resident, so that few pages of memory are read at a time and no multiprocessor
  // ends late: up to so many times as many, each with at least ...
  int max_waves = 1;
  int steps_per_wave = 1;  // ... that many steps for each of its warps.
  // Of a tuning for few items, from sm_90 on: up to two steps of so many blocks, they are one cluster; beyond, a grid
  // that is resident.
  int blocks_per_cluster = 1;

  __host__ __device__ constexpr std::int64_t rows_per_block_step() const {
    return std::int64_t{threads_per_block / 32} * rows_per_step;
  }
};

// A selector: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). It may name another,
// `few`, for inputs of up to few_rows(arch) rows.
// load_bytes is what one load of a thread brings, value_bytes the size of the type that is accumulated.
template <int load_bytes, int value_bytes>
struct reduce_default_tuning {
  __host__ __device__ static constexpr reduce_tuning at(int arch) {
    if (arch >= 90) return sm_90();
    return sm_75();
  }

  struct few {
    __host__ __device__ static constexpr reduce_tuning at(int arch) {
      int const threads = bytes <= 16 ? 1024 : 256;
      int const rows = bytes <= 16 ? 4 : bytes <= 32 ? 2 : 1;
      return {threads, rows, 1, 1, 1, 1, arch < 90 ? 1 : arch < 110 ? 16 : 8};
    }
  };
  // 16 MB: beyond that more waves are better.
  static constexpr std::int64_t few_rows(int arch) {
    return arch < 90 ? 0 : (std::int64_t{16} << 20) / (threads_per_warp * load_bytes);
  }

 private:
  static constexpr int bytes = load_bytes > value_bytes ? load_bytes : value_bytes;

  // The product of latency and bandwidth is about 30 KB an SM there, and as warps load and combine in turns, several
  // times that should be in flight: 1,024 threads with 128 bytes each.
  __host__ __device__ static constexpr reduce_tuning sm_90() {
    if (bytes <= 4) return {256, 16, 4, 2, 8, 4};
    if (bytes <= 16) return {256, 8, value_bytes <= 8 ? 4 : 3, 2, 8, 4};
    if (bytes <= 32) return {256, 4, 3, 2, 8, 4};
    if (bytes <= 64) return {256, 2, 2, 2, 8, 4};
    return {128, 1, 2, 2, 8, 4};
  }

  __host__ __device__ static constexpr reduce_tuning sm_75() {
    if (bytes <= 16) return {256, 4, 4, 2, 8, 4};
    if (bytes <= 64) return {128, 1, 4, 2, 8, 4};
    return {128, 1, 2, 2, 8, 4};
  }
};

}  // namespace mgpu::detail
