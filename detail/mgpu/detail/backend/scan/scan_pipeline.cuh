// The scan of one block as a pipeline (block/pipeline.cuh): warps with different roles pass tiles on to one another, so
// that loads of later tiles are in flight while the look-back of an earlier one waits. Each role waits for the one
// above it, and arrives at the barrier that is named behind it; the tickets wait for the scan.
//
//   tickets    one thread takes the next tile for a free stage           -> full
//   load       groups of warps load and reduce tiles in turns            -> reduced
//   publish    one warp combines the warps' aggregates, and publishes    -> published
//   look-back  one warp finds the prefix of the tile                     -> prefixed
//   scan       one group of warps scans the stage, and stores it         -> empty
#pragma once
#include <mgpu/detail/backend/scan/scan_chunk.cuh>
#include <mgpu/detail/backend/scan/tuning.h>
#include <mgpu/detail/block/pipeline.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/grid/dynamic_tile.cuh>
#include <mgpu/detail/grid/look_back.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <cstdint>

namespace mgpu::detail {

template <class T, class Tuning, int arch>
struct scan_pipeline_storage {
  static constexpr scan_tuning tuning = Tuning::at(arch);
  alignas(alignof(T) > 16 ? alignof(T) : 16) T items[tuning.stages][tuning.tile_items()];
  T aggregates[tuning.stages][tuning.warps_per_tile];  // of each chunk; once published, of the chunks before it
  T prefixes[tuning.stages][tuning.warps_per_tile];    // op over all that comes before the chunk
  std::int64_t tiles[tuning.stages];                   // -1 says that no tile is left
  stage_barriers<tuning.stages> full;
  stage_barriers<tuning.stages> reduced;
  stage_barriers<tuning.stages> published;
  stage_barriers<tuning.stages> prefixed;
  stage_barriers<tuning.stages> empty;
};

template <class Tuning, class Problem, class Op>
class scan_pipeline {
  using T = typename Problem::T;
  static constexpr scan_tuning tuning = Tuning::at(current_arch());
  static constexpr int warps = tuning.warps_per_tile;
  using chunk = scan_chunk<T, tuning.items_per_thread>;
  using cursor = stage_cursor<tuning.stages>;

 public:
  using storage = scan_pipeline_storage<T, Tuning, current_arch()>;

  storage& shared;
  scan_launch<Problem> launch;
  Op& op;

  // Called by all threads of the block, once.
  __device__ __forceinline__ void run() {
    if (simt::thread_rank() == 0) {
#pragma unroll 1
      for (int s = 0; s < tuning.stages; ++s) {
        shared.full.init_for_thread(s);
        shared.reduced.init_for_warps(s, warps);
        shared.published.init_for_warps(s, 1);
        shared.prefixed.init_for_warps(s, 1);
        shared.empty.init_for_warps(s, warps);
      }
    }
    simt::sync_block();
    int const warp = static_cast<int>(simt::warp());
    if (warp < warps * tuning.load_groups) {
      load(warp / warps, warp % warps);
    } else if (warp < warps * (tuning.load_groups + 1)) {
      scan(warp - warps * tuning.load_groups);
    } else if (warp == warps * (tuning.load_groups + 1)) {
      if (simt::lane() == 0) take_tickets();
    } else if (warp == warps * (tuning.load_groups + 1) + 1) {
      publish();
    } else {
      look_back_all();
    }
  }

 private:
  // Calls visit(at, tile) for every `step`th of the block's tiles from number `first` on, each once its stage has it,
  // until none is left.
  template <class Visit>
  __device__ __forceinline__ void for_each_tile(int first, int step, Visit visit) {
    cursor at;
    for (at.advance(first);; at.advance(step)) {
      shared.full.wait(at);
      std::int64_t const tile = shared.tiles[at.stage];
      if (tile < 0) return;
      visit(at, tile);
    }
  }

  // The tickets' role, of one thread. Once no tile is left, it marks the end.
  __device__ __forceinline__ void take_tickets() {
    cursor at;
    int end_marks = 0;
    // Each loading group sees only its own stages, so each of them gets an end mark.
    for (int round = 0; end_marks < tuning.load_groups; at.advance(), ++round) {
      if (round >= tuning.stages) shared.empty.wait_for_last_round(at);
      std::int64_t const tile =
          end_marks > 0 ? -1 : detail::next_tile(launch.ticket, launch.num_tiles, round, tuning.stages);
      shared.tiles[at.stage] = tile;
      shared.full.arrive(at);
      if (tile < 0) ++end_marks;
    }
  }

