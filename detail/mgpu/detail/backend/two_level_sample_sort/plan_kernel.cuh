// Small kernels between the levels say where buckets begin, which items a tile of the second level has, and which
// parts a block sorts at a time.
#pragma once
#include <mgpu/detail/backend/two_level_sample_sort/state.h>
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/skip.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Each kernel that plans has a thread for each bucket in a block.
constexpr int two_level_max_buckets = two_level_sample_sort_state::max_buckets;

// The memory of a block.
template <int threads_per_block>
struct two_level_offsets_storage {
  std::uint32_t warps[threads_per_block / threads_per_warp];
  std::uint32_t sum;
};

// Sums up how many items of a bucket come before each tile. The grid has a block a bucket.
template <int threads_per_block>
__global__ void __launch_bounds__(threads_per_block)
    two_level_offsets_kernel(two_level_sample_sort_state state, skip_if skip) {
  constexpr int tiles_of_thread = 4;
  auto& shared = simt::shared<two_level_offsets_storage<threads_per_block>>();
  if (skip()) return simt::skip_launch();
  simt::wait_for_primary();
  std::uint32_t const bucket = simt::block_rank();
  std::uint16_t const* const starts = state.starts + std::uint64_t{bucket} * state.num_tiles;
  std::uint32_t* const offsets = state.offsets + std::uint64_t{bucket} * state.num_tiles;
  std::uint32_t before = 0;
#pragma unroll 1
  for (std::uint32_t step = 0; step < state.num_tiles; step += tiles_of_thread * threads_per_block) {
    std::uint32_t const first = step + tiles_of_thread * simt::thread_rank();
    std::uint32_t counts[tiles_of_thread], of_thread = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < tiles_of_thread; ++k) {
      std::uint32_t const tile = first + k;
      counts[k] = 0;
      if (tile < state.num_tiles) {
        std::uint32_t const end = bucket + 1 < state.num_buckets ? starts[tile + std::uint64_t{state.num_tiles}]
                                                                 : state.items_of_tile(tile);
        counts[k] = end - starts[tile];
      }
      of_thread += counts[k];
    }
    std::uint32_t offset = before + detail::block_exclusive_scan(of_thread, shared.warps);
    if (simt::thread_rank() == threads_per_block - 1) shared.sum = offset + of_thread;
#pragma unroll
    for (std::uint32_t k = 0; k < tiles_of_thread; ++k) {
      if (first + k < state.num_tiles) offsets[first + k] = offset;
      offset += counts[k];
    }
    simt::sync_block();
    before = shared.sum;
  }
  if (simt::thread_rank() == 0) state.buckets->sizes[bucket] = before;
}

// The memory of a block.
template <int threads_per_block>
struct two_level_tiles_storage {
  std::uint64_t warps[threads_per_block / threads_per_warp];
  std::uint32_t first_tiles[threads_per_block + 1];
};

// Says where buckets begin, and which bucket and which piece each tile of the second level begins with. The grid has
// a thread for as many tiles as there may be.
template <int threads_per_block>
__global__ void __launch_bounds__(threads_per_block)
    two_level_plan_tiles_kernel(two_level_sample_sort_state state, skip_if skip) {
  auto& shared = simt::shared<two_level_tiles_storage<threads_per_block>>();
  if (skip()) return simt::skip_launch();
  simt::wait_for_primary();
  std::uint32_t const thread = simt::thread_rank();
  std::uint32_t const size = thread < state.num_buckets ? state.buckets->sizes[thread] : 0;
  std::uint64_t const both = std::uint64_t{size} << 32 | divide_up(size, state.tile_items);
  std::uint64_t const before = detail::block_exclusive_scan(both, shared.warps);
  auto const first_tile = static_cast<std::uint32_t>(before);
  shared.first_tiles[thread] = first_tile;
  if (thread == threads_per_block - 1)
    shared.first_tiles[threads_per_block] = static_cast<std::uint32_t>(before + both);
  if (simt::block_rank() == 0 && thread < state.num_buckets) {
    state.buckets->begins[thread] = static_cast<std::uint32_t>(before >> 32);
    state.buckets->first_tiles[thread] = first_tile;
    if (thread == state.num_buckets - 1) {
      state.buckets->first_tiles[state.num_buckets] = static_cast<std::uint32_t>(before + both);
    }
  }
  simt::sync_block();

  std::uint32_t const tile = simt::block_rank() * threads_per_block + thread;
  if (tile >= shared.first_tiles[threads_per_block]) return;
  std::uint32_t bucket = 0;  // the last one that begins with this tile or one before: it is not empty
  for (std::uint32_t ahead = threads_per_block / 2; ahead > 0; ahead /= 2) {
    if (shared.first_tiles[bucket + ahead] <= tile) bucket += ahead;
  }
  std::uint32_t const* const offsets = state.offsets + std::uint64_t{bucket} * state.num_tiles;
  std::uint32_t const begin = (tile - shared.first_tiles[bucket]) * state.tile_items;
  std::uint32_t piece = 0, end = state.num_tiles;  // between these is the last piece that begins by item `begin`
  while (end - piece > 1) {
    std::uint32_t const middle = piece + (end - piece) / 2;
    (offsets[middle] <= begin ? piece : end) = middle;
  }
  state.tiles[tile] = {bucket, piece};
}

