// Reduction on the device: one launch; the last of its blocks to end combines the results of all.
#pragma once
#include <mgpu/detail/backend/reduce/reduce_kernel.cuh>
#include <mgpu/detail/backend/reduce/result_slot.h>
#include <mgpu/detail/backend/reduce/source.cuh>
#include <mgpu/detail/backend/reduce/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/host/call.h>
#include <mgpu/detail/host/launch.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace mgpu::detail {

// The tuning of the call, or the usual one.
template <class Tuning, class Source, class T>
using reduce_tuning_of = std::conditional_t<
    std::is_void_v<Tuning>,
    reduce_default_tuning<static_cast<int>(sizeof(typename Source::unit)), static_cast<int>(sizeof(T))>, Tuning>;

// How many blocks, at most, reduce so many steps.
inline std::int64_t num_reduce_blocks(device_call const& call, reduce_tuning const& tuning, std::int64_t steps) {
  std::int64_t const resident = std::int64_t{num_multiprocessors(call)} * tuning.blocks_per_sm;
  std::int64_t const waves = smaller<std::int64_t>(steps / (resident * tuning.steps_per_wave), tuning.max_waves);
  return smaller(steps, resident * larger<std::int64_t>(waves, 1));
}

// Reduces by the kernel of one tuning to where make_output() says, which is asked only if there is something to launch.
template <class Tuning, class T, class Source, class Op, class MakeOutput>
void reduce_tuned(device_call& call, Source const& source, std::int64_t num_items, T const& init, Op const& op,
                  MakeOutput make_output) {
  using Output = decltype(make_output());
  void (*const kernel)(Source, reduce_shares, T, Op, Output, reduce_results<T>) =
      reduce_kernel<Tuning, T, Source, Op, Output>;
  int const arch = compiled_arch(call, kernel);
  reduce_tuning const tuning = Tuning::at(arch);

  grid_shape shape{1, tuning.threads_per_block, storage_bytes<reduce_blocks<Tuning, T>::template storage>(arch)};

  // The most blocks that there are at any alignment, so that the scratch memory does not depend on that.
  std::int64_t const num_rows = divide_up<std::int64_t>(num_items, Source::items_per_unit * threads_per_warp);
  std::int64_t const steps = divide_up(num_rows, tuning.rows_per_block_step());
  bool const is_for_few = tuning.blocks_per_cluster > 1;
  std::int64_t most_blocks = 1;
  bool in_cluster = false;
  if (steps > tuning.lone_block_steps) {
    most_blocks = num_reduce_blocks(call, tuning, steps);
    in_cluster = is_for_few && steps <= 2 * tuning.blocks_per_cluster;
    if (in_cluster) {
      auto const wanted = static_cast<int>(smaller<std::int64_t>(steps, tuning.blocks_per_cluster));
      most_blocks = blocks_per_cluster(call, shape, kernel, wanted);
    }
  }
  bool const in_grid = most_blocks > 1 && !in_cluster;

  // The counter of blocks, and the results if they are marked, lie side by side, to be cleared in one go.
  std::int64_t const num_words = in_grid ? 1 + (is_for_few ? tile_aggregates<T>::num_words(most_blocks) : 0) : 0;
  scratch_layout layout;
  std::size_t const words_piece = layout.add<std::uint64_t>(num_words);
  std::size_t const results_piece = layout.add<T>(in_grid && !is_for_few ? most_blocks : 0);
  if (!call.allocate(layout)) return;
  reduce_results<T> results{};
  if (in_grid) {
    results.blocks_done = call.scratch<std::uint64_t>(words_piece);
    results.ordered = call.scratch<T>(results_piece);
    results.marked = {results.blocks_done + 1};
    clear(call, results.blocks_done, num_words);
  }

  int const head = static_cast<int>(smaller<std::int64_t>(source.head(), num_items));
  auto const tail = static_cast<int>((num_items - head) % Source::items_per_unit);
  std::int64_t warps_per_block = tuning.threads_per_block / threads_per_warp;
  if (most_blocks == 1) {  // of no more warps than have a step each
    std::int64_t const warp_steps = divide_up<std::int64_t>(num_rows, tuning.rows_per_step);
    warps_per_block = smaller(warps_per_block, larger<std::int64_t>(warp_steps, 1));
    shape.threads_per_block = static_cast<int>(warps_per_block) * threads_per_warp;
  }
  reduce_shares shares =
      share_out(head, (num_items - head) / Source::items_per_unit, tail, most_blocks * warps_per_block);
  shape.num_blocks = divide_up<std::int64_t>(shares.num_warps, warps_per_block);
  if (in_cluster) shape.blocks_per_cluster = static_cast<int>(shape.num_blocks);
  if (num_items == 0) shares.num_warps = 0;
  launch(call, shape, kernel, source, shares, init, op, make_output(), results);
}

