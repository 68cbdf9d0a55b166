// A kernel sorts each group of parts by one block, which gathers the items, a piece of each tile of the bucket.
// Another one merges what several blocks have sorted of one part.
#pragma once
#include <mgpu/detail/backend/two_level_sample_sort/pieces.cuh>
#include <mgpu/detail/backend/two_level_sample_sort/state.h>
#include <mgpu/detail/backend/two_level_sample_sort/tuning.h>
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/block/loaded_merge_sort.cuh>
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/skip.h>
#include <mgpu/detail/simt/async_copy.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/find_ranks.cuh>
#include <cstdint>

namespace mgpu::detail {

// The memory of a block.
template <class Tuning, class Key, class Value>
struct two_level_group {
  template <int arch>
  using sorter = block_loaded_merge_sort<Key, Value, Tuning::at(arch).group.threads_per_block,
                                         Tuning::at(arch).group.items_per_thread>;
  template <int arch>
  struct storage {
    static constexpr int threads = Tuning::at(arch).group.threads_per_block;
    typename sorter<arch>::temp_storage items;
    block_pieces<threads> pieces;
    std::uint32_t warps[threads / threads_per_warp];
    std::uint32_t sum;
    part_group group;
    std::uint32_t number_of_group;
    __device__ storage() {}
  };
};

// Gathers the items of a group, a piece of each tile of its bucket, into shared memory. Called by all threads of the
// block; has barriers, also at the end.
template <class Storage, class Key, class Values>
__device__ __forceinline__ void gather_group(Storage& shared, Key const* keys, Values values,
                                             two_level_sample_sort_state const& state, part_group const& group) {
  constexpr std::uint32_t threads = Storage::threads;
  std::uint32_t const thread = simt::thread_rank();
  std::uint32_t const num_tiles = state.tiles_of(group.bucket);
  std::uint16_t const* const starts = state.part_starts_of(group.bucket);
  auto const start_of = [&](std::uint32_t part, std::uint32_t tile) {
    return part < state.num_buckets
               ? starts[std::uint64_t{part} * num_tiles + tile]
               : smaller(state.buckets->sizes[group.bucket] - tile * state.tile_items, state.tile_items);
  };
  std::uint32_t first = 0;
  std::uint32_t before = 0;  // how many items of the group's parts come before tile `first`
  if (group.begin > 0) {
    // A share of a large part begins in a later tile. Each warp counts what is in some tiles.
    constexpr std::uint32_t num_warps = threads / threads_per_warp;
    std::uint32_t const tiles_of_warp = divide_up(num_tiles, num_warps);
    std::uint32_t const end = smaller((simt::warp() + 1) * tiles_of_warp, num_tiles);
    std::uint32_t count = 0;
#pragma unroll 8
    for (std::uint32_t tile = simt::warp() * tiles_of_warp + simt::lane(); tile < end; tile += threads_per_warp) {
      count += start_of(group.end_part, tile) - start_of(group.first_part, tile);
    }
    count = simt::sum_of_warp(count);
    if (simt::lane() == 0) shared.warps[simt::warp()] = count;
    simt::sync_block();
    for (std::uint32_t warp = 0; before + shared.warps[warp] <= group.begin; ++warp) {
      before += shared.warps[warp];
      first += tiles_of_warp;
    }
    simt::sync_block();
  }
  simt::async_copies copies;
#pragma unroll 1
  for (; first < num_tiles && before < group.end; first += threads) {
    std::uint32_t const tile = first + thread;
    std::uint32_t start = 0, count = 0;
    if (tile < num_tiles) {
      start = start_of(group.first_part, tile);
      count = start_of(group.end_part, tile) - start;
    }
    std::uint32_t const offset = before + detail::block_exclusive_scan(count, shared.warps);
    if (thread == threads - 1) shared.sum = offset + count;
    item_piece const mine =
        detail::piece_within(group.begin, group.end, offset, offset + count,
                             state.buckets->begins[group.bucket] + tile * state.tile_items + start);
    detail::start_piece_copies<threads_per_warp>(
        copies, shared.pieces, mine, static_cast<int>(smaller(num_tiles - first, threads)), keys,
        cuda::std::addressof(shared.items.tile.keys[0]), values, cuda::std::addressof(shared.items.values[0]));
    before = shared.sum;
    simt::sync_block();
  }
  copies.wait();
  simt::sync_block();
}

// Sorts each group. Blocks take one after the other.
template <class Tuning, class Key, class Value, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).group.threads_per_block,
                                  Tuning::at(current_arch()).group.min_blocks_per_sm)
    two_level_sort_groups_kernel(Key const* keys, column<Value> values, Key* keys_out, column<Value> values_out,
                                 two_level_sample_sort_state state, skip_if skip, Comp comp) {
  using blocks = two_level_group<Tuning, Key, Value>;
  using sorter = typename blocks::template sorter<current_arch()>;
  auto& shared = simt::shared<typename blocks::template storage<current_arch()>>();
  if (skip()) return simt::skip_launch();
  simt::wait_for_primary();
#pragma unroll 1
  for (;;) {
    if (simt::thread_rank() == 0) shared.number_of_group = simt::add_relaxed(state.counted->next_group, 1u);
    simt::sync_block();
    if (shared.number_of_group >= state.counted->num_groups) return;
    if (simt::thread_rank() == 0) shared.group = state.groups[shared.number_of_group];
    simt::sync_block();
    part_group const& group = shared.group;  // is read anew where it is needed, as the sort needs all registers
    detail::gather_group(shared, keys, values, state, group);
    if (group.is_of_one_key == 0) {
      sorter::sort(shared.items, static_cast<int>(group.end - group.begin), comp);
      simt::sync_block();
    }
    auto const count = static_cast<int>(group.end - group.begin);
    if (group.is_of_one_key == 0) {
      sorter::store_sorted(shared.items, count, keys_out + group.output, values_out + group.output);
    } else {
      sorter::store(shared.items, count, keys_out + group.output, values_out + group.output, [](int i) { return i; });
    }
    simt::sync_block();
  }
}

