// Scan on the device, in a single pass: by one cluster of blocks where these are as many as the tiles; else by blocks
// that look back at each other's aggregates, which are cleared first.
#pragma once
#include <mgpu/detail/backend/scan/scan_kernel.cuh>
#include <mgpu/detail/backend/scan/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/clear.h>
#include <mgpu/detail/runtime/cluster.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/launch.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::detail {

// Scans by the kernel that Tuning selects. There is at least one item.
template <class Tuning, class Problem, class Op>
void scan(device_call& call, Problem const& problem, Op const& op) {
  using T = typename Problem::T;
  void (*const kernel)(scan_launch<Problem>, Op) = scan_kernel<Tuning, Problem, Op>;
  int const arch = detail::compiled_arch(call, kernel);
  scan_tuning const tuning = Tuning::at(arch);
  std::int64_t const num_tiles = divide_up<std::int64_t>(problem.num_items, tuning.tile_items());
  grid_shape shape{num_tiles, tuning.threads_per_block(),
                   storage_bytes<scan_storage<Tuning, T>::template type>(arch)};
  bool const in_cluster = num_tiles <= tuning.blocks_per_cluster &&
                          num_tiles == detail::blocks_per_cluster(call, shape, kernel, static_cast<int>(num_tiles));

  // The aggregates and, behind them, the ticket lie side by side, so that they are cleared in one go.
  std::int64_t const num_words = in_cluster ? 0 : tile_aggregates<T>::num_words(num_tiles) + 1;
  scratch_layout layout;
  std::size_t const words_piece = layout.add<std::uint64_t>(num_words);
  if (!call.allocate(layout)) return;

  scan_launch<Problem> launch{problem, num_tiles, {nullptr}, nullptr};
  if (in_cluster) {
    shape.blocks_per_cluster = static_cast<int>(num_tiles);
  } else {
    auto* const words = call.scratch<std::uint64_t>(words_piece);
    clear(call, words, num_words);
    launch.aggregates = {words};
    launch.ticket = words + num_words - 1;
    shape.num_blocks = smaller(num_tiles, std::int64_t{num_multiprocessors(call)} * tuning.blocks_per_sm);
  }
  detail::launch(call, shape, kernel, launch, op);
}

// Writes the total of an empty input, which is the init.
template <class Total, class Init>
void scan_total_of_none(device_call& call, Total total, Init init) {
  void (*const write_total)(Total, Init) = scan_total_of_none_kernel<Total, Init>;
  if (call.allocate(scratch_layout())) detail::launch(call, {1, 1}, write_total, total, init);
}

}  // namespace mgpu::detail
