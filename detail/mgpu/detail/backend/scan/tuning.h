// Tuning of the scan: plain numbers, chosen per compiled architecture and item size. It never changes results, but
// for the rounding of floating-point operators.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

struct scan_tuning {
  int warps_per_tile;    // at most 32
  int items_per_thread;  // of those warps
  int stages;            // tiles of a block in flight; 1 stands for the plain kernel, for chips without mbarriers
  int load_groups;       // of warps_per_tile warps each, for more than one stage
  int blocks_per_sm;
  int look_back_rows;          // of 32 tiles, read at a time
  int patience;                // polls before the aggregate of a missing tile is computed by who waits for it
  int blocks_per_cluster = 1;  // of the plain kernel, from sm_90 on: up to so many tiles need no look-back

  __host__ __device__ constexpr int tile_items() const { return warps_per_tile * 32 * items_per_thread; }
  // The roles of the pipeline: loading groups, one scanning group, and a warp each for tickets, publishing and
  // look-back.
  __host__ __device__ constexpr int threads_per_block() const {
    return 32 * (stages == 1 ? warps_per_tile : warps_per_tile * (load_groups + 1) + 3);
  }
};

// A selector: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). It may name another,
// `few`, for inputs of up to few_items(arch).
template <int item_bytes>
struct scan_default_tuning {
  // Swept on an H200: perf/notes/scan.md.
  __host__ __device__ static constexpr scan_tuning at(int arch) {
    if (!has_large_blocks(arch)) return {warps_for(8, 32), items_for(48), 1, 1, 2, rows, patience};
    if (item_bytes == 16) return {10, 9, 4, 1, 1, rows, patience};
    int const items = items_for(item_bytes == 8 ? 144 : 112);
    int const warps = warps_for(item_bytes == 8 ? 8 : 9, 72);
    return {warps, items, stages_for(warps * items), 2, 1, rows, patience};
  }

  struct few {
    __host__ __device__ static constexpr scan_tuning at(int arch) {
      return {warps_for(32, arch < 80 ? 44 : 88), smaller(items_for(32), 8),          1, 1, 1, 1,
              patience, arch < 90 ? 1 : arch < 110 ? 16 : 8};
    }
  };
  // Twice what one cluster takes: that is one row of look-back.
  static constexpr std::int64_t few_items(int arch) {
    return std::int64_t{2} * few::at(arch).blocks_per_cluster * few::at(arch).tile_items();
  }

 private:
  // As many as the registers of a lane hold.
  static constexpr int rows = item_bytes < 8 || item_bytes == 16 ? 6 : item_bytes == 8 ? 5 : item_bytes < 16 ? 4 : 2;
  static constexpr int patience = 256;  // a tenth of a millisecond

  // So many items that a thread holds about `bytes`, and an odd number of 16-byte pieces where that can be: then
  // blocked access to shared memory is free of bank conflicts.
  __host__ __device__ static constexpr int items_for(int bytes) {
    return item_bytes < 4 ? 28 : larger(1, bytes / item_bytes);
  }
  // At most `most` warps, of which a tile takes no more than so many kilobytes where a thread holds one item.
  __host__ __device__ static constexpr int warps_for(int most, int kilobytes) {
    return larger(1, smaller(most, kilobytes * 1024 / (32 * item_bytes)));
  }
  // As many tiles in flight as 200 KB of shared memory hold.
  __host__ __device__ static constexpr int stages_for(int items_per_lane) {
    return larger(2, smaller(6, 200 * 1024 / (32 * items_per_lane * item_bytes)));
  }
};

}  // namespace mgpu::detail
