// Reduction on the device: by one block or one cluster of blocks; or by two kernels, the second of which combines
// what the blocks of the first have left.
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

// How many blocks reduce a run of the tiles each. Their results are a tile of the last block at most.
inline std::int64_t num_reduce_runs(device_call const& call, reduce_tuning const& tuning, std::int64_t tiles) {
  std::int64_t const resident = std::int64_t{num_multiprocessors(call)} * tuning.blocks_per_sm;
  std::int64_t const wanted = tiles <= resident * tuning.one_wave_tiles ? resident : resident * tuning.waves;
  return smaller(smaller(tiles, wanted), std::int64_t{tuning.lone.units()});
}

// As many threads of a lone block as have one of so many units, and a warp at least.
inline int lone_threads(reduce_tuning const& tuning, std::int64_t units) {
  std::int64_t const warps = divide_up<std::int64_t>(units, tuning.lone.rows * threads_per_warp);
  return static_cast<int>(larger<std::int64_t>(warps, 1)) * threads_per_warp;
}

// Two kernels, the second launched early where that is possible. The scratch memory is safe from whatever the stream
// does next, giving it back included: that waits until the second has ended, and the second ends after the first, as
// each of its threads waits for it. The first is not launched early: it waits for all that the stream did before.
template <class Tuning, class T, class Source, class Op, class Output>
void reduce_in_runs(device_call const& call, reduce_tuning const& tuning, int arch, Source const& source,
                    reduce_input const& input, T* results, T const& init, Op const& op, Output const& out) {
  using storage = reduce_storage<Tuning, T>;
  std::int64_t const tiles = divide_up<std::int64_t>(input.units, tuning.run.units());
  std::int64_t const num_runs = num_reduce_runs(call, tuning, tiles);
  void (*const run_kernel)(Source, std::int64_t, tile_runs, Op, T*) = reduce_runs_kernel<Tuning, T, Source, Op>;
  detail::launch(call, {num_runs, tuning.run.threads, storage_bytes<storage::template run>(arch)}, run_kernel, source,
                 input.units, tile_runs(tiles, num_runs), op, results);

  void (*const last_kernel)(Source, reduce_input, T const*, int, T, Op, Output) =
      reduce_results_kernel<Tuning, T, Source, Op, Output>;
  grid_shape shape{1, lone_threads(tuning, num_runs), storage_bytes<storage::template lone>(arch)};
  shape.early = arch >= 90;
  detail::launch(call, shape, last_kernel, source, input, static_cast<T const*>(results), static_cast<int>(num_runs),
                 init, op, out);
}

// Reduces to where make_output() says, which is asked only if there is something to launch.
template <class Tuning, class T, class Source, class Op, class MakeOutput>
void reduce_source(device_call& call, Source const& source, std::int64_t num_items, T const& init, Op const& op,
                   MakeOutput make_output) {
  using Output = decltype(make_output());
  using storage = reduce_storage<Tuning, T>;
  void (*const block_kernel)(Source, int, int, int, T, Output, Op) =
      reduce_block_kernel<Tuning, T, Source, Op, Output>;
  int const arch = detail::compiled_arch(call, block_kernel);
  reduce_tuning const tuning = Tuning::at(arch);
  std::int64_t const few_units =
      std::int64_t{tuning.lone.units()} * (tuning.blocks_per_cluster > 1 ? 2 * tuning.blocks_per_cluster : 1);

  // Of the most units that there are, so that the scratch memory does not depend on where the first of them begins.
  std::int64_t const most_units = num_items / Source::items_per_unit;
  scratch_layout layout;
  std::size_t const results_piece =
      layout.add<T>(most_units <= few_units
                        ? 0
                        : num_reduce_runs(call, tuning, divide_up<std::int64_t>(most_units, tuning.run.units())));
  if (!call.allocate(layout)) return;

  reduce_input input{};
  input.head = static_cast<int>(smaller<std::int64_t>(source.head(), num_items));
  input.tail = static_cast<int>((num_items - input.head) % Source::items_per_unit);
  input.units = (num_items - input.head) / Source::items_per_unit;
  if (input.units > few_units) {
    detail::reduce_in_runs<Tuning>(call, tuning, arch, source, input, call.scratch<T>(results_piece), init, op,
                                   make_output());
  } else if (input.units > tuning.lone.units()) {
    void (*const kernel)(Source, reduce_input, tile_runs, T, Op, Output) =
        reduce_cluster_kernel<Tuning, T, Source, Op, Output>;
    std::int64_t const tiles = divide_up<std::int64_t>(input.units, tuning.lone.units());
    grid_shape shape{0, tuning.lone.threads, storage_bytes<storage::template cluster>(arch)};
    auto const wanted = static_cast<int>(smaller<std::int64_t>(tiles, tuning.blocks_per_cluster));
    shape.num_blocks = shape.blocks_per_cluster = detail::blocks_per_cluster(call, shape, kernel, wanted);
    detail::launch(call, shape, kernel, source, input, tile_runs(tiles, shape.num_blocks), init, op, make_output());
  } else {
    detail::launch(call, {1, lone_threads(tuning, input.units), storage_bytes<storage::template lone>(arch)},
                   block_kernel, source, input.head, input.tail, static_cast<int>(input.units), init, make_output(),
                   op);
  }
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
  detail::with_source<T>(input, unary, [&](auto source) {
    using tuning = reduce_tuning_of<Tuning, decltype(source), T>;
    detail::reduce_source<tuning>(call, source, num_items, init, op, make_output);
  });
}

// *out = what num_items items come to; init if there are none.
template <class Tuning, class T, class Input, class Unary, class Op, class Output>
void reduce_to_output(device_call& call, Input input, std::int64_t num_items, Unary unary, T init, Op op,
                      Output out) {
  detail::reduce_items<Tuning>(call, input, num_items, unary, init, op, [&] { return out; });
}

// Returns it, having waited for the stream. From a size query, returns init.
template <class Tuning, class T, class Input, class Unary, class Op>
T reduce_to_value(device_call& call, Input input, std::int64_t num_items, Unary unary, T init, Op op) {
  std::optional<result_slot> slot;
  detail::reduce_items<Tuning>(call, input, num_items, unary, init, op, [&] {
    slot.emplace(call, sizeof(T));
    return static_cast<T*>(slot->memory());
  });
  if (!slot) return init;
  call.finish();
  return *static_cast<T*>(slot->memory());
}

}  // namespace mgpu::detail
