// Tuning of the reduction: plain numbers, chosen per compiled architecture and item size. It never changes results,
// but for the rounding of floating-point sums.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>

namespace mgpu::detail {

// What a block reduces at a time.
struct reduce_tile_shape {
  int threads;  // whole warps
  int rows;     // of each warp: loads that each thread has in flight. A row is one load of each lane.

  __host__ __device__ constexpr int units() const { return threads * rows; }
};

struct reduce_tuning {
  // Many items: blocks with a run of neighbouring tiles each, whose results a last block combines.
  reduce_tile_shape run;
  int blocks_per_sm;  // that are resident at least
  // There are so many blocks, up to so many tiles for each; beyond, so many times as many, with a tile at least, so that
  // few pages of memory are read at a time and no multiprocessor ends late. Three times come out even, too, where half
  // as many again are resident, as with few registers.
  int one_wave_tiles;
  int waves;
  // Few items: a block alone up to a tile; and the last block, which combines results up to a tile.
  reduce_tile_shape lone;
  // Between, from sm_90 on: one cluster of so many such blocks, up to two tiles each. 1: none.
  int blocks_per_cluster;
};

// A selector: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). load_bytes is what
// one load of a thread brings, value_bytes the size of the type that is accumulated.
template <int load_bytes, int value_bytes>
struct reduce_default_tuning {
  __host__ __device__ static constexpr reduce_tuning at(int arch) {
    int const cluster = arch < 90 ? 1 : arch < 110 ? 16 : 8;
    return {arch < 90 ? run_sm_75() : run_sm_90(), blocks_per_sm(arch), 2, 3, lone(), cluster};
  }

 private:
  // Of registers: bytes that do not come as words may take one each.
  static constexpr int in_registers(int bytes) { return bytes % 4 == 0 ? bytes : 4 * bytes; }
  static constexpr int bytes = larger(in_registers(load_bytes), larger(value_bytes, 4));

  // The product of latency and bandwidth is about 30 KB an SM there, and as warps load and combine in turns, several
  // times that should be in flight: 1,024 threads with 128 bytes each.
  __host__ __device__ static constexpr reduce_tile_shape run_sm_90() {
    if (bytes <= 4) return {256, 16};
    if (bytes <= 16) return {256, 8};
    if (bytes <= 32) return {256, 4};
    if (bytes <= 64) return {256, 2};
    return {192, 1};
  }
  __host__ __device__ static constexpr reduce_tile_shape run_sm_75() {
    if (bytes <= 16) return {256, 4};
    return {128, 1};
  }
  __host__ __device__ static constexpr int blocks_per_sm(int arch) {
    if (arch < 90) return bytes <= 64 ? 4 : 2;
    if (bytes <= 16) return value_bytes <= 8 ? 4 : 3;
    return bytes <= 32 ? 3 : 2;
  }

  // 32 or 64 KB of input, in as many loads of each thread as its registers hold.
  __host__ __device__ static constexpr reduce_tile_shape lone() {
    if (bytes <= 4) return {1024, 8};
    if (bytes <= 16) return {1024, 4};
    if (bytes <= 32) return {512, 4};
    if (bytes <= 64) return {512, 2};
    return {256, 1};
  }
};

}  // namespace mgpu::detail
