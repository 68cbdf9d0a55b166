// The kernels of the reduction: one block for few items, one cluster for some more, two kernels for many. Which
// ranges of the input are combined, and in which order, follows from the number of items, their alignment to 16 bytes
// and the grid alone, so the result is the same to the bit from run to run. Blocks wait for one another only within a
// cluster, whose blocks run at the same time, so no forward progress between blocks is assumed.
#pragma once
#include <mgpu/detail/backend/reduce/ordered_reduction.cuh>
#include <mgpu/detail/backend/reduce/reduce_tile.cuh>
#include <mgpu/detail/backend/reduce/reorderable_reduction.cuh>
#include <mgpu/detail/backend/reduce/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/reorderable_operators.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// How the tiles of the input are shared out: each block has a span of neighbouring tiles, at least one, and the spans
// are in the order of the blocks.
struct tile_spans {
  std::int64_t tiles_per_span;
  int longer_spans;  // so many spans, the first ones, have one tile more

  __host__ __device__ tile_spans(std::int64_t tiles, std::int64_t num_spans)
      : tiles_per_span(tiles / num_spans), longer_spans(static_cast<int>(tiles % num_spans)) {}
  // Returns the first tile of a span, which is also the end of the span before.
  __device__ __forceinline__ std::int64_t begin(int span) const {
    return span * tiles_per_span + smaller(span, longer_spans);
  }
};

// How a block reduces: by whether the operator is reorderable.
template <class Tile, class T, class Source, class Op>
using block_reduction = std::conditional_t<is_reorderable<Op, T>, reorderable_reduction<Tile, T, Source, Op>,
                                           ordered_reduction<Tile, T, Source, Op>>;

// Writes *out = init op item 0 op item 1 ..., or the init if there are no items. The grid is one block, for at most a
// tile of units; it has all warps for which there are units, and one at least. The parameters that it reads are
// within 48 bytes for the usual types, so that they come as one line of the constant cache.
template <class Tuning, class T, class Source, class Op, class Output, class Init>
__global__ void __launch_bounds__(Tuning::at(current_arch()).single_block.threads, 1)
    reduce_block_kernel(Source source, int head, int tail, int units, Init init, Output out, Op op) {
  static_assert(
      Tuning::at(current_arch()).is_valid(),
      "mgpu: with_tuning: a reduction's blocks have whole warps, at most 32, and a row at least; a cluster has "
      "1 to 16 blocks, the other numbers are 1 at least");
  using storage = typename reduce_storage<Tuning, T>::template single_block<current_arch()>;
  block_reduction<storage, T, Source, Op> reduction(simt::shared<storage>(), source, op);
  reduction.read_ends({head, tail, units});
  reduction.reduce_tile(source, units);
  reduction.reduce_ends();
  reduction.write(init, out);
}

// Writes the same result. The grid is one cluster, whose blocks reduce a span each, and write their results to the
// first one's shared memory.
template <class Tuning, class T, class Source, class Op, class Output, class Init>
__global__ void __launch_bounds__(Tuning::at(current_arch()).single_block.threads, 1)
    reduce_cluster_kernel(Source source, reduce_input input, tile_spans spans, Init init, Op op, Output out) {
  using storage = typename reduce_storage<Tuning, T>::template cluster<current_arch()>;
  auto& shared = simt::shared<storage>();
  simt::arrive_cluster_relaxed();  // others may write to a block's shared memory only once it has started
  auto const rank = static_cast<int>(simt::cluster_rank());
  block_reduction<decltype(shared.tile), T, Source, Op> reduction(shared.tile, source, op);
  reduction.read_ends({rank == 0 ? input.head : 0, rank == 0 ? input.tail : 0, input.units});
  reduction.reduce_span(input.units, spans.begin(rank), spans.begin(rank + 1));

  simt::wait_cluster();
  if (simt::thread_rank() == 0) simt::in_cluster_block(shared.results[rank], 0) = reduction.result();
  simt::arrive_cluster();
  simt::wait_cluster();
  if (rank != 0 || simt::warp() != 0) return;
  reduction.reduce_ends();
  reduction.set_result(detail::warp_reduce_array(shared.results, static_cast<int>(simt::blocks_per_cluster()), op));
  reduction.write(init, out);
}

// The first of two kernels: each block of the grid reduces one span of the tiles, and writes the result to its
// partial.
template <class Tuning, class T, class Source, class Op>
__global__ void __launch_bounds__(Tuning::at(current_arch()).span.threads, Tuning::at(current_arch()).blocks_per_sm)
    reduce_spans_kernel(Source source, std::int64_t units, tile_spans spans, Op op, T* partials) {
  using storage = typename reduce_storage<Tuning, T>::template span<current_arch()>;
  simt::launch_dependents();  // the second kernel's block starts only once all blocks of this one have started
  auto const block = static_cast<int>(simt::block_rank());
  block_reduction<storage, T, Source, Op> reduction(simt::shared<storage>(), source, op);
  reduction.reduce_span(units, spans.begin(block), spans.begin(block + 1));
  if (simt::thread_rank() == 0) partials[block] = reduction.result();
}

// Reads the partials. A unit is one of them.
template <class T>
struct partials_source {
  using unit = T;
  T const* partials;

  __device__ __forceinline__ unit load_unit(std::int64_t i) const { return partials[i]; }
  template <class Op>
  __device__ __forceinline__ T fold(unit const& x, Op&) {
    return x;
  }
};

// The second kernel: one block, which has all warps for which there are partials, combines the partials with the head
// and the tail. It reads these two while the first kernel still runs, if it was launched early, and the partials once
// the first has ended. No line of L1 holds stale partials: waiting makes what the first wrote visible to plain loads,
// and nobody has read there since the first began.
template <class Tuning, class T, class Source, class Op, class Output, class Init>
__global__ void __launch_bounds__(Tuning::at(current_arch()).single_block.threads, 1)
    reduce_partials_kernel(Source source, reduce_input input, T const* partials, int num_partials, Init init, Op op,
                           Output out) {
  using storage = typename reduce_storage<Tuning, T>::template single_block<current_arch()>;
  block_reduction<storage, T, Source, Op> reduction(simt::shared<storage>(), source, op);
  reduction.read_ends(input);
  reduction.reduce_ends();
  simt::wait_for_primary();
  partials_source<T> from{partials};
  reduction.reduce_tile(from, num_partials);
  reduction.write(init, out);
}

}  // namespace mgpu::detail
