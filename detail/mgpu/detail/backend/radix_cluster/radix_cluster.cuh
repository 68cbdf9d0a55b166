// Radix sort on the device, of as many items as one block or one cluster of blocks can hold: it is one launch, and needs
// no scratch memory.
#pragma once
#include <mgpu/detail/backend/radix_cluster/radix_cluster_kernel.cuh>
#include <mgpu/detail/backend/radix_cluster/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/cluster.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstdint>

namespace mgpu::detail {

// Sorts, and returns true, or returns false where there are more items than the blocks can hold that may form a cluster
// on the call's stream.
template <class Tuning, bool descending, class Problem>
bool radix_cluster_sort(device_call& call, Problem const& problem) {
  using KeysIn = typename Problem::KeysIn;
  using ValuesIn = typename Problem::ValuesIn;
  using KeysOut = typename Problem::KeysOut;
  using ValuesOut = typename Problem::ValuesOut;
  using memory = radix_cluster<Tuning, typename Problem::Key, typename Problem::Value>;
  void (*const kernel)(KeysIn, ValuesIn, KeysOut, ValuesOut, std::uint32_t) =
      radix_cluster_kernel<Tuning, descending, KeysIn, ValuesIn, KeysOut, ValuesOut>;
  int const arch = detail::compiled_arch(call, kernel);
  radix_cluster_tuning const tuning = Tuning::at(arch);
  grid_shape shape{1, tuning.threads_per_block, storage_bytes<memory::template storage>(arch)};
  bool const in_cluster =
      problem.num_items > tuning.max_single_block_items || problem.num_items > tuning.tile_items();
  if (in_cluster && problem.num_items <= tuning.max_items(tuning.max_blocks)) {
    shape.blocks_per_cluster = detail::blocks_per_cluster(call, shape, kernel, tuning.max_blocks);
    shape.num_blocks = shape.blocks_per_cluster;
  }
  if (problem.num_items > tuning.max_items(shape.blocks_per_cluster)) return false;
  if (!call.allocate(scratch_layout())) return true;
  detail::launch(call, shape, kernel, problem.keys_in, problem.values_in, problem.keys_out, problem.values_out,
                 static_cast<std::uint32_t>(problem.num_items));
  return true;
}

}  // namespace mgpu::detail
