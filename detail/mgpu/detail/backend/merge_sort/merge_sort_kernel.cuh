// Kernels of the merge sort: sort every tile; then, per pass, find where each output tile starts in its two runs, and
// merge. Blocks never wait for one another, so no forward progress between them is assumed. Where tiles are few each
// looks for its own start, so a pass is one kernel, launched early.
#pragma once
#include <mgpu/detail/backend/merge_sort/tuning.h>
#include <mgpu/detail/block/merge.cuh>
#include <mgpu/detail/block/merge_sort.cuh>
#include <mgpu/detail/block/tile.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/warp/merge_path.cuh>
#include <cstdint>

namespace mgpu::detail {

// The block primitives that a tuning selects, per architecture.
template <class Tuning, class Key, class Value>
struct merge_sort_blocks {
  template <int arch>
  using sorter = block_merge_sort<Key, value_index_t<Value>, Tuning::at(arch).tile_sort.threads_per_block,
                                  Tuning::at(arch).tile_sort.items_per_thread>;
  template <int arch>
  using merger =
      block_merge<Key, Value, Tuning::at(arch).merge.threads_per_block, Tuning::at(arch).merge.items_per_thread>;
  template <int arch>
  using sorter_storage = typename sorter<arch>::temp_storage;
  template <int arch>
  struct merger_storage {
    typename merger<arch>::temp_storage merger;
    std::int64_t ends[2];  // of the tile's share of the first run
  };
};

// Sorts every tile of the input. One block a tile. Input and output are the same range or do not overlap: a tile is
// read to the end before any of it is written.
template <class Tuning, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).tile_sort.threads_per_block,
                                  Tuning::at(current_arch()).tile_sort.min_blocks_per_sm)
    merge_sort_tile_kernel(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                           std::int64_t num_items, Comp comp) {
  constexpr tile_shape shape = Tuning::at(current_arch()).tile_sort;
  constexpr int threads = shape.threads_per_block;
  constexpr int items = shape.items_per_thread;
  using Key = iterator_value_t<KeysIn>;
  using Value = iterator_value_t<ValuesIn>;
  using index = value_index_t<Value>;
  using sorter = typename merge_sort_blocks<Tuning, Key, Value>::template sorter<current_arch()>;
  auto& temp = simt::shared<typename sorter::temp_storage>();
  simt::launch_dependents();

  std::int64_t const begin = static_cast<std::int64_t>(simt::block_rank()) * shape.tile_items();
  int const valid = static_cast<int>(smaller<std::int64_t>(shape.tile_items(), num_items - begin));

  // Load: striped from global memory, blocked to registers.
  copy_striped<threads, items>(keys_in + begin, temp.keys + 0, valid);
  simt::sync_block();
  uninitialized_array<Key, items> keys;
  uninitialized_array<index, items> indices;
  load_blocked(temp.keys, keys.items, valid);
#pragma unroll
  for (int i = 0; i < items; ++i) indices[i] = index(static_cast<int>(simt::thread_rank()) * items + i);

  sorter::sort(temp, keys.items, indices.items, valid, comp);

  // Store, the other way round. Values were not moved so far; they come from where the index says.
  simt::sync_block();
  store_blocked(keys.items, temp.keys, valid);
  store_blocked(indices.items, temp.indices);
  simt::sync_block();
  copy_striped<threads, items>(static_cast<Key const*>(temp.keys), keys_out + begin, valid);
  if constexpr (has_values<Value>) {
    uninitialized_array<Value, items> values;
    for_each_striped<threads, items>(valid, [&](int i, int position) {
      values[i] = *(values_in + (begin + static_cast<int>(temp.indices.get(position))));
    });
    simt::sync_block();  // the output may be the input
    for_each_striped<threads, items>(valid,
                                     [&](int i, int position) { *(values_out + (begin + position)) = values[i]; });
  }
}

// partitions[tile] = how many items before output tile `tile`, in its pair of runs, come from the first run.
// One thread a tile. Runs are `width` tiles long; the last may be shorter or missing.
template <class Tuning, class Key, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).partition_threads_per_block)
    merge_sort_partition_kernel(Key const* keys, std::int64_t num_items, std::int64_t width, std::int64_t num_tiles,
                                std::int64_t* partitions, Comp comp) {
  constexpr merge_sort_tuning tuning = Tuning::at(current_arch());
  std::int64_t const tile =
      static_cast<std::int64_t>(simt::block_rank()) * tuning.partition_threads_per_block + simt::thread_rank();
  if (tile >= num_tiles) return;
  auto const frame = find_merge_frame<std::int64_t>(tile, width, tuning.merge.tile_items(), num_items);
  partitions[tile] = merge_path(keys + frame.a_begin, frame.a_end - frame.a_begin, keys + frame.a_end,
                                frame.b_end - frame.a_end, frame.diagonal, comp);
}

// Merges neighbouring runs of `width` tiles into runs of twice that. One block an output tile. Input and output do
// not overlap. Where nothing was partitioned, `partitions` is null, and each block looks for its own share.
template <class Tuning, class Key, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).merge.threads_per_block,
                                  Tuning::at(current_arch()).merge.min_blocks_per_sm)
    merge_sort_merge_kernel(Key const* keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                            std::int64_t num_items, std::int64_t width, std::int64_t const* partitions, Comp comp) {
  constexpr tile_shape shape = Tuning::at(current_arch()).merge;
  using Value = iterator_value_t<ValuesIn>;
  using blocks = merge_sort_blocks<Tuning, Key, Value>;
  auto& temp = simt::shared<typename blocks::template merger_storage<current_arch()>>();
  simt::wait_for_primary();
  simt::launch_dependents();

  std::int64_t const tile = simt::block_rank();
  std::int64_t const begin = tile * shape.tile_items();
  auto const frame = find_merge_frame<std::int64_t>(tile, width, shape.tile_items(), num_items);
  std::int64_t const diagonal_end =
      smaller<std::int64_t>(frame.diagonal + shape.tile_items(), frame.b_end - frame.a_begin);

  // Where this tile's share of the two runs starts and ends. The last tile of a pair of runs takes all that is left.
  std::int64_t const length = diagonal_end - frame.diagonal;
  std::int64_t a_from = 0;
  std::int64_t a_to = 0;
  if (partitions == nullptr) {
    for (unsigned end = simt::warp(); end < 2; end += shape.threads_per_block / threads_per_warp) {
      std::int64_t const share =
          warp_merge_path(keys_in + frame.a_begin, frame.a_end - frame.a_begin, keys_in + frame.a_end,
                          frame.b_end - frame.a_end, end == 0 ? frame.diagonal : diagonal_end, comp);
      if (simt::lane() == 0) temp.ends[end] = share;
    }
    simt::sync_block();
    a_from = temp.ends[0];
    a_to = temp.ends[1];
  } else {
    bool const last = frame.a_begin + diagonal_end == frame.b_end;
    a_from = partitions[tile];
    a_to = last ? frame.a_end - frame.a_begin : partitions[tile + 1];
  }
  int const a_count = share_of_a(a_from, a_to, length);
  int const b_count = static_cast<int>(length) - a_count;
  std::int64_t const a = frame.a_begin + a_from;
  std::int64_t const b = frame.a_end + frame.diagonal - a_from;

  blocks::template merger<current_arch()>::merge(temp.merger, keys_in + a, values_in + a, a_count, keys_in + b,
                                                 values_in + b, b_count, keys_out + begin, values_out + begin, comp);
}

}  // namespace mgpu::detail