// The memory of a block.
struct two_level_groups_storage {
  std::uint32_t begins[two_level_max_buckets + 1];  // of the parts in the bucket
  std::uint16_t first_parts[two_level_max_buckets];
  std::uint16_t end_parts[two_level_max_buckets];
  std::uint32_t num_groups;
  std::uint32_t first_group;
};

// Joins neighbouring parts of a bucket to groups for one block each, and shares out those that are too large for one.
// The grid has a block a bucket.
template <int threads_per_block, class Key, class Comp>
__global__ void __launch_bounds__(threads_per_block)
    two_level_plan_groups_kernel(Key const* sample, two_level_sample_sort_state state, skip_if skip, Comp comp) {
  auto& shared = simt::shared<two_level_groups_storage>();
  if (skip()) return simt::skip_launch();
  simt::wait_for_primary();
  std::uint32_t const thread = simt::thread_rank();
  std::uint32_t const bucket = simt::block_rank();
  std::uint32_t const num_parts = state.num_buckets;
  std::uint32_t const size = state.buckets->sizes[bucket];
  std::uint32_t const output = state.buckets->begins[bucket];
  std::uint32_t const num_tiles = state.tiles_of(bucket);
  std::uint16_t const* const starts = state.part_starts_of(bucket);
  // A part begins in the bucket behind all items that come before it in any tile.
#pragma unroll 1
  for (std::uint32_t part = simt::warp(); part < num_parts; part += threads_per_block / threads_per_warp) {
    std::uint32_t sum = 0;
#pragma unroll 8
    for (std::uint32_t tile = simt::lane(); tile < num_tiles; tile += threads_per_warp) {
      sum += starts[std::uint64_t{part} * num_tiles + tile];
    }
    sum = simt::sum_of_warp(sum);
    if (simt::lane() == 0) shared.begins[part] = sum;
  }
  if (thread == 0) shared.begins[num_parts] = size;
  simt::sync_block();

  if (thread == 0) {
    std::uint32_t count = 0, first = 0;
    auto const end_group = [&](std::uint32_t end) {
      if (shared.begins[first] == shared.begins[end]) return;
      shared.first_parts[count] = static_cast<std::uint16_t>(first);
      shared.end_parts[count] = static_cast<std::uint16_t>(end);
      ++count;
    };
    for (std::uint32_t part = 0; part < num_parts; ++part) {
      bool const is_large = shared.begins[part + 1] - shared.begins[part] > state.group_items;
      if (is_large || shared.begins[part + 1] - shared.begins[first] > state.group_items) {
        end_group(part);
        first = is_large ? part + 1 : part;
      }
    }
    end_group(num_parts);
    shared.num_groups = count;
    shared.first_group = simt::add_relaxed(state.counted->num_groups, count);
  }
  simt::sync_block();
  if (thread < shared.num_groups) {
    std::uint16_t const first = shared.first_parts[thread], end = shared.end_parts[thread];
    std::uint32_t const begin = shared.begins[first];
    state.groups[shared.first_group + thread] = {bucket,         first, end, 0, shared.begins[end] - begin,
                                                 output + begin, 0};
  }
  if (thread >= num_parts) return;

  // If both splitters of a part have one key, all its items have it. The first part begins with the bucket's
  // splitter.
  std::uint32_t const begin = shared.begins[thread], items = shared.begins[thread + 1] - begin;
  if (items <= state.group_items) return;
  Key const* const splitter = sample + (bucket * num_parts + thread) * state.samples_of_part;
  bool const is_of_one_key =
      thread + bucket > 0 && thread + 1 < num_parts && !comp(splitter[0], splitter[state.samples_of_part]);
  std::uint32_t const shares = divide_up(items, state.group_items);
  part_group* const groups = state.groups + simt::add_relaxed(state.counted->num_groups, shares);
  for (std::uint32_t i = 0; i < shares; ++i) {
    std::uint32_t const from = i * state.group_items;
    groups[i] = {bucket,
                 static_cast<std::uint16_t>(thread),
                 static_cast<std::uint16_t>(thread + 1),
                 from,
                 smaller(from + state.group_items, items),
                 output + begin + from,
                 is_of_one_key ? 1u : 0u};
  }
  if (!is_of_one_key)
    state.large_parts[simt::add_relaxed(state.counted->num_large_parts, 1u)] = {output + begin, items};
}

}  // namespace mgpu::detail
