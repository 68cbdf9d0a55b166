// Tuning of the scan: plain numbers, chosen per compiled architecture and item size. It never changes results, but
// for the rounding of floating-point operators.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/tile_shape.h>
#include <cstdint>

namespace mgpu::detail {

struct scan_tuning {
  int warps_per_tile;    // at most 32
  int items_per_thread;  // in those warps
  int stages = 1;        // tiles of a block in flight; 1 selects scan_tiles, which works without mbarriers
  int load_groups = 1;   // groups of warps_per_tile warps, used where there are several stages; no more than stages
  int blocks_per_sm = 1;
  int look_back_rows = 1;      // rows of 32 tiles that are read at a time
  int max_polls = 256;         // polls, about 0.1 ms, until a block that waits for a missing aggregate computes it
  int blocks_per_cluster = 1;  // used by scan_tiles, from sm_90 on: up to so many tiles need no look-back

  __host__ __device__ constexpr int tile_items() const { return warps_per_tile * 32 * items_per_thread; }
  // A block of scan_tiles has the warps of one tile. A block of the pipeline has its roles: loading groups, one
  // scanning group, and a warp each for tickets, publishing and look-back.
  __host__ __device__ constexpr int threads_per_block() const {
    return 32 * (stages == 1 ? warps_per_tile : warps_per_tile * (load_groups + 1) + 3);
  }
  __host__ __device__ constexpr bool is_valid() const {
    return warps_per_tile > 0 && warps_per_tile <= 32 && items_per_thread > 0 && stages > 0 && load_groups > 0 &&
           load_groups <= stages && threads_per_block() <= max_threads_per_block && blocks_per_sm > 0 &&
           look_back_rows > 0 && max_polls >= 0 && is_cluster(blocks_per_cluster) &&
           (stages == 1 || blocks_per_cluster == 1);
  }
};

// The selectors: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). Their numbers were
// swept on an H200: perf/notes/scan.md.

// Returns how many items a thread has: as many as take about `bytes`, or 28 of less than 4 bytes. They should be an odd
// number of 16-byte pieces, where that can be: then blocked access to shared memory is free of bank conflicts.
__host__ __device__ constexpr int scan_items(int item_bytes, int bytes) {
  return item_bytes < 4 ? 28 : larger(1, bytes / item_bytes);
}
// Returns how many warps a tile has: at most `most`, and so few that a tile with one item a thread takes no more than
// `kilobytes`.
__host__ __device__ constexpr int scan_warps(int item_bytes, int most, int kilobytes) {
  return larger(1, smaller(most, kilobytes * 1024 / (32 * item_bytes)));
}

template <int item_bytes>
struct scan_large_tuning {
  __host__ __device__ static constexpr scan_tuning at(int arch) {
    if (!has_large_blocks(arch)) return {scan_warps(item_bytes, 8, 32), scan_items(item_bytes, 48), 1, 1, 2, rows};
    if (item_bytes == 16) return {10, 9, 4, 1, 1, rows};
    int const of_tile = scan_warps(item_bytes, item_bytes == 8 ? 8 : 9, 72);
    int const of_lane = scan_items(item_bytes, item_bytes == 8 ? 144 : 112);
    return {of_tile, of_lane, stages_for(of_tile * of_lane), 2, 1, rows};
  }

 private:
  // The rows of look-back are as many as the registers of a lane hold.
  static constexpr int rows = item_bytes < 8 || item_bytes == 16 ? 6 : item_bytes == 8 ? 5 : item_bytes < 16 ? 4 : 2;

  // Returns how many tiles are in flight: 2 to 6, as many as 200 KB of shared memory hold.
  __host__ __device__ static constexpr int stages_for(int items_per_lane) {
    return larger(2, smaller(6, 200 * 1024 / (32 * items_per_lane * item_bytes)));
  }
};

template <int item_bytes>
struct scan_small_tuning {
  __host__ __device__ static constexpr scan_tuning at(int arch) {
    scan_tuning tuning{scan_warps(item_bytes, 32, arch < 80 ? 44 : 88), smaller(scan_items(item_bytes, 32), 8)};
    tuning.blocks_per_cluster = arch < 90 ? 1 : arch < 110 ? 16 : 8;
    return tuning;
  }
  // Returns up to how many items this tuning is faster than the large one: twice as many as a cluster takes, for
  // which look-back reads one row of 32 tiles.
  static constexpr std::int64_t max_items(int arch) {
    return std::int64_t{2} * at(arch).blocks_per_cluster * at(arch).tile_items();
  }
};

}  // namespace mgpu::detail
