// The scan of one block, plainly: one tile after the other, with block barriers. For few items, and for chips without
// mbarriers. Where there are no more tiles than blocks in a cluster, a block takes one, and they tell each other in
// shared memory what their tiles come to; else by look-back.
#pragma once
#include <mgpu/detail/backend/scan/scan_chunk.cuh>
#include <mgpu/detail/backend/scan/tuning.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/grid/look_back.cuh>
#include <mgpu/detail/thread/partial_result.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cstdint>

namespace mgpu::detail {

template <class T, class Tuning, int arch>
struct scan_tiles_storage {
  static constexpr scan_tuning tuning = Tuning::at(arch);
  alignas(alignof(T) > 16 ? alignof(T) : 16) T items[tuning.tile_items()];
  T chunks[tuning.warps_per_tile];     // the aggregate of each warp's chunk
  T tiles[tuning.blocks_per_cluster];  // the aggregate of each block's tile, put there by that block
  T prefixes[tuning.warps_per_tile];   // what all before the chunk comes to
  std::int64_t tile;
};

template <bool inclusive, class Tuning, class T, class In, class Out, class Total, class Init, class Op>
class scan_tiles {
  static constexpr scan_tuning tuning = Tuning::at(current_arch());
  static constexpr int warps = tuning.warps_per_tile;
  using chunk = scan_chunk<T, tuning.items_per_thread>;
  using known_tiles = look_back<T, tuning.look_back_rows>;

 public:
  using storage = scan_tiles_storage<T, Tuning, current_arch()>;

  storage& shared;
  scan_problem<T, In, Out, Total, Init> problem;
  Op& op;

  // Called by all threads of the block, once.
  __device__ __forceinline__ void run() {
    known_tiles known(problem.aggregates);  // warp 0's
    if constexpr (has_values<Init>) known.set_init(problem.init);
    for (int round = 0;; ++round) {
      if (simt::thread_rank() == 0) shared.tile = problem.next_tile(round, tuning.stages);
      simt::sync_block();
      std::int64_t const tile = shared.tile;
      if (tile < 0) return;
      scan_tile(tile, known);
    }
  }

 private:
  // The blocks of the launch are one cluster, of a block for each tile.
  static __device__ __forceinline__ bool in_cluster() {
    return tuning.blocks_per_cluster > 1 && simt::blocks_per_cluster() > 1;
  }

  __device__ __forceinline__ void scan_tile(std::int64_t tile, known_tiles& known) {
    int const lane = static_cast<int>(simt::lane());
    int const warp = static_cast<int>(simt::warp());
    std::int64_t const tile_begin = tile * tuning.tile_items();
    std::int64_t const begin = tile_begin + warp * chunk::num_items;
    int const count = chunk::size(begin, problem.num_items);
    int const chunks = chunk::num_chunks(tile_begin, problem.num_items, warps);
    if (in_cluster()) simt::arrive_cluster();  // as others write to this block's memory only once it has started

    T* const staged = shared.items + warp * chunk::num_items;
    uninitialized_array<T, tuning.items_per_thread> items;
    uninitialized_array<T, 1> up_to_lane;
    if (count > 0) {
      chunk::load(problem.in, begin, count, staged);
      simt::sync_warp();
      up_to_lane[0] = detail::warp_inclusive_scan(chunk::reduce_lane(staged, count, items.items, op),
                                                  chunk::num_lanes(count), op);
      if (lane == chunk::num_lanes(count) - 1) shared.chunks[warp] = up_to_lane[0];
    }
    simt::sync_block();

    uninitialized_array<T, 1> up_to_chunk;  // in lane i of warp 0: what chunks 0 to i come to
    if (warp == 0) up_to_chunk[0] = detail::warp_inclusive_scan(shared.chunks[smaller(lane, chunks - 1)], chunks, op);
    if (in_cluster()) {
      simt::wait_cluster();
      if (warp == 0) tell_cluster(tile, detail::shuffle(up_to_chunk[0], chunks - 1));
      simt::arrive_cluster();
      simt::wait_cluster();
    }
    if (warp == 0) {
      if (!in_cluster() && tile + 1 < problem.num_tiles) publish(tile, up_to_chunk[0]);
      partial_result<T> before = in_cluster() ? before_in_cluster(tile) : before_in_grid(tile, known);
      T const before_chunk = detail::shuffle_up(up_to_chunk[0], 1);
      if (lane < chunks) {
        if (lane > 0) before.append(before_chunk, op);
        if (before.any) shared.prefixes[lane] = before.value[0];
      }
    }
    simt::sync_block();

    if (count > 0) {
      bool const has_prefix = warp > 0 || problem.has_prefix(tile);
      chunk::template scan_lane<inclusive>(staged, count, items.items, has_prefix, shared.prefixes[warp],
                                           detail::shuffle_up(up_to_lane[0], 1), begin, problem, op);
      simt::sync_warp();
      chunk::template read_striped<Out>(staged, items.items);
      chunk::store_striped(problem.out, begin, count, items.items);
    }
  }

  // What follows is called by one warp.

  __device__ __forceinline__ void tell_cluster(std::int64_t tile, T const& aggregate) {
    unsigned const lane = simt::lane();
    if (lane < simt::blocks_per_cluster()) simt::in_cluster_block(shared.tiles[tile], lane) = aggregate;
  }
  __device__ __forceinline__ partial_result<T> before_in_cluster(std::int64_t tile) {
    int const tiles = static_cast<int>(tile);
    partial_result<T> before;
    if constexpr (has_values<Init>) before.append(problem.init, op);
    if (tiles > 0) {
      T const up_to =
          detail::warp_inclusive_scan(shared.tiles[smaller(static_cast<int>(simt::lane()), tiles - 1)], tiles, op);
      before.append(detail::shuffle(up_to, tiles - 1), op);
    }
    return before;
  }

  __device__ __forceinline__ void publish(std::int64_t tile, T const& up_to_chunk) {
    if (simt::lane() == warps - 1) problem.aggregates.publish(tile, up_to_chunk);
    simt::fence_device();  // for look_back::supply, before the output overwrites the input
  }
  __device__ __forceinline__ partial_result<T> before_in_grid(std::int64_t tile, known_tiles& known) {
    partial_result<T> before;
    if (problem.has_prefix(tile)) {
      auto const recompute = [&](std::int64_t missing, auto is_missing) {
        return chunk::template reduce_tile<warps>(problem.in, missing * tuning.tile_items(), is_missing, op);
      };
      before.append(known.prefix(tile, op, tuning.patience, recompute), op);
    }
    return before;
  }
};

}  // namespace mgpu::detail
