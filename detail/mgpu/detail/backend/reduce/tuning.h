// Tuning of the reduction: plain numbers, chosen per compiled architecture and item size. It never changes results,
// but for the rounding of floating-point sums.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/tile_shape.h>

namespace mgpu::detail {

// The shape of the tile that a block reduces at a time.
struct reduce_tile_shape {
  int threads;  // whole warps
  int rows;     // loads that each thread has in flight; a row of a warp is one load of each lane

  __host__ __device__ constexpr int units() const { return threads * rows; }
  __host__ __device__ constexpr bool is_valid() const { return is_block_of_warps(threads) && rows > 0; }
};

struct reduce_tuning {
  // Many items are reduced by a grid, each block of which has a span of neighbouring tiles of this shape; a single
  // block combines the results.
  reduce_tile_shape span;
  int blocks_per_sm;  // how many are resident at least
  // The grid is one wave, blocks_per_sm blocks an SM, as long as these have at most one_wave_tiles tiles each.
  // Beyond, it has `waves` times as many blocks, but no more than tiles, so that few pages of memory are read at a
  // time and no multiprocessor ends late. Three waves come out even, too, where half as many blocks again are
  // resident, as with few registers.
  int one_wave_tiles;
  int waves;
  // Few items, up to a tile, are reduced by a single block of this shape, which is also that of the block that
  // combines up to a tile of results.
  reduce_tile_shape single_block;
  // Numbers of items between these are reduced by one cluster, from sm_90 on: it has so many blocks of that shape,
  // each with up to two tiles. 1 says that there is none.
  int blocks_per_cluster;

  __host__ __device__ constexpr bool is_valid() const {
    return span.is_valid() && blocks_per_sm > 0 && one_wave_tiles >= 0 && waves > 0 && single_block.is_valid() &&
           is_cluster(blocks_per_cluster);
  }
};

// The selector: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). load_bytes is the
// size of one load of a thread, value_bytes that of the type in which items are accumulated.
template <int load_bytes, int value_bytes>
struct reduce_default_tuning {
  // The product of latency and bandwidth is about 30 KB an SM from sm_90 on, and as warps load and combine in turns,
  // several times that should be in flight: 1,024 threads of spans with 128 bytes each. A single block's tile is 32 or
  // 64 KB of input, in as many loads of each thread as its registers hold.
  __host__ __device__ static constexpr reduce_tuning at(int arch) {
    if (bytes <= 4) return chosen(arch, {256, 16}, 4, {256, 4}, 4, {1024, 8});
    if (bytes <= 16) return chosen(arch, {256, 8}, value_bytes <= 8 ? 4 : 3, {256, 4}, 4, {1024, 4});
    if (bytes <= 32) return chosen(arch, {256, 4}, 3, {128, 1}, 4, {512, 4});
    if (bytes <= 64) return chosen(arch, {256, 2}, 2, {128, 1}, 4, {512, 2});
    return chosen(arch, {192, 1}, 2, {128, 1}, 2, {256, 1});
  }

 private:
  // The bytes of registers that a load or a value takes: bytes that do not come as words may take a register each.
  static constexpr int in_registers(int size) { return size % 4 == 0 ? size : 4 * size; }
  static constexpr int bytes = larger(in_registers(load_bytes), larger(value_bytes, 4));

  // Returns the tuning of a span and its blocks an SM from sm_90 on, or of those before, and of a single block.
  __host__ __device__ static constexpr reduce_tuning chosen(int arch, reduce_tile_shape span, int blocks_per_sm,
                                                            reduce_tile_shape older_span, int older_blocks_per_sm,
                                                            reduce_tile_shape single_block) {
    if (arch < 90) return {older_span, older_blocks_per_sm, 2, 3, single_block, 1};
    return {span, blocks_per_sm, 2, 3, single_block, arch < 110 ? 16 : 8};
  }
};

}  // namespace mgpu::detail
