// Reduction on the device: by one block or one cluster of blocks; or by two kernels, the second of which combines
// the results of the first one's blocks.
#pragma once
#include <mgpu/detail/backend/reduce/reduce_kernel.cuh>
#include <mgpu/detail/backend/reduce/result_slot.h>
#include <mgpu/detail/backend/reduce/source.cuh>
#include <mgpu/detail/backend/reduce/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/cluster.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace mgpu::detail {

// The tuning that the call names or, if it names none (void), the default.
template <class Tuning, class Source, class T>
using reduce_tuning_of = std::conditional_t<
    std::is_void_v<Tuning>,
    reduce_default_tuning<static_cast<int>(sizeof(typename Source::unit)), static_cast<int>(sizeof(T))>, Tuning>;

// Returns how many blocks reduce a span of the tiles each. Their results are no more than a tile of the block that
// combines them.
inline std::int64_t num_reduce_spans(device_call const& call, reduce_tuning const& tuning, std::int64_t tiles) {
  std::int64_t const resident = std::int64_t{num_multiprocessors(call)} * tuning.blocks_per_sm;
  std::int64_t const wanted = tiles <= resident * tuning.one_wave_tiles ? resident : resident * tuning.waves;
  return smaller(smaller(tiles, wanted), std::int64_t{tuning.single_block.units()});
}

// Returns how many threads a single block needs for so many units: whole warps, and one at least.
inline int single_block_threads(reduce_tuning const& tuning, std::int64_t units) {
  std::int64_t const warps = divide_up<std::int64_t>(units, tuning.single_block.rows * threads_per_warp);
  return static_cast<int>(larger<std::int64_t>(warps, 1)) * threads_per_warp;
}

// Reduces by two kernels, the second of which is launched early where that is possible. The scratch memory is safe
// from whatever the stream does next, giving it back included: that waits until the second kernel has ended, and this
// ends after the first, as each of its threads waits for the first. The first is not launched early: it waits for all
// that the stream did before.
template <class Tuning, class T, class Source, class Op, class Output>
void reduce_in_spans(device_call const& call, reduce_tuning const& tuning, int arch, Source const& source,
                     reduce_input const& input, T* partials, T const& init, Op const& op, Output const& out) {
  using storage = reduce_storage<Tuning, T>;
  std::int64_t const tiles = divide_up<std::int64_t>(input.units, tuning.span.units());
  std::int64_t const num_spans = num_reduce_spans(call, tuning, tiles);
  void (*const spans_kernel)(Source, std::int64_t, tile_spans, Op, T*) = reduce_spans_kernel<Tuning, T, Source, Op>;
  detail::launch(call, {num_spans, tuning.span.threads, storage_bytes<storage::template span>(arch)}, spans_kernel,
                 source, input.units, tile_spans(tiles, num_spans), op, partials);

  void (*const partials_kernel)(Source, reduce_input, T const*, int, T, Op, Output) =
      reduce_partials_kernel<Tuning, T, Source, Op, Output>;
  grid_shape shape{1, single_block_threads(tuning, num_spans), storage_bytes<storage::template single_block>(arch)};
  shape.early = arch >= 90;
  detail::launch(call, shape, partials_kernel, source, input, static_cast<T const*>(partials),
                 static_cast<int>(num_spans), init, op, out);
}

// Reduces to the iterator that make_output() returns. It is called only if something is launched, not in a size
// query.
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
      std::int64_t{tuning.single_block.units()} * (tuning.blocks_per_cluster > 1 ? 2 * tuning.blocks_per_cluster : 1);

  // The layout is made for the largest possible number of units, so that the size of the scratch memory does not
  // depend on the alignment of the input.
  std::int64_t const most_units = num_items / Source::items_per_unit;
  scratch_layout layout;
  std::size_t const partials_piece =
      layout.add<T>(most_units <= few_units
                        ? 0
                        : num_reduce_spans(call, tuning, divide_up<std::int64_t>(most_units, tuning.span.units())));
  if (!call.allocate(layout)) return;

  reduce_input input{};
  input.head = static_cast<int>(smaller<std::int64_t>(source.head(), num_items));
  input.tail = static_cast<int>((num_items - input.head) % Source::items_per_unit);
  input.units = (num_items - input.head) / Source::items_per_unit;
  if (input.units > few_units) {
    detail::reduce_in_spans<Tuning>(call, tuning, arch, source, input, call.scratch<T>(partials_piece), init, op,
                                    make_output());
  } else if (input.units > tuning.single_block.units()) {
    void (*const kernel)(Source, reduce_input, tile_spans, T, Op, Output) =
        reduce_cluster_kernel<Tuning, T, Source, Op, Output>;
    std::int64_t const tiles = divide_up<std::int64_t>(input.units, tuning.single_block.units());
    grid_shape shape{0, tuning.single_block.threads, storage_bytes<storage::template cluster>(arch)};
    auto const wanted = static_cast<int>(smaller<std::int64_t>(tiles, tuning.blocks_per_cluster));
    shape.num_blocks = shape.blocks_per_cluster = detail::blocks_per_cluster(call, shape, kernel, wanted);
    detail::launch(call, shape, kernel, source, input, tile_spans(tiles, shape.num_blocks), init, op, make_output());
  } else {
    detail::launch(
        call, {1, single_block_threads(tuning, input.units), storage_bytes<storage::template single_block>(arch)},
        block_kernel, source, input.head, input.tail, static_cast<int>(input.units), init, make_output(), op);
  }
}

// Calls run(source) with the best source for the input: plain memory is read 16 bytes at a time, where the size and
// the alignment of its items allow that.
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

// Reduces the problem's items to the iterator that make_output() returns.
template <class Tuning, class Problem, class Unary, class Op, class MakeOutput>
void reduce_items(device_call& call, Problem const& problem, Unary unary, Op const& op, MakeOutput make_output) {
  using T = typename Problem::T;
  detail::with_source<T>(problem.in, unary, [&](auto source) {
    using tuning = reduce_tuning_of<Tuning, decltype(source), T>;
    detail::reduce_source<tuning>(call, source, problem.num_items, problem.init, op, make_output);
  });
}

// Writes the result to *out; it is the init if there are no items.
template <class Tuning, class Problem, class Unary, class Op, class Output>
void reduce_to_output(device_call& call, Problem const& problem, Unary unary, Op op, Output out) {
  detail::reduce_items<Tuning>(call, problem, unary, op, [&] { return out; });
}

// Returns the result, having waited for the stream. In a size query it returns the init.
template <class Tuning, class Problem, class Unary, class Op>
typename Problem::T reduce_to_value(device_call& call, Problem const& problem, Unary unary, Op op) {
  using T = typename Problem::T;
  std::optional<result_slot> slot;
  detail::reduce_items<Tuning>(call, problem, unary, op, [&] {
    slot.emplace(call, sizeof(T));
    return static_cast<T*>(slot->memory());
  });
  if (!slot) return problem.init;
  call.finish();
  return *static_cast<T*>(slot->memory());
}

}  // namespace mgpu::detail
