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

// T is the type that is accumulated in; Init is T, or no_value. Called without items only where the total is wanted
// and there is an init.
template <bool inclusive, class Tuning, class T, class In, class Out, class Total, class Init, class Op>
void scan(device_call& call, In in, Out out, Total total, std::int64_t num_items, Init init, Op op) {
  if (num_items == 0) {
    if constexpr (has_values<Init> && has_values<iterator_value_t<Total>>) {
      void (*const write_total)(Total, Init) = scan_total_of_none_kernel<Total, Init>;
      if (call.allocate(scratch_layout())) launch(call, {1, 1}, write_total, total, init);
    }
    return;
  }
  void (*const kernel)(scan_problem<T, In, Out, Total, Init>, Op) =
      scan_kernel<inclusive, Tuning, T, In, Out, Total, Init, Op>;
  int const arch = compiled_arch(call, kernel);
  scan_tuning const tuning = Tuning::at(arch);
  std::int64_t const num_tiles = divide_up<std::int64_t>(num_items, tuning.tile_items());

  // The ticket and the aggregates lie side by side, to be cleared in one go.
  std::int64_t const num_words = num_tiles == 1 ? 0 : 1 + num_tiles * tile_aggregates<T>::words_per_tile;
  scratch_layout layout;
  std::size_t const words_piece = layout.add<std::uint64_t>(num_words);
  if (!call.allocate(layout)) return;

  std::uint64_t* words = nullptr;
  std::int64_t num_blocks = 1;
  if (num_tiles > 1) {
    words = call.scratch<std::uint64_t>(words_piece);
    check(cudaMemsetAsync(words, 0, static_cast<std::size_t>(num_words) * sizeof(std::uint64_t), call.stream()),
          call.name(), "cudaMemsetAsync");
    num_blocks = smaller<std::int64_t>(num_tiles, num_multiprocessors(call) * tuning.blocks_per_sm);
  }
  scan_problem<T, In, Out, Total, Init> const problem{
      in, out, total, num_items, num_tiles, init, {words == nullptr ? nullptr : words + 1}, words};
  launch(call, {num_blocks, tuning.threads_per_block(), storage_bytes<scan_storage<Tuning, T>::template type>(arch)},
         kernel, problem, op);
}

}  // namespace mgpu::detail