// The number of runs that a pass over large parts merges into one.
constexpr int two_level_runs_per_pass = 256;

// Merges runs of run_items items of each large part, some at a time, from one memory to another: each thread finds
// the target of an item by a search in all other runs. Few parts are large, unless comp is no order, by which items
// may get lost.
template <int threads_per_block, class Key, class Value, class Comp>
__global__ void __launch_bounds__(threads_per_block)
    two_level_merge_large_kernel(Key const* keys, column<Value> values, Key* keys_out, column<Value> values_out,
                                 two_level_sample_sort_state state, std::uint32_t run_items, skip_if skip,
                                 Comp comp) {
  if (skip()) return simt::skip_launch();
  simt::wait_for_primary();
#pragma unroll 1
  for (std::uint32_t part = 0; part < state.counted->num_large_parts; ++part) {
    large_part const large = state.large_parts[part];
    Key const* const from = keys + large.output;
#pragma unroll 1
    for (std::uint32_t i = simt::block_rank() * threads_per_block + simt::thread_rank(); i < large.num_items;
         i += simt::block_count() * threads_per_block) {
      Key const key = from[i];
      std::uint32_t const run = i / run_items;
      std::uint32_t const first_run = run - run % two_level_runs_per_pass;
      std::uint32_t target = large.output + first_run * run_items + i % run_items;
#pragma unroll 1
      for (std::uint32_t other = first_run; other < first_run + two_level_runs_per_pass; ++other) {
        if (other == run) continue;
        std::uint64_t const begin = std::uint64_t{other} * run_items;
        if (begin >= large.num_items) break;
        int rank[1] = {0};
        detail::find_ranks<Key>(
            rank, static_cast<int>(smaller<std::uint64_t>(run_items, large.num_items - begin)),
            [&](int, int k) { return from[begin + static_cast<unsigned>(k)]; },
            [&](int, int, Key const& item) { return other < run ? !comp(key, item) : comp(item, key); });
        target += static_cast<std::uint32_t>(rank[0]);
      }
      keys_out[target] = key;
      if constexpr (has_values<Value>) values_out[target] = values[large.output + i];
    }
  }
}

}  // namespace mgpu::detail
