// Merge sort on the device, of as many items as one cluster of blocks has threads: it is one launch, and needs no scratch
// memory. It is stable. Few items, with keys of at most 8 bytes, are merged by ranks: Shiloach, Vishkin, Journal of
// Algorithms 2(1), 1981. Others are merged by shares.
#pragma once
#include <mgpu/detail/backend/merge_cluster/merge_cluster_kernel.cuh>
#include <mgpu/detail/backend/merge_cluster/merge_shares_kernel.cuh>
#include <mgpu/detail/backend/merge_cluster/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/cluster.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Sorts by comp, and returns true, or returns false, having done nothing, where the tuning is not for so many items, or the
// blocks that may form a cluster on the call's stream cannot hold them. There is at least one item. Input and output may be
// the same range.
template <class Tuning, class Problem, class Comp>
bool merge_cluster_sort(device_call& call, Problem const& problem, Comp const& comp) {
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  using memory = merge_cluster<Tuning, Key, Value>;
  auto const by_ranks = merge_cluster_kernel<Tuning, typename Problem::KeysIn, typename Problem::ValuesIn,
                                             typename Problem::KeysOut, typename Problem::ValuesOut, Comp>;
  auto const by_shares = merge_shares_kernel<Tuning, typename Problem::KeysIn, typename Problem::ValuesIn,
                                             typename Problem::KeysOut, typename Problem::ValuesOut, Comp>;
  constexpr bool can_be_read_back = std::is_same_v<typename Problem::KeysOut, Key*>;
  int const arch = detail::compiled_arch(call, by_ranks);
  merge_cluster_tuning const tuning = Tuning::at(arch);
  std::int64_t const num_items = problem.num_items;
  if (num_items < tuning.min_items || num_items > tuning.max_items) return false;
  // To be ranked, a cluster's runs go through the output, which has to be plain memory.
  bool const may_be_ranked = can_be_read_back || num_items <= tuning.max_threads_per_block || !tuning.has_shares();
  bool const is_ranked = num_items <= tuning.max_ranked_items && may_be_ranked;
  auto const kernel = is_ranked ? by_ranks : by_shares;
  grid_shape shape{1, tuning.max_threads_per_block, storage_bytes<memory::template storage>(arch)};
  if ((can_be_read_back || !is_ranked) && num_items > tuning.max_block_items &&
      num_items >= tuning.min_cluster_items) {
    grid_shape of_cluster = shape;
    of_cluster.shared_bytes = is_ranked ? storage_bytes<memory::template storage_of_cluster>(arch)
                                        : storage_bytes<merge_shares<Tuning, Key, Value>::template storage>(arch);
    int const wanted = num_items > tuning.max_small_cluster_items ? tuning.max_blocks : tuning.max_blocks / 2;
    int const blocks = detail::blocks_per_cluster(call, of_cluster, kernel, wanted);
    of_cluster.num_blocks = of_cluster.blocks_per_cluster = blocks;
    if (blocks >= 4) shape = of_cluster;
  }
  if (num_items > std::int64_t{tuning.max_threads_per_block} * shape.num_blocks) return false;
  if (!is_ranked && shape.num_blocks == 1) return false;
  shape.threads_per_block = tuning.threads_per_block(num_items, shape.blocks_per_cluster);
  if (!call.allocate({})) return true;
  detail::launch(call, shape, kernel, problem.keys_in, problem.values_in, problem.keys_out, problem.values_out,
                 static_cast<std::uint32_t>(num_items), comp);
  return true;
}

}  // namespace mgpu::detail
