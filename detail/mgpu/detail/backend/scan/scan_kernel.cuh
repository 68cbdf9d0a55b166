// The scan kernel: one pass over the data, tiles by decoupled look-back.
#pragma once
#include <mgpu/detail/backend/scan/scan_chunk.cuh>
#include <mgpu/detail/backend/scan/scan_pipeline.cuh>
#include <mgpu/detail/backend/scan/scan_tiles.cuh>
#include <mgpu/detail/backend/scan/tuning.h>
#include <mgpu/detail/core/simt.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Shared memory of a block.
template <class Tuning, class T>
struct scan_storage {
  template <int arch>
  using type = std::conditional_t<(Tuning::at(arch).stages > 1), scan_pipeline_storage<T, Tuning, arch>,
                                  scan_tiles_storage<T, Tuning, arch>>;
};

// Scans problem.in to problem.out. Any number of blocks, each of which takes tiles until none is left. A block that
// waits for another's aggregate computes it itself after a while, so no forward progress between blocks is assumed.
// Input and output are the same range or do not overlap.
template <bool inclusive, class Tuning, class T, class In, class Out, class Total, class Init, class Op>
__global__ void __launch_bounds__(Tuning::at(current_arch()).threads_per_block(),
                                  Tuning::at(current_arch()).blocks_per_sm)
    scan_kernel(scan_problem<T, In, Out, Total, Init> problem, Op op) {
  using storage = typename scan_storage<Tuning, T>::template type<current_arch()>;
  auto& shared = simt::shared<storage>();
  if constexpr (Tuning::at(current_arch()).stages > 1) {
    scan_pipeline<inclusive, Tuning, T, In, Out, Total, Init, Op>{shared, problem, op}.run();
  } else {
    scan_tiles<inclusive, Tuning, T, In, Out, Total, Init, Op>{shared, problem, op}.run();
  }
}

// The total of no items. One thread.
template <class Total, class Init>
__global__ void scan_total_of_none_kernel(Total total, Init init) {
  *total = init;
}

}  // namespace mgpu::detail