  // The loading role, of one warp of a group: it reduces one chunk of each tile that the group loads.
  __device__ __forceinline__ void load(int group, int warp) {
    for_each_tile(group, tuning.load_groups, [&](cursor at, std::int64_t tile) {
      std::int64_t const begin = tile * tuning.tile_items() + warp * chunk::num_items;
      int const count = chunk::size(begin, launch.problem.num_items);
      if (count > 0) {
        T* const staged = shared.items[at.stage] + warp * chunk::num_items;
        chunk::load(launch.problem.in, begin, count, staged);
        uninitialized_array<T, tuning.items_per_thread> items;
        T const sum =
            detail::warp_reduce(chunk::reduce_lane(staged, count, items.items, op), chunk::num_lanes(count), op);
        if (simt::lane() == 0) shared.aggregates[at.stage][warp] = sum;
      }
      shared.reduced.arrive_warp(at);
    });
  }

  // The publishing role, of one warp. The last tile's aggregate is not published, as nobody looks back at it.
  __device__ __forceinline__ void publish() {
    int const lane = static_cast<int>(simt::lane());
    for_each_tile(0, 1, [&](cursor at, std::int64_t tile) {
      shared.reduced.wait(at);
      T* const aggregates = shared.aggregates[at.stage];
      int const chunks = chunk::num_chunks(tile * tuning.tile_items(), launch.problem.num_items, warps);
      T const up_to = detail::warp_inclusive_scan(aggregates[smaller(lane, chunks - 1)], chunks, op);
      if (lane == warps - 1 && tile + 1 < launch.num_tiles) {
        launch.aggregates.publish(tile, up_to);
        simt::fence_device();  // look_back::fall_back relies on it: the output overwrites the input only afterwards
      }
      T const before = detail::shuffle_up(up_to, 1);
      simt::sync_warp();
      if (lane < chunks) aggregates[lane] = before;
      shared.published.arrive_warp(at);
    });
  }

  // The look-back role, of one warp: it finds the prefix of each tile, and from that those of the tile's chunks.
  __device__ __forceinline__ void look_back_all() {
    int const lane = static_cast<int>(simt::lane());
    look_back<T, tuning.look_back_rows> known(launch.aggregates);
    launch.with_init([&](T const& init) { known.set_init(init); });
    for_each_tile(0, 1, [&](cursor at, std::int64_t tile) {
      shared.published.wait(at);
      T const* const before = shared.aggregates[at.stage];
      int const chunks = chunk::num_chunks(tile * tuning.tile_items(), launch.problem.num_items, warps);
      if (launch.has_prefix(tile)) {
        T const prefix = known.prefix(tile, op, tuning.max_polls, [&](std::int64_t missing, auto is_missing) {
          return chunk::template reduce_tile<warps>(launch.problem.in, missing * tuning.tile_items(), is_missing, op);
        });
        if (lane < chunks) shared.prefixes[at.stage][lane] = lane > 0 ? op(prefix, before[lane]) : prefix;
      } else if (0 < lane && lane < chunks) {
        shared.prefixes[at.stage][lane] = before[lane];
      }
      shared.prefixed.arrive_warp(at);
    });
  }

  // The scanning role, of one warp of the group: it scans and stores one chunk of each tile. It reduces the
  // lanes' items while the look-back may still wait for the prefix.
  __device__ __forceinline__ void scan(int warp) {
    for_each_tile(0, 1, [&](cursor at, std::int64_t tile) {
      shared.reduced.wait(at);
      std::int64_t const begin = tile * tuning.tile_items() + warp * chunk::num_items;
      int const count = chunk::size(begin, launch.problem.num_items);
      T* const staged = shared.items[at.stage] + warp * chunk::num_items;
      uninitialized_array<T, tuning.items_per_thread> items;
      uninitialized_array<T, 1> before;
      if (count > 0) {
        T const sum = chunk::reduce_lane(staged, count, items.items, op);
        before[0] = detail::shuffle_up(detail::warp_inclusive_scan(sum, chunk::num_lanes(count), op), 1);
      }

      shared.prefixed.wait(at);
      if (count > 0) {
        chunk::scan_lane(staged, count, items.items, warp > 0 || launch.has_prefix(tile),
                         shared.prefixes[at.stage][warp], before[0], begin, launch.problem, op);
      }
      shared.empty.arrive_warp(at);
      chunk::store_striped(launch.problem.out, begin, count, items.items);
    });
  }
};

}  // namespace mgpu::detail
