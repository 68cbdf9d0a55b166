// The kernels of the merge sort: one sorts every tile; then, in each pass, one finds where each output tile starts in
// its runs, and one merges. Where tiles are few, each block looks for its own start, so that a pass is one kernel,
// which is launched early. Blocks never wait for one another, so no forward progress between them is assumed.
#pragma once
#include <mgpu/detail/backend/merge_sort/natural_runs.h>
#include <mgpu/detail/backend/merge_sort/tile_order.cuh>
#include <mgpu/detail/backend/merge_sort/tuning.h>
#include <mgpu/detail/block/joined_shares.cuh>
#include <mgpu/detail/block/merge.cuh>
#include <mgpu/detail/block/merge_sort.cuh>
#include <mgpu/detail/block/merge_tile.cuh>
#include <mgpu/detail/block/striped.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/merge_path.cuh>
#include <mgpu/detail/thread/multiway_merge_path.cuh>
#include <mgpu/detail/warp/merge_path.cuh>
#include <mgpu/detail/warp/multiway_merge_path.cuh>
#include <cstdint>

namespace mgpu::detail {

// The block primitives that a tuning selects, per architecture.
template <class Tuning, class Key, class Value>
struct merge_sort_blocks {
  template <int arch>
  using sorter = block_merge_sort<Key, value_index_t<Value>, Tuning::at(arch).tile_sort.threads_per_block,
                                  Tuning::at(arch).tile_sort.items_per_thread>;
  template <int arch>
  using merger = block_merge<Key, Value, Tuning::at(arch).merge.threads_per_block,
                             Tuning::at(arch).merge.items_per_thread, Tuning::at(arch).runs_per_pass>;
  template <int arch>
  struct sorter_storage {
    typename sorter<arch>::temp_storage sorter;
    std::uint32_t seen;
  };
  template <int arch>
  struct merger_storage {
    typename merger<arch>::temp_storage merger;
    static constexpr int runs = Tuning::at(arch).runs_per_pass;
    std::int64_t taken[2][runs];  // how many items of each run come before the tile, and before its end
    run_shares<runs> shares;
    typename watched_tiles<Key>::storage order;
  };
};

// Sorts every tile of the input, unless there is a plan for natural runs. The grid has one block a tile.
// Input and output are the same range or do not overlap: a sort reads a column of a tile to the end before it writes
// any of it. Launched early, it waits for the kernel before. Where tiles are watched, it tells of each what
// neighbours do: a tile in order is not sorted, and not written if the output is_in_place, and one that is strictly
// descending is reversed.
template <class Tuning, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).tile_sort.threads_per_block,
                                  Tuning::at(current_arch()).tile_sort.min_blocks_per_sm)
    merge_sort_tile_kernel(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                           std::int64_t num_items, natural_runs const* natural,
                           watched_tiles<iterator_value_t<KeysIn>> watched, bool is_in_place, Comp comp) {
  constexpr merge_sort_tuning tuning = Tuning::at(current_arch());
  static_assert(
      tuning.is_valid(),
      "mgpu: with_tuning: blocks have whole warps, at most 32, the first sort's a power of two of threads; "
      "tiles have 1 to 65,536 items, the first sort's a merge's times a power of two; a thread has fewer items "
      "than a merge has threads; a pass merges two runs or four");
  constexpr tile_shape shape = tuning.tile_sort;
  constexpr int threads = shape.threads_per_block;
  constexpr int items = shape.items_per_thread;
  using Key = iterator_value_t<KeysIn>;
  using Value = iterator_value_t<ValuesIn>;
  using index = value_index_t<Value>;
  using blocks = merge_sort_blocks<Tuning, Key, Value>;
  using sorter = typename blocks::template sorter<current_arch()>;
  auto& shared = simt::shared<typename blocks::template sorter_storage<current_arch()>>();
  auto& temp = shared.sorter;
  simt::launch_dependents();

  std::int64_t const begin = static_cast<std::int64_t>(simt::block_rank()) * tuning.sorted_items();
  int const valid = static_cast<int>(smaller<std::int64_t>(tuning.sorted_items(), num_items - begin));

  if (natural != nullptr) {
    simt::wait_for_primary();
    if (natural->has_plan()) return;
  }

  // The keys are loaded striped from global memory, and then blocked into registers.
  constexpr int full = tuning.sorted_items();
  detail::copy_striped<threads, items, full>(keys_in + begin, temp.keys + 0, valid);
  if (simt::thread_rank() == 0) shared.seen = 0;
  simt::sync_block();
  uninitialized_array<Key, items> keys;
  uninitialized_array<index, items> indices;
  int const first = static_cast<int>(simt::thread_rank()) * items;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (first + i < valid) keys[i] = temp.keys[first + i];
    indices[i] = index(first + i);
  }

  std::uint32_t seen = are_mixed;
  if constexpr (tuning.runs_per_pass == 4) {
    if (watched.num_tiles > 0) {
      seen = detail::see_neighbours<items>(temp.keys + 0, valid, shared.seen, comp);
      if (simt::thread_rank() == 0) {
        if (simt::block_rank() == 0) *watched.decision = 0;
        tile_order<Key>& order = watched.orders[simt::block_rank()];
        order.seen = seen;
        if (seen != are_mixed) {
          order.first = temp.keys[0];
          order.last = temp.keys[valid - 1];
        }
      }
      if ((seen & some_descend) == 0 && is_in_place) return;
    }
  }
  if (seen == are_mixed) sorter::sort(temp, keys.items, indices.items, valid, comp);

  // The keys are stored the other way round. Values were not moved so far: each is read from its source index. Items are
  // reversed while they are stored, as a branch before costs random keys of 4 bytes about 1 %.
  simt::sync_block();
  detail::store_from(first, keys.items, temp.keys + 0, valid);
  detail::store_from(first, indices.items, temp.sources + 0);
  simt::sync_block();
  bool const reverses = tuning.runs_per_pass == 4 && shared.seen == some_descend;
  if (reverses) {
#pragma unroll 1
    for (int i = static_cast<int>(simt::thread_rank_anew()); i < valid; i += threads) {
      *(keys_out + (begin + i)) = temp.keys[valid - 1 - i];
    }
  } else {
    detail::store_striped<threads, items, full>(static_cast<Key const*>(temp.keys), keys_out + begin, valid);
  }
  if constexpr (has_values<Value>) {
    uninitialized_array<Value, items> values;
    detail::for_each_striped<threads, items, full>(valid, [&](int i, int position) {
      int const source = reverses ? valid - 1 - position : static_cast<int>(temp.source(position));
      values[i] = *(values_in + (begin + source));
    });
    simt::sync_block();  // the output may be the input
    detail::for_each_striped<threads, items, full>(
        valid, [&](int i, int position) { *(values_out + (begin + position)) = values[i]; });
  }
}