// Calls run(source) with the best way to read the input: plain memory 16 bytes at a time, where the size of its items
// and their alignment allow that.
template <class T, class Input, class Unary, class Run>
void with_source(Input input, Unary unary, Run run) {
  if constexpr (std::is_pointer_v<Input>) {
    using item = iterator_value_t<Input>;
    constexpr std::size_t bytes = sizeof(item);
    constexpr std::size_t alignment = smaller<std::size_t>(bytes, 16);
    constexpr bool in_vectors = bytes < 16 ? 16 % bytes == 0 : bytes % 16 == 0;
    constexpr bool always_aligned = alignof(item) >= alignment;
    item const* const items = input;
    if constexpr (in_vectors) {
      if (always_aligned || reinterpret_cast<std::uintptr_t>(items) % alignment == 0) {
        return run(vector_source<T, item, Unary>(items, unary));
      }
    }
    if constexpr (!(in_vectors && always_aligned)) run(item_source<T, item const*, Unary>(items, unary));
  } else {
    run(item_source<T, Input, Unary>(input, unary));
  }
}

// Reduces what `input` has to where make_output() says.
template <class Tuning, class T, class Input, class Unary, class Op, class MakeOutput>
void reduce_items(device_call& call, Input input, std::int64_t num_items, Unary unary, T const& init, Op const& op,
                  MakeOutput make_output) {
  with_source<T>(input, unary, [&](auto source) {
    using Source = decltype(source);
    using tuning = reduce_tuning_of<Tuning, Source, T>;
    if constexpr (has_few<tuning>) {
      std::int64_t const num_rows = divide_up<std::int64_t>(num_items, Source::items_per_unit * threads_per_warp);
      using few = typename tuning::few;
      int const arch = compiled_arch(call, reduce_kernel<few, T, Source, Op, decltype(make_output())>);
      if (num_rows <= tuning::few_rows(arch))
        return reduce_tuned<few>(call, source, num_items, init, op, make_output);
    }
    reduce_tuned<tuning>(call, source, num_items, init, op, make_output);
  });
}

// *out = what num_items items come to; init if there are none.
template <class Tuning, class T, class Input, class Unary, class Op, class Output>
void reduce_to_output(device_call& call, Input input, std::int64_t num_items, Unary unary, T init, Op op,
                      Output out) {
  reduce_items<Tuning>(call, input, num_items, unary, init, op, [&] { return out; });
}

// Returns it, having waited for the stream. From a size query, returns init.
template <class Tuning, class T, class Input, class Unary, class Op>
T reduce_to_value(device_call& call, Input input, std::int64_t num_items, Unary unary, T init, Op op) {
  std::optional<result_slot> slot;
  reduce_items<Tuning>(call, input, num_items, unary, init, op, [&] {
    slot.emplace(call, sizeof(T));
    return static_cast<T*>(slot->memory());
  });
  if (!slot) return init;
  call.finish();
  return *static_cast<T*>(slot->memory());
}

}  // namespace mgpu::detail
