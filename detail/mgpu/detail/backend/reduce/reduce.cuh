// Reduction on the device: by one block or one cluster of blocks; or by two kernels, the second of which combines
// the results of the first one's blocks.
#pragma once
#include <mgpu/detail/backend/reduce/item_source.cuh>
#include <mgpu/detail/backend/reduce/reduce_kernel.cuh>
#include <mgpu/detail/runtime/result_slot.h>
#include <mgpu/detail/backend/reduce/tuning.h>
#include <mgpu/detail/backend/reduce/vector_source.cuh>
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

// Returns how many blocks reduce a span of the input's tiles each. Their results are no more than a tile of the block
// that combines them.
inline std::int64_t num_reduce_spans(device_call const& call, reduce_tuning const& tuning, std::int64_t units) {
  std::int64_t const tiles = divide_up<std::int64_t>(units, tuning.span.units());
  std::int64_t const resident = std::int64_t{num_multiprocessors(call)} * tuning.blocks_per_sm;
  std::int64_t const wanted = tiles <= resident * tuning.one_wave_tiles ? resident : resident * tuning.waves;
  return smaller(smaller(tiles, wanted), std::int64_t{tuning.single_block.units()});
}

// Returns how many threads a single block needs for so many units: whole warps, and one at least.
inline int single_block_threads(reduce_tuning const& tuning, std::int64_t units) {
  std::int64_t const warps = divide_up<std::int64_t>(units, tuning.single_block.rows * threads_per_warp);
  return static_cast<int>(larger<std::int64_t>(warps, 1)) * threads_per_warp;
}

// Reduces to the iterator that make_output() returns. It is called only if something is launched, not in a size
// query. Where the call names no tuning (void), the default counts.
template <class NamedTuning, class T, class Source, class Init, class Op, class MakeOutput>
void reduce_source(device_call& call, Source const& source, std::int64_t num_items, Init const& init, Op const& op,
                   MakeOutput make_output) {
  using default_tuning = reduce_default_tuning<static_cast<int>(sizeof(typename Source::unit)), sizeof(T)>;
  using Tuning = std::conditional_t<std::is_void_v<NamedTuning>, default_tuning, NamedTuning>;
  using Output = decltype(make_output());
  using storage = reduce_storage<Tuning, T>;
  auto const block_kernel = reduce_block_kernel<Tuning, T, Source, Op, Output, Init>;
  int const arch = detail::compiled_arch(call, block_kernel);
  reduce_tuning const tuning = Tuning::at(arch);
  std::int64_t const block_units = tuning.single_block.units();
  std::int64_t const few_units = block_units * (tuning.blocks_per_cluster > 1 ? 2 * tuning.blocks_per_cluster : 1);

  // The layout is made for the largest possible number of units, so that the size of the scratch memory does not
  // depend on the alignment of the input.
  std::int64_t const most_units = num_items / Source::items_per_unit;
  scratch_layout layout;
  std::size_t const partials_piece =
      layout.add<T>(most_units > few_units ? num_reduce_spans(call, tuning, most_units) : 0);
  if (!call.allocate(layout)) return;

  Output const out = make_output();
  auto const head = static_cast<int>(smaller<std::int64_t>(source.head(), num_items));
  auto const tail = static_cast<int>((num_items - head) % Source::items_per_unit);
  std::int64_t const units = (num_items - head) / Source::items_per_unit;
  std::size_t const block_bytes = storage_bytes<storage::template single_block>(arch);

  if (units <= block_units) {
    detail::launch(call, {1, single_block_threads(tuning, units), block_bytes}, block_kernel, source, head, tail,
                   static_cast<int>(units), init, out, op);
  } else if (units <= few_units) {
    auto const kernel = reduce_cluster_kernel<Tuning, T, Source, Op, Output, Init>;
    std::int64_t const tiles = divide_up(units, block_units);
    grid_shape shape{0, tuning.single_block.threads, storage_bytes<storage::template cluster>(arch)};
    auto const wanted = static_cast<int>(smaller<std::int64_t>(tiles, tuning.blocks_per_cluster));
    shape.num_blocks = shape.blocks_per_cluster = detail::blocks_per_cluster(call, shape, kernel, wanted);
    detail::launch(call, shape, kernel, source, reduce_input{head, tail, units}, tile_spans(tiles, shape.num_blocks),
                   init, op, out);
  } else {
    // The second of two kernels is launched early where that is possible. The scratch memory is safe from whatever the
    // stream does next, giving it back included: that waits until the second kernel has ended, and this ends after the
    // first, as each of its threads waits for the first. The first is not launched early: it waits for all that the
    // stream did before.
    T* const partials = call.scratch<T>(partials_piece);
    std::int64_t const num_spans = num_reduce_spans(call, tuning, units);
    tile_spans const spans(divide_up<std::int64_t>(units, tuning.span.units()), num_spans);
    grid_shape const first{num_spans, tuning.span.threads, storage_bytes<storage::template span>(arch)};
    detail::launch(call, first, reduce_spans_kernel<Tuning, T, Source, Op>, source, units, spans, op, partials);
    grid_shape second{1, single_block_threads(tuning, num_spans), block_bytes};
    second.early = arch >= 90;
    detail::launch(call, second, reduce_partials_kernel<Tuning, T, Source, Op, Output, Init>, source,
                   reduce_input{head, tail, units}, static_cast<T const*>(partials), static_cast<int>(num_spans),
                   init, op, out);
  }
}

// Reduces the problem's items to the iterator that make_output() returns. Plain memory is read 16 bytes at a time,
// where the size and the alignment of its items allow that.
template <class Tuning, class Problem, class Unary, class Op, class MakeOutput>
void reduce_items(device_call& call, Problem const& problem, Unary unary, Op const& op, MakeOutput make_output) {
  using In = typename Problem::In;
  using T = typename Problem::T;
  auto const reduce = [&](auto const& source) {
    detail::reduce_source<Tuning, T>(call, source, problem.num_items, problem.init, op, make_output);
  };
  if constexpr (std::is_pointer_v<In>) {
    using item = iterator_value_t<In>;
    using vectors = vector_source<T, item, Unary>;
    if constexpr (vectors::fits) {
      if (vectors::always_aligned || reinterpret_cast<std::uintptr_t>(problem.in) % vectors::alignment == 0) {
        return reduce(vectors(problem.in, unary));
      }
    }
    if constexpr (!vectors::fits || !vectors::always_aligned) {
      reduce(item_source<T, item const*, Unary>{problem.in, unary});
    }
  } else {
    reduce(item_source<T, In, Unary>{problem.in, unary});
  }
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
