// Merging up to four sorted runs on the device, which lie anywhere in one memory: one launch partitions and one merges.
// Merge path: Green, McColl, Bader, ICS 2012.
#pragma once
#include <mgpu/detail/backend/multiway_merge/multiway_merge_kernel.cuh>
#include <mgpu/detail/backend/multiway_merge/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/multiway_merge_problem.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

// Merges by the kernels that Tuning selects. There is at least one item.
template <class Tuning, class Problem, class Comp>
void multiway_merge(device_call& call, Problem const& problem, Comp const& comp) {
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  constexpr int num_runs = Problem::max_runs;
  using blocks = multiway_merge_blocks<Tuning, Key, Value, num_runs>;
  auto const merge = multiway_merge_kernel<Tuning, Key, Value, typename Problem::KeysOut, typename Problem::ValuesOut,
                                           Comp, num_runs>;
  int const arch = detail::compiled_arch(call, merge);
  multiway_merge_tuning const tuning = Tuning::at(arch);
  std::int64_t const num_tiles = divide_up<std::int64_t>(problem.num_items(), tuning.tile_items());

  scratch_layout layout;
  std::size_t const partitions_piece = layout.add<std::int64_t>(num_runs * (num_tiles + 1));
  if (!call.allocate(layout)) return;

  separate_runs<num_runs> runs{};
  separate_runs<num_runs> runs_of_values{};
  for (int r = 0; r < num_runs; ++r) {
    runs.begins[r] = problem.key_begins[r];
    runs_of_values.begins[r] = problem.value_begins[r];
    runs.counts[r] = runs_of_values.counts[r] = problem.counts[r];
  }
  auto* const partitions = call.scratch<std::int64_t>(partitions_piece);
  int const threads = tuning.partition_threads_per_block;
  detail::launch(call, {divide_up<std::int64_t>(num_tiles + 1, threads), threads},
                 multiway_partition_kernel<Tuning, Key, Comp, num_runs>, problem.keys, runs, num_tiles, partitions,
                 comp);
  detail::launch(call, {num_tiles, tuning.merge.threads_per_block, storage_bytes<blocks::template storage>(arch)},
                 merge, problem.keys, problem.values, runs, runs_of_values, problem.num_items(), problem.keys_out,
                 problem.values_out, partitions, comp);
}

}  // namespace mgpu::detail
