// Merge sort on the device: each tile is sorted by one block, then passes merge neighbouring runs, two or four at a
// time, until one is left. Many items are looked at before: if they are a few runs in order, these are merged
// instead. If they are not so many, and four runs are merged at a time, each tile tells whether it came in order or
// strictly descending; if all of the input did, passes end at once, but for those that bring it to the output. It is a
// stable comparison sort for any strict weak order. Its passes are those of Odeh et al., arXiv:1406.2628.
#pragma once
#include <mgpu/detail/backend/merge_sort/merge_sort_kernel.cuh>
#include <mgpu/detail/backend/merge_sort/natural_runs.h>
#include <mgpu/detail/backend/merge_sort/natural_runs_kernel.cuh>
#include <mgpu/detail/backend/merge_sort/tile_order.cuh>
#include <mgpu/detail/backend/merge_sort/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/clear.h>
#include <mgpu/detail/runtime/double_buffer.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Where there are no natural runs, a merge sort sorts tiles and merges them.
struct merging_of_tiles {
  static constexpr bool sorts_tiles = true;
  static constexpr natural_runs const* unless = nullptr;
};
// A merge sort does likewise, or nothing if `unless`, which is null in a query, has a plan.
struct merging_of_tiles_unless {
  static constexpr bool sorts_tiles = true;
  natural_runs const* unless;
};

