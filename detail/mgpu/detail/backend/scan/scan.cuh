// Scan on the device: one launch for up to a tile, else one to clear what tiles tell each other, and one pass.
// Decoupled look-back, Merrill and Garland, NVR-2016-002; with a fallback, Smith, Levien, Owens, SPAA 2025.
#pragma once
#include <mgpu/detail/backend/scan/scan_kernel.cuh>
#include <mgpu/detail/backend/scan/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/host/call.h>
#include <mgpu/detail/host/launch.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

// A scan of at least one item by the kernel of one tuning.
template <bool inclusive, class Tuning, class T, class In, class Out, class Total, class Init, class Op>
void scan_tuned(device_call& call, In in, Out out, Total total, std::int64_t num_items, Init init, Op op) {
  void (*const kernel)(scan_problem<T, In, Out, Total, Init>, Op) =
      scan_kernel<inclusive, Tuning, T, In, Out, Total, Init, Op>;
  int const arch = detail::compiled_arch(call, kernel);
  scan_tuning const tuning = Tuning::at(arch);
  std::int64_t const num_tiles = divide_up<std::int64_t>(num_items, tuning.tile_items());
  grid_shape shape{num_tiles, tuning.threads_per_block(),
                   storage_bytes<scan_storage<Tuning, T>::template type>(arch)};
  bool const in_cluster = num_tiles <= tuning.blocks_per_cluster &&
                          num_tiles == detail::blocks_per_cluster(call, shape, kernel, static_cast<int>(num_tiles));

  // The aggregates and the ticket lie side by side, to be cleared in one go.
  std::int64_t const aggregate_words = in_cluster ? 0 : tile_aggregates<T>::num_words(num_tiles);
  std::int64_t const num_words = in_cluster ? 0 : aggregate_words + 1;
  scratch_layout layout;
  std::size_t const words_piece = layout.add<std::uint64_t>(num_words);
  if (!call.allocate(layout)) return;

  scan_problem<T, In, Out, Total, Init> problem{in, out, total, num_items, num_tiles, init, {nullptr}, nullptr};
  if (in_cluster) {
    shape.blocks_per_cluster = static_cast<int>(num_tiles);
  } else {
    auto* const words = call.scratch<std::uint64_t>(words_piece);
    clear(call, words, num_words);
    problem.aggregates = {words};
    problem.ticket = words + aggregate_words;
    shape.num_blocks = smaller(num_tiles, std::int64_t{num_multiprocessors(call)} * tuning.blocks_per_sm);
  }
  detail::launch(call, shape, kernel, problem, op);
}

// T is the type that is accumulated in; Init is T, or no_value. Called without items only where the total is wanted
// and there is an init.
template <bool inclusive, class Tuning, class T, class In, class Out, class Total, class Init, class Op>
void scan(device_call& call, In in, Out out, Total total, std::int64_t num_items, Init init, Op op) {
  if (num_items == 0) {
    if constexpr (has_values<Init> && has_values<iterator_value_t<Total>>) {
      void (*const write_total)(Total, Init) = scan_total_of_none_kernel<Total, Init>;
      if (call.allocate(scratch_layout())) detail::launch(call, {1, 1}, write_total, total, init);
    }
    return;
  }
  if constexpr (has_few<Tuning>) {
    int const arch = detail::compiled_arch(call, scan_kernel<inclusive, Tuning, T, In, Out, Total, Init, Op>);
    if (num_items <= Tuning::few_items(arch)) {
      return detail::scan_tuned<inclusive, typename Tuning::few, T>(call, in, out, total, num_items, init, op);
    }
  }
  detail::scan_tuned<inclusive, Tuning, T>(call, in, out, total, num_items, init, op);
}

}  // namespace mgpu::detail
