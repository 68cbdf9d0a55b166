// The scan of one block, plainly: one tile after the other, with block barriers. For chips without mbarriers.
#pragma once
#include <mgpu/detail/backend/scan/scan_chunk.cuh>
#include <mgpu/detail/backend/scan/tuning.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/grid/look_back.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cstdint>

namespace mgpu::detail {

template <class T, class Tuning, int arch>
struct scan_tiles_storage {
  static constexpr scan_tuning tuning = Tuning::at(arch);
  alignas(16) T items[tuning.tile_items()];
  T aggregates[tuning.warps_per_tile];
  T prefixes[tuning.warps_per_tile];
  std::int64_t tile;
};

template <bool inclusive, class Tuning, class T, class In, class Out, class Total, class Init, class Op>
class scan_tiles {
  static constexpr scan_tuning tuning = Tuning::at(current_arch());
  static constexpr int warps = tuning.warps_per_tile;
  using chunk = scan_chunk<T, tuning.items_per_thread>;

 public:
  using storage = scan_tiles_storage<T, Tuning, current_arch()>;

  storage& shared;
  scan_problem<T, In, Out, Total, Init> problem;
  Op& op;

  // Called by all threads of the block, once.
  __device__ __forceinline__ void run() {
    int const lane = static_cast<int>(simt::lane());
    int const warp = static_cast<int>(simt::warp());
    look_back<T, tuning.look_back_windows> known(problem.aggregates);  // warp 0's
    if constexpr (has_values<Init>) known.set_init(problem.init);

    for (bool first = true;; first = false) {
      if (simt::thread_rank() == 0) shared.tile = problem.next_tile(first);
      simt::sync_block();
      std::int64_t const tile = shared.tile;
      if (tile < 0) return;

      // Load and reduce.
      std::int64_t const begin = tile * tuning.tile_items() + warp * chunk::num_items;
      T* const staged = shared.items + warp * chunk::num_items;
      chunk::load(problem.in, begin, problem.num_items, staged);
      simt::sync_warp();
      uninitialized_array<T, tuning.items_per_thread> items;
      chunk::read_lane(staged, items.items);
      T const up_to = warp_inclusive_scan(chunk::reduce(items.items, op), op);
      if (lane == threads_per_warp - 1) shared.aggregates[warp] = up_to;
      simt::sync_block();

      // Publish, and look back.
      if (warp == 0) {
        T const sums = warp_inclusive_scan(shared.aggregates[lane < warps ? lane : 0], op);
        if (lane == warps - 1 && tile + 1 < problem.num_tiles) {
          problem.aggregates.publish(tile, sums);
          simt::fence_device();  // for look_back::supply, before the output overwrites the input
        }
        T const before = shuffle_up(sums, 1);
        if (problem.has_prefix(tile)) {
          T const prefix = known.prefix(tile, op, tuning.patience, [&](std::int64_t missing) {
            return chunk::template reduce_tile<warps>(problem.in, missing * tuning.tile_items(), op);
          });
          if (lane < warps) shared.prefixes[lane] = lane > 0 ? op(prefix, before) : prefix;
        } else if (0 < lane && lane < warps) {
          shared.prefixes[lane] = before;
        }
      }
      simt::sync_block();

      // Scan and store.
      chunk::template scan_lane<inclusive>(items.items, warp > 0 || problem.has_prefix(tile), shared.prefixes[warp],
                                           shuffle_up(up_to, 1), begin, problem, op);
      chunk::write_lane(staged, items.items);
      simt::sync_warp();
      chunk::read_striped(staged, items.items);
      chunk::store_striped(problem.out, begin, problem.num_items, items.items);
    }
  }
};

}  // namespace mgpu::detail