// Sorts by comparisons; stable. The tile sort reads the user's input, and the last step writes the user's output; the
// steps between read and write the double buffer of each column in turns. There is at least one item. Otherwise says
// what is done where there are no natural runs. If it does not sort tiles, it sorts by launches of its own:
// natural runs are merged by up to max_natural_passes passes, its plan(layout, null) adds to the layout, and its
// sort(natural, keys, values) gets the second buffer of each column.
template <class Tuning, class Problem, class Comp, class Otherwise = merging_of_tiles>
void merge_sort(device_call& call, Problem const& problem, Comp const& comp, Otherwise&& otherwise = {}) {
  constexpr bool sorts_tiles = std::decay_t<Otherwise>::sorts_tiles;
  using KeysIn = typename Problem::KeysIn;
  using ValuesIn = typename Problem::ValuesIn;
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  using blocks = merge_sort_blocks<Tuning, Key, Value>;
  std::int64_t const num_items = problem.num_items;
  int const arch = detail::compiled_arch(call, merge_sort_partition_kernel<Tuning, Key, Comp>);
  merge_sort_tuning const tuning = Tuning::at(arch);
  int const multiprocessors = detail::num_multiprocessors(call);
  std::int64_t const num_tiles = divide_up<std::int64_t>(num_items, tuning.sorted_items());
  int num_passes = 0;
  for (std::int64_t run = 1; run < num_tiles; run *= tuning.runs_per_pass) ++num_passes;
  if constexpr (!sorts_tiles) num_passes = otherwise.max_natural_passes;
  bool const looks_for_runs = !sorts_tiles || (num_passes > 0 && tuning.looks_for_runs(num_items));
  // The last tile of each group may not be full.
  std::int64_t const num_merge_tiles =
      divide_up<std::int64_t>(num_items, tuning.merge_items()) + (looks_for_runs ? natural_runs::max_groups : 0);
  // A warp that looks for shares counts the items of a group of runs in 32 bits, so it takes small groups only.
  bool const small_groups = num_items < std::int64_t{1} << 30;
  bool const few_tiles = small_groups && num_merge_tiles <= tuning.few_tiles;
  bool const many_tiles = !small_groups || num_merge_tiles > tuning.many_tiles;

  scratch_layout layout;
  double_buffer<Key, typename Problem::KeysOut> keys;
  double_buffer<Value, typename Problem::ValuesOut> values;
  // The last passes bring what came in order from the tile sort's buffer to the output, if it is not there. The others,
  // of four runs, end at once where all tiles came in order. Where all came strictly descending, the last pass mirrors
  // them, or the one before it, if that reads the tile sort's buffer.
  constexpr bool outputs_are_primary = keys.output_is_primary && values.output_is_primary;
  constexpr bool stays = Problem::values_in_place && outputs_are_primary;
  bool const is_there = stays || (outputs_are_primary && num_passes % 2 == 0);
  int const passes_from_mirror = num_passes % 2 == 0 ? 2 : 1;
  int const passes_to_output = is_there ? 0 : passes_from_mirror;
  bool const watches = std::is_same_v<std::decay_t<Otherwise>, merging_of_tiles> && !looks_for_runs &&
                       num_passes > passes_to_output && tuning.runs_per_pass == 4;
  keys.plan(layout, num_items, num_passes);
  values.plan(layout, num_items, num_passes);
  std::size_t const partitions_piece =
      num_passes > 0 && !few_tiles ? layout.add<std::int64_t>(num_merge_tiles * tuning.runs_per_pass) : 0;
  std::size_t const natural_piece = looks_for_runs ? layout.add<natural_runs>(1) : 0;
  std::size_t const decision_piece = watches ? layout.add<std::uint32_t>(1) : 0;
  std::size_t const orders_piece = watches ? layout.add<tile_order<Key>>(num_tiles) : 0;
  if constexpr (!sorts_tiles) otherwise.plan(layout, static_cast<natural_runs const*>(nullptr));
  if (!call.allocate(layout)) return;

  natural_runs* const natural = looks_for_runs ? call.scratch<natural_runs>(natural_piece) : nullptr;
  natural_runs const* planned = natural;
  if constexpr (sorts_tiles) {
    if (!looks_for_runs) planned = otherwise.unless;
  }
  int const passes_after =
      looks_for_runs ? 0 : natural_runs::max_passes;  // no pass here is one of another sort's plan
  watched_tiles<Key> watched;
  if (watches) {
    watched = {call.scratch<tile_order<Key>>(orders_piece), call.scratch<std::uint32_t>(decision_piece), num_tiles};
  }
  if (looks_for_runs) {
    natural_input<Key, Value> const input{natural, keys.primary(call, problem.keys_out),
                                          values.primary(call, problem.values_out), keys.alternate(call),
                                          values.alternate(call)};
    using finder = natural_runs_finder<KeysIn, Comp>;
    std::int64_t const blocks = smaller(divide_up<std::int64_t>(num_items, finder::items_of_step),
                                        std::int64_t{finder::blocks_per_sm} * multiprocessors);
    detail::clear(call, &natural->found.blocks_done, sizeof(natural_runs::findings) / sizeof(std::uint64_t));
    detail::launch(call, {blocks, finder::threads_per_block, sizeof(typename finder::storage)},
                   merge_sort_find_runs_kernel<KeysIn, Comp>, problem.keys_in, num_items, tuning.merge_items(),
                   num_passes, stays, natural, comp);
    if constexpr (!sorts_tiles) otherwise.sort(planned, keys.alternate(call), values.alternate(call));
    constexpr int move_threads = 512;
    grid_shape shape{smaller<std::int64_t>(4 * multiprocessors, divide_up<std::int64_t>(num_items, move_threads)),
                     move_threads};
    shape.early = arch >= 90;
    detail::launch(call, shape, merge_sort_move_kernel<move_threads, KeysIn, ValuesIn>, problem.keys_in,
                   problem.values_in, num_items, input);
  }
  auto const sort_tiles = [&](auto keys_to, auto values_to) {
    grid_shape shape{num_tiles, tuning.tile_sort.threads_per_block,
                     storage_bytes<blocks::template sorter_storage>(arch)};
    shape.early = arch >= 90 && planned != nullptr;
    detail::launch(call, shape,
                   merge_sort_tile_kernel<Tuning, KeysIn, ValuesIn, decltype(keys_to), decltype(values_to), Comp>,
                   problem.keys_in, problem.values_in, keys_to, values_to, num_items, planned, watched,
                   stays && num_passes % 2 == 0, comp);
  };
  if constexpr (sorts_tiles) {
    if (num_passes == 0) return sort_tiles(problem.keys_out, problem.values_out);
  }

  // Merges runs of `width` tiles. Where tiles are not few, another kernel first finds where the shares of each begin.
  auto const merge_runs = [&](std::int64_t width, int to_go, Key const* keys_from, column<Value> values_from,
                              auto keys_to, auto values_to) {
    watched.is_first_pass = to_go == num_passes;
    watched.if_in_order = to_go > passes_to_output ? pass_work::nothing : pass_work::merges;
    watched.if_descending = to_go > passes_from_mirror    ? pass_work::nothing
                            : to_go == passes_from_mirror ? pass_work::mirrors
                                                          : pass_work::merges;
    std::int64_t* partitions = nullptr;
    if (!few_tiles) {
      partitions = call.scratch<std::int64_t>(partitions_piece);
      int const threads = tuning.partition_threads_per_block;
      std::int64_t const num_threads = num_merge_tiles * (many_tiles ? 1 : threads_per_warp);
      grid_shape shape{divide_up<std::int64_t>(num_threads, threads), threads,
                       sizeof(typename watched_tiles<Key>::storage)};
      shape.early = arch >= 90 && !sorts_tiles;
      detail::launch(call, shape, merge_sort_partition_kernel<Tuning, Key, Comp>, keys_from, num_items, width,
                     planned, to_go + passes_after, !many_tiles, partitions, watched, comp);
    }
    std::int64_t const at_a_time = multiprocessors * std::int64_t{tuning.merge.min_blocks_per_sm};
    grid_shape shape{sorts_tiles ? num_merge_tiles : smaller(num_merge_tiles, at_a_time),
                     tuning.merge.threads_per_block, storage_bytes<blocks::template merger_storage>(arch)};
    // A pass of many tiles is not launched early: where the grid does not fit on the device at once, blocks that wait
    // would take the room of blocks that work.
    shape.early = arch >= 90 && (few_tiles || !sorts_tiles);
    detail::launch(call, shape,
                   merge_sort_merge_kernel<Tuning, !sorts_tiles, Key, column<Value>, decltype(keys_to),
                                           decltype(values_to), Comp>,
                   keys_from, values_from, keys_to, values_to, num_items, width, planned, to_go + passes_after,
                   partitions, watched, comp);
  };

  // These are the buffers from which the pass reads that has so many passes to go, itself included.
  auto const keys_of = [&](int to_go) {
    return to_go % 2 == 0 ? keys.primary(call, problem.keys_out) : keys.alternate(call);
  };
  auto const values_of = [&](int to_go) {
    return to_go % 2 == 0 ? values.primary(call, problem.values_out) : values.alternate(call);
  };
  if constexpr (sorts_tiles) sort_tiles(keys_of(num_passes), values_of(num_passes));
  // Without tiles that are sorted, there are no runs but natural ones.
  std::int64_t width = sorts_tiles ? tuning.sorted_items() / tuning.merge_items() : 0;
  for (int to_go = num_passes; to_go > 1; --to_go, width *= tuning.runs_per_pass) {
    merge_runs(width, to_go, keys_of(to_go), values_of(to_go), keys_of(to_go - 1), values_of(to_go - 1));
  }
  merge_runs(width, 1, keys_of(1), values_of(1), problem.keys_out, problem.values_out);
}

// Sorts likewise by one block, and returns true, or returns false, having done nothing, where the tuning is not for
// so many items. There is at least one item.
template <class Tuning, class Problem, class Comp>
bool merge_sort_one_tile(device_call& call, Problem const& problem, Comp const& comp) {
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  auto const kernel = merge_sort_tile_kernel<Tuning, typename Problem::KeysIn, typename Problem::ValuesIn,
                                             typename Problem::KeysOut, typename Problem::ValuesOut, Comp>;
  int const arch = detail::compiled_arch(call, kernel);
  if (problem.num_items > Tuning::max_items(arch)) return false;
  if (!call.allocate({})) return true;
  detail::launch(call,
                 {1, Tuning::at(arch).tile_sort.threads_per_block,
                  storage_bytes<merge_sort_blocks<Tuning, Key, Value>::template sorter_storage>(arch)},
                 kernel, problem.keys_in, problem.values_in, problem.keys_out, problem.values_out, problem.num_items,
                 static_cast<natural_runs const*>(nullptr), watched_tiles<Key>{}, false, comp);
  return true;
}

}  // namespace mgpu::detail