// Sets taken[r] to how many of the first `diagonal` items of the stable merge of the group come from run r. Of two
// runs that takes far fewer comparisons that wait for each other than of four. Called by all lanes; no barrier.
template <int num_runs, class Key, class Comp>
__device__ __forceinline__ void find_shares_by_warp(Key const* keys, run_group const& runs, std::int64_t diagonal,
                                                    std::int64_t* taken, Comp& comp) {
  if constexpr (num_runs == 2) {
    std::int64_t const middle = runs.run_begin(1);
    std::int64_t const of_first = detail::warp_merge_path(keys + runs.begin, middle - runs.begin, keys + middle,
                                                          runs.run_end(1) - middle, diagonal, comp);
    if (simt::lane() < 2) taken[simt::lane()] = simt::lane() == 0 ? of_first : diagonal - of_first;
  } else {
    detail::warp_multiway_merge_path<num_runs>(keys, runs, static_cast<int>(diagonal), taken, comp);
  }
}

// Writes partitions[runs_per_pass * tile + r] = how many items before output tile `tile`, in its group of runs, come
// from run r. The grid has one thread a tile, or one warp if by_warps. Runs are `width` tiles long, and the last may
// be shorter or missing; or they are natural runs. The pass has `to_go` passes to go, itself included. Where the
// watched tiles leave nothing to merge, nothing is done.
template <class Tuning, class Key, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).partition_threads_per_block)
    merge_sort_partition_kernel(Key const* keys, std::int64_t num_items, std::int64_t width,
                                natural_runs const* natural, int to_go, bool by_warps, std::int64_t* partitions,
                                watched_tiles<Key> watched, Comp comp) {
  constexpr merge_sort_tuning tuning = Tuning::at(current_arch());
  constexpr int num_runs = tuning.runs_per_pass;
  if constexpr (num_runs == 4) {
    auto& shared = simt::shared<typename watched_tiles<Key>::storage>();
    if (watched.begin_pass(shared, comp) != pass_work::merges) return;
  } else {
    simt::wait_for_primary();
  }
  std::int64_t const thread =
      static_cast<std::int64_t>(simt::block_rank()) * tuning.partition_threads_per_block + simt::thread_rank();
  std::int64_t const tile = by_warps ? thread / threads_per_warp : thread;
  merge_place const place =
      detail::find_merge_place<num_runs>(tile, width, tuning.merge_items(), num_items, natural, to_go);
  if (!place.exists) return;
  std::int64_t* const found = partitions + num_runs * tile;
  if (by_warps) {
    detail::find_shares_by_warp<num_runs>(keys, place.runs, place.diagonal, found, comp);
  } else {
    std::int64_t taken[num_runs];
    detail::multiway_merge_path(keys, place.runs, place.diagonal, taken, comp);
#pragma unroll
    for (int r = 0; r < num_runs; ++r) found[r] = taken[r];
  }
}

