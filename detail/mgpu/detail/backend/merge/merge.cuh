// Merging two sorted ranges on the device: one launch merges few tiles of output; for more, one launch partitions and one
// merges. Merge path: Green, McColl, Bader, ICS 2012.
#pragma once
#include <mgpu/detail/backend/merge/merge_kernel.cuh>
#include <mgpu/detail/backend/merge/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/merge_problem.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

// Merges by the kernels that Tuning selects. There is at least one item.
template <class Tuning, class Problem, class Comp>
void merge(device_call& call, Problem const& problem, Comp const& comp) {
  using KeysA = typename Problem::KeysA;
  using KeysB = typename Problem::KeysB;
  using blocks = merge_blocks<Tuning, typename Problem::Key, typename Problem::Value>;
  auto const merge = merge_kernel<Tuning, KeysA, typename Problem::ValuesA, KeysB, typename Problem::ValuesB,
                                  typename Problem::KeysOut, typename Problem::ValuesOut, Comp>;
  int const arch = detail::compiled_arch(call, merge);
  merge_tuning const tuning = Tuning::at(arch);
  std::int64_t const num_tiles = divide_up<std::int64_t>(problem.num_items(), tuning.merge.tile_items());

  bool const is_partitioned = num_tiles > tuning.few_tiles;
  scratch_layout layout;
  std::size_t const partitions_piece = is_partitioned ? layout.add<std::int64_t>(num_tiles + 1) : 0;
  if (!call.allocate(layout)) return;

  std::int64_t* partitions = nullptr;
  if (is_partitioned) {
    partitions = call.scratch<std::int64_t>(partitions_piece);
    int const threads = tuning.partition_threads_per_block;
    detail::launch(call, {divide_up<std::int64_t>(num_tiles + 1, threads), threads},
                   merge_partition_kernel<Tuning, KeysA, KeysB, Comp>, problem.keys_a, problem.a_count,
                   problem.keys_b, problem.b_count, num_tiles, partitions, comp);
  }
  detail::launch(call, {num_tiles, tuning.merge.threads_per_block, storage_bytes<blocks::template storage>(arch)},
                 merge, problem.keys_a, problem.values_a, problem.a_count, problem.keys_b, problem.values_b,
                 problem.b_count, problem.keys_out, problem.values_out, static_cast<std::int64_t const*>(partitions),
                 comp);
}

}  // namespace mgpu::detail
