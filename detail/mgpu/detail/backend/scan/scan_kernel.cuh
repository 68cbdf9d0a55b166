// The kernel of the scan, which reads and writes each item once: tiles learn their prefixes by decoupled look-back
// or, in a cluster, from each other's shared memory.
#pragma once
#include <mgpu/detail/backend/scan/scan_chunk.cuh>
#include <mgpu/detail/backend/scan/scan_pipeline.cuh>
#include <mgpu/detail/backend/scan/scan_tiles.cuh>
#include <mgpu/detail/backend/scan/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// The shared memory of a block: that of the pipeline where the tuning has several stages, else that of scan_tiles.
template <class Tuning, class T>
struct scan_storage {
  template <int arch>
  using type = std::conditional_t<(Tuning::at(arch).stages > 1), scan_pipeline_storage<T, Tuning, arch>,
                                  scan_tiles_storage<T, Tuning, arch>>;
};

// Scans problem.in to problem.out. The grid has any number of blocks, each of which takes tiles until none is left;
// or it is one cluster with a block a tile. A block that waits for another's aggregate computes it itself after a
// while, so no forward progress between blocks is assumed; those of a cluster run at the same time, and wait for each
// other.
template <class Tuning, class Problem, class Op>
__global__ void __launch_bounds__(Tuning::at(current_arch()).threads_per_block(),
                                  Tuning::at(current_arch()).blocks_per_sm)
    scan_kernel(scan_launch<Problem> launch, Op op) {
  static_assert(Tuning::at(current_arch()).is_valid(),
                "mgpu: with_tuning: a scan has 1 to 32 warps a tile, 1 to 32 warps a block, no more load groups than "
                "stages, clusters only with one stage, and reads one row of look-back at least");
  using block_scan = std::conditional_t<(Tuning::at(current_arch()).stages > 1), scan_pipeline<Tuning, Problem, Op>,
                                        scan_tiles<Tuning, Problem, Op>>;
  block_scan{simt::shared<typename block_scan::storage>(), launch, op}.run();
}

// Writes the total of an empty input, which is the init. The grid is one thread.
template <class Total, class Init>
__global__ void scan_total_of_none_kernel(Total total, Init init) {
  *total = init;
}

}  // namespace mgpu::detail