// Merges runs as the partition says, runs_per_pass at a time. The grid has one block an output tile. Input and output
// do not overlap. If `partitions` is null, each block looks for its own shares of the runs. Launched early, it waits
// for the kernel before. If `loops`, the grid may have fewer blocks, which is slower by some percent, but ends sooner
// where there is nothing to merge. Watched tiles may leave nothing to do, or be mirrored instead.
template <class Tuning, bool loops, class Key, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).merge.threads_per_block,
                                  Tuning::at(current_arch()).merge.min_blocks_per_sm)
    merge_sort_merge_kernel(Key const* keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                            std::int64_t num_items, std::int64_t width, natural_runs const* natural, int to_go,
                            std::int64_t const* partitions, watched_tiles<Key> watched, Comp comp) {
  constexpr merge_sort_tuning tuning = Tuning::at(current_arch());
  constexpr int tile_items = tuning.merge_items();
  constexpr int num_runs = tuning.runs_per_pass;
  using Value = iterator_value_t<ValuesIn>;
  using blocks = merge_sort_blocks<Tuning, Key, Value>;
  auto& temp = simt::shared<typename blocks::template merger_storage<current_arch()>>();
  if constexpr (num_runs == 4 && !loops) {
    pass_work const work = watched.begin_pass(temp.order, comp);
    if (work == pass_work::nothing) return;
    if (work == pass_work::mirrors) {
      std::int64_t const begin = static_cast<std::int64_t>(simt::block_rank()) * tile_items;
      std::int64_t const end = smaller<std::int64_t>(begin + tile_items, num_items);
      return detail::mirror_tiles<tuning.sorted_items()>(keys_in, values_in, keys_out, values_out, begin, end,
                                                         num_items);
    }
  } else {
    simt::wait_for_primary();
  }
  simt::launch_dependents();

#pragma unroll 1
  for (std::int64_t tile = simt::block_rank();; tile += simt::block_count()) {
    merge_place const place = detail::find_merge_place<num_runs>(tile, width, tile_items, num_items, natural, to_go);
    if (!place.exists) return;
    run_group const& runs = place.runs;
    std::int64_t const diagonal = place.diagonal;
    std::int64_t const begin = runs.begin + diagonal;
    std::int64_t const diagonal_end = smaller<std::int64_t>(diagonal + tile_items, runs.end - runs.begin);

    // `taken` says where this tile's shares of the runs start and end. The last tile of a group takes all that is
    // left.
    if (partitions == nullptr) {
      for (unsigned end = simt::warp(); end < 2; end += tuning.merge.threads_per_block / threads_per_warp) {
        detail::find_shares_by_warp<num_runs>(keys_in, runs, end == 0 ? diagonal : diagonal_end, temp.taken[end],
                                              comp);
      }
    } else if (simt::thread_rank() < 2 * num_runs) {
      auto const end = static_cast<int>(simt::thread_rank()) / num_runs;
      auto const run = static_cast<int>(simt::thread_rank()) % num_runs;
      bool const is_all = end == 1 && runs.begin + diagonal_end == runs.end;
      temp.taken[end][run] =
          is_all ? runs.run_begin(run + 1) - runs.run_begin(run) : partitions[num_runs * (tile + end) + run];
    }
    simt::sync_block();
    if (simt::thread_rank() == 0) {
      temp.shares.set(temp.taken[0], temp.taken[1], static_cast<int>(diagonal_end - diagonal),
                      [&](int r) { return runs.run_begin(r); });
    }
    simt::sync_block();

    blocks::template merger<current_arch()>::merge(temp.merger,
                                                   joined_shares<Key const*, num_runs>{keys_in, temp.shares},
                                                   joined_shares<ValuesIn, num_runs>{values_in, temp.shares},
                                                   temp.shares.ends, keys_out + begin, values_out + begin, comp);
    if constexpr (!loops) return;
    simt::sync_block();
  }
}

}  // namespace mgpu::detail
