// The kernels of the merge: one finds where each output tile starts in the two inputs, and one merges. Blocks never
// wait for one another, so no forward progress between them is assumed.
#pragma once
#include <mgpu/detail/backend/merge/tuning.h>
#include <mgpu/detail/block/joined_pair.cuh>
#include <mgpu/detail/block/merge.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/merge_path.cuh>
#include <mgpu/detail/thread/merge_path_from_edges.cuh>
#include <mgpu/detail/warp/merge_path.cuh>
#include <cstdint>

namespace mgpu::detail {

// The block primitive that a tuning selects, per architecture.
template <class Tuning, class Key, class Value>
struct merge_blocks {
  template <int arch>
  using merger =
      block_merge<Key, Value, Tuning::at(arch).merge.threads_per_block, Tuning::at(arch).merge.items_per_thread>;
  template <int arch>
  struct storage {
    typename merger<arch>::temp_storage merger_storage;
    std::int64_t from_a[2];  // how many items before the tile come from a, and how many before its end
  };
};

// Writes partitions[tile] = how many items before output tile `tile` come from a. The grid has one thread a tile, and
// one for the end of the last.
template <class Tuning, class KeysA, class KeysB, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).partition_threads_per_block)
    merge_partition_kernel(KeysA keys_a, std::int64_t a_count, KeysB keys_b, std::int64_t b_count,
                           std::int64_t num_tiles, std::int64_t* partitions, Comp comp) {
  constexpr merge_tuning tuning = Tuning::at(current_arch());
  std::int64_t const tile =
      static_cast<std::int64_t>(simt::block_rank()) * tuning.partition_threads_per_block + simt::thread_rank();
  if (tile > num_tiles) return;
  std::int64_t const diagonal = smaller<std::int64_t>(tile * tuning.merge.tile_items(), a_count + b_count);
  partitions[tile] = detail::merge_path_from_edges(keys_a, a_count, keys_b, b_count, diagonal, comp);
}

// Merges a and b. The grid has one block an output tile. If `partitions` is null, each block looks for its own shares of
// them. Input and output do not overlap.
template <class Tuning, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut, class ValuesOut,
          class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).merge.threads_per_block,
                                  Tuning::at(current_arch()).merge.min_blocks_per_sm)
    merge_kernel(KeysA keys_a, ValuesA values_a, std::int64_t a_count, KeysB keys_b, ValuesB values_b,
                 std::int64_t b_count, KeysOut keys_out, ValuesOut values_out, std::int64_t const* partitions,
                 Comp comp) {
  static_assert(
      Tuning::at(current_arch()).is_valid(),
      "mgpu: with_tuning: blocks have whole warps, at most 32; a tile has 1 to 65,536 items; few_tiles is no less "
      "than 0");
  constexpr tile_shape shape = Tuning::at(current_arch()).merge;
  using blocks = merge_blocks<Tuning, iterator_value_t<KeysA>, iterator_value_t<ValuesA>>;
  auto& shared = simt::shared<typename blocks::template storage<current_arch()>>();

  std::int64_t const tile = simt::block_rank();
  std::int64_t const begin = tile * shape.tile_items();
  std::int64_t const end = smaller<std::int64_t>(begin + shape.tile_items(), a_count + b_count);
  if (partitions == nullptr) {
    for (unsigned side = simt::warp(); side < 2; side += shape.threads_per_block / threads_per_warp) {
      std::int64_t const found =
          detail::warp_merge_path(keys_a, a_count, keys_b, b_count, side == 0 ? begin : end, comp);
      if (simt::lane() == 0) shared.from_a[side] = found;
    }
    simt::sync_block();
  }
  std::int64_t const a = partitions == nullptr ? shared.from_a[0] : partitions[tile];
  std::int64_t const a_end = partitions == nullptr ? shared.from_a[1] : partitions[tile + 1];
  std::int64_t const b = begin - a;
  int const from_a = detail::share_of_run(a, a_end, end - begin);
  int const ends[2]{from_a, static_cast<int>(end - begin)};
  blocks::template merger<current_arch()>::merge(shared.merger_storage,
                                                 joined_pair<KeysA, KeysB>{keys_a + a, from_a, keys_b + b},
                                                 joined_pair<ValuesA, ValuesB>{values_a + a, from_a, values_b + b},
                                                 ends, keys_out + begin, values_out + begin, comp);
}

}  // namespace mgpu::detail
