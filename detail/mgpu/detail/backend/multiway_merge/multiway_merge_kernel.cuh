// The kernels of the merge of several runs: one finds where each output tile starts in the runs, and one merges. Blocks
// never wait for one another, so no forward progress between them is assumed.
#pragma once
#include <mgpu/detail/backend/multiway_merge/tuning.h>
#include <mgpu/detail/block/joined_shares.cuh>
#include <mgpu/detail/block/merge.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/multiway_merge_path.cuh>
#include <cstdint>

namespace mgpu::detail {

// This says where runs lie in one memory: anywhere, and with gaps between them.
template <int num_runs>
struct separate_runs {
  std::int64_t begins[num_runs];
  std::int64_t counts[num_runs];

  __device__ __forceinline__ std::int64_t run_begin(int run) const { return begins[run]; }
  __device__ __forceinline__ std::int64_t run_end(int run) const { return begins[run] + counts[run]; }
};

// The block primitive that a tuning selects, per architecture.
template <class Tuning, class Key, class Value, int num_runs>
struct multiway_merge_blocks {
  template <int arch>
  using merger = block_merge<Key, Value, Tuning::at(arch).merge.threads_per_block,
                             Tuning::at(arch).merge.items_per_thread, num_runs>;
  template <int arch>
  struct storage {
    typename merger<arch>::temp_storage merger;
    run_shares<num_runs> keys;
    run_shares<num_runs> values;
  };
};

// Writes partitions[num_runs * tile + r] = how many items before output tile `tile` come from run r. The grid has one
// thread a tile, and one for the end of the last.
template <class Tuning, class Key, class Comp, int num_runs>
__global__ void __launch_bounds__(Tuning::at(current_arch()).partition_threads_per_block)
    multiway_partition_kernel(Key const* keys, separate_runs<num_runs> runs, std::int64_t num_tiles,
                              std::int64_t* partitions, Comp comp) {
  constexpr multiway_merge_tuning tuning = Tuning::at(current_arch());
  std::int64_t const tile =
      static_cast<std::int64_t>(simt::block_rank()) * tuning.partition_threads_per_block + simt::thread_rank();
  if (tile > num_tiles) return;
  std::int64_t taken[num_runs];
  if (tile < num_tiles) {
    detail::multiway_merge_path(keys, runs, tile * tuning.tile_items(), taken, comp);
  } else {
#pragma unroll
    for (int r = 0; r < num_runs; ++r) taken[r] = runs.counts[r];
  }
#pragma unroll
  for (int r = 0; r < num_runs; ++r) partitions[num_runs * tile + r] = taken[r];
}

// Merges the runs. The grid has one block an output tile. The runs' values begin at other places than their keys. Input
// and output do not overlap.
template <class Tuning, class Key, class Value, class KeysOut, class ValuesOut, class Comp, int num_runs>
__global__ void __launch_bounds__(Tuning::at(current_arch()).merge.threads_per_block,
                                  Tuning::at(current_arch()).merge.min_blocks_per_sm)
    multiway_merge_kernel(Key const* keys, column<Value> values, separate_runs<num_runs> runs,
                          separate_runs<num_runs> runs_of_values, std::int64_t num_items, KeysOut keys_out,
                          ValuesOut values_out, std::int64_t const* partitions, Comp comp) {
  constexpr multiway_merge_tuning tuning = Tuning::at(current_arch());
  static_assert(tuning.is_valid());
  using blocks = multiway_merge_blocks<Tuning, Key, Value, num_runs>;
  using merger = typename blocks::template merger<current_arch()>;
  auto& temp = simt::shared<typename blocks::template storage<current_arch()>>();

  std::int64_t const tile = simt::block_rank();
  std::int64_t const begin = tile * tuning.tile_items();
  if (simt::thread_rank() == 0) {
    auto const length = static_cast<int>(smaller<std::int64_t>(num_items - begin, tuning.tile_items()));
    std::int64_t const* const before = partitions + num_runs * tile;
    temp.keys.set(before, before + num_runs, length, [&](int r) { return runs.run_begin(r); });
    temp.values.set(before, before + num_runs, length, [&](int r) { return runs_of_values.run_begin(r); });
  }
  simt::sync_block();
  merger::merge(temp.merger, joined_shares<Key const*, num_runs>{keys, temp.keys},
                joined_shares<column<Value>, num_runs>{values, temp.values}, temp.keys.ends, keys_out + begin,
                values_out + begin, comp);
}

}  // namespace mgpu::detail
