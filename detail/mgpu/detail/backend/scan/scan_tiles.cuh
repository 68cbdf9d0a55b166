// The scan of one block without a pipeline: it scans one tile after the other, with block barriers. It serves few
// items, and chips without mbarriers. Where there are no more tiles than blocks in a cluster, each block takes one
// tile, and the blocks write their aggregates into each other's shared memory; else prefixes are found by look-back.
#pragma once
#include <mgpu/detail/backend/scan/scan_chunk.cuh>
#include <mgpu/detail/backend/scan/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/grid/dynamic_tile.cuh>
#include <mgpu/detail/grid/look_back.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/partial_result.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <cstdint>

namespace mgpu::detail {

template <class T, class Tuning, int arch>
struct scan_tiles_storage {
  static constexpr scan_tuning tuning = Tuning::at(arch);
  alignas(alignof(T) > 16 ? alignof(T) : 16) T items[tuning.tile_items()];
  T chunks[tuning.warps_per_tile];     // the aggregate of each warp's chunk
  T tiles[tuning.blocks_per_cluster];  // the aggregate of each block's tile, written here by that block
  T prefixes[tuning.warps_per_tile];   // op over all that comes before the chunk
  std::int64_t tile;
};

template <class Tuning, class Problem, class Op>
class scan_tiles {
  using T = typename Problem::T;
  static constexpr scan_tuning tuning = Tuning::at(current_arch());
  static constexpr int warps = tuning.warps_per_tile;
  using chunk = scan_chunk<T, tuning.items_per_thread>;
  using known_tiles = look_back<T, tuning.look_back_rows>;

 public:
  using storage = scan_tiles_storage<T, Tuning, current_arch()>;

  storage& shared;
  scan_launch<Problem> launch;
  Op& op;

  // Called by all threads of the block, once.
  __device__ __forceinline__ void run() {
    known_tiles known(launch.aggregates);  // used by warp 0
    launch.with_init([&](T const& init) { known.set_init(init); });
    for (int round = 0;; ++round) {
      if (simt::thread_rank() == 0)
        shared.tile = detail::next_tile(launch.ticket, launch.num_tiles, round, tuning.stages);
      simt::sync_block();
      std::int64_t const tile = shared.tile;
      if (tile < 0) return;
      scan_tile(tile, known);
    }
  }

 private:
  // Returns whether the blocks of the launch are one cluster, with a block for each tile.
  static __device__ __forceinline__ bool in_cluster() {
    return tuning.blocks_per_cluster > 1 && simt::blocks_per_cluster() > 1;
  }

  // Scans one tile. Called by all threads of the block.
  __device__ __forceinline__ void scan_tile(std::int64_t tile, known_tiles& known) {
    int const lane = static_cast<int>(simt::lane());
    int const warp = static_cast<int>(simt::warp());
    std::int64_t const tile_begin = tile * tuning.tile_items();
    std::int64_t const begin = tile_begin + warp * chunk::num_items;
    int const count = chunk::size(begin, launch.problem.num_items);
    int const chunks = chunk::num_chunks(tile_begin, launch.problem.num_items, warps);
    if (in_cluster()) simt::arrive_cluster_relaxed();  // others write to a block's memory only once it has started

    T* const staged = shared.items + warp * chunk::num_items;
    uninitialized_array<T, tuning.items_per_thread> items;
    uninitialized_array<T, 1> up_to_lane;
    if (count > 0) {
      chunk::load(launch.problem.in, begin, count, staged);
      up_to_lane[0] = detail::warp_inclusive_scan(chunk::reduce_lane(staged, count, items.items, op),
                                                  chunk::num_lanes(count), op);
      if (lane == chunk::num_lanes(count) - 1) shared.chunks[warp] = up_to_lane[0];
    }
    simt::sync_block();

    uninitialized_array<T, 1> up_to_chunk;  // in lane i of warp 0, op over chunks 0 to i
    if (warp == 0) up_to_chunk[0] = detail::warp_inclusive_scan(shared.chunks[smaller(lane, chunks - 1)], chunks, op);
    if (in_cluster()) {
      simt::wait_cluster();
      if (warp == 0) {
        T const aggregate = detail::shuffle(up_to_chunk[0], chunks - 1);
        unsigned const block = simt::lane();  // each lane tells one block of the cluster
        if (block < simt::blocks_per_cluster()) simt::in_cluster_block(shared.tiles[tile], block) = aggregate;
      }
      simt::arrive_cluster();
      simt::wait_cluster();
    }
    if (warp == 0) {
      if (!in_cluster() && tile + 1 < launch.num_tiles) {
        if (lane == warps - 1) launch.aggregates.publish(tile, up_to_chunk[0]);
        simt::fence_device();  // look_back::fall_back relies on it: the output overwrites the input only afterwards
      }
      partial_result<T> before = tile_prefix(tile, known);
      T const before_chunk = detail::shuffle_up(up_to_chunk[0], 1);
      if (lane < chunks) {
        if (lane > 0) before.append(before_chunk, op);
        if (before.any) shared.prefixes[lane] = before.value[0];
      }
    }
    simt::sync_block();

    if (count > 0) {
      chunk::scan_lane(staged, count, items.items, warp > 0 || launch.has_prefix(tile), shared.prefixes[warp],
                       detail::shuffle_up(up_to_lane[0], 1), begin, launch.problem, op);
      chunk::store_striped(launch.problem.out, begin, count, items.items);
    }
  }

  // Returns the tile's prefix: op over the init, if there is one, and the aggregates of all tiles before. Called by all
  // lanes of one warp.
  __device__ __forceinline__ partial_result<T> tile_prefix(std::int64_t tile, known_tiles& known) {
    partial_result<T> prefix;
    if (in_cluster()) {
      int const tiles = static_cast<int>(tile);
      launch.with_init([&](T const& init) { prefix.append(init, op); });
      if (tiles > 0) prefix.append(detail::shuffle(detail::warp_reduce_array(shared.tiles, tiles, op), 0), op);
    } else if (launch.has_prefix(tile)) {
      auto const recompute = [&](std::int64_t missing, auto is_missing) {
        return chunk::template reduce_tile<warps>(launch.problem.in, missing * tuning.tile_items(), is_missing, op);
      };
      prefix.append(known.prefix(tile, op, tuning.max_polls, recompute), op);
    }
    return prefix;
  }
};

}  // namespace mgpu::detail
