// The kernels of the reduction: one block for few items, one cluster for some more, two kernels for many. Order is
// kept everywhere: the operator is only ever called on what neighbouring ranges of the input came to, left one first,
// and nothing is padded; but for operators whose order cannot be told (order_free.h). Which ranges, and in which
// order they are combined, follows from the number of items, their alignment to 16 bytes and the grid alone, so the
// result is the same to the bit from run to run. No block waits for another that need not be running, so no forward
// progress between blocks is assumed.
#pragma once
#include <mgpu/detail/backend/reduce/reduce_tile.cuh>
#include <mgpu/detail/backend/reduce/source.cuh>
#include <mgpu/detail/backend/reduce/tuning.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/order_free.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/thread/partial_result.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cstdint>

namespace mgpu::detail {

// How the tiles of the input are shared out: neighbouring ones to each block, in order, and a tile at least.
struct tile_runs {
  std::int64_t tiles_per_run;
  int longer_runs;  // the first so many runs have a tile more

  __host__ __device__ tile_runs(std::int64_t tiles, std::int64_t num_runs)
      : tiles_per_run(tiles / num_runs), longer_runs(static_cast<int>(tiles % num_runs)) {}
  __device__ __forceinline__ std::int64_t begin(int run) const {
    return run * tiles_per_run + smaller(run, longer_runs);
  }
};

// By tuning and architecture: the tiles of a block of the grid, and of one that is alone or in a cluster.
template <class Tuning, class T, int arch>
using tiles_of_run = reduce_tiles<T, Tuning::at(arch).run.threads, Tuning::at(arch).run.rows>;
template <class Tuning, class T, int arch>
using lone_tiles = reduce_tiles<T, Tuning::at(arch).lone.threads, Tuning::at(arch).lone.rows>;

// The shared memory of each kernel.
template <class Tuning, class T>
struct reduce_storage {
  template <int arch>
  using run = typename tiles_of_run<Tuning, T, arch>::temp_storage;
  template <int arch>
  using lone = typename lone_tiles<Tuning, T, arch>::temp_storage;
  template <int arch>
  struct cluster {
    lone<arch> temp;
    T results[Tuning::at(arch).blocks_per_cluster];  // of its blocks, in the first
  };
};

// Thread 0 writes what everything came to, in any order.
template <class T, class Op, class Output>
__device__ __forceinline__ void write_result(T const& sum, T const& init, Op& op, Output& out) {
  if (simt::thread_rank() == 0) *out = static_cast<T>(op(init, sum));
}
// In order, the units' result, if there are any, and the ends'.
template <class T, class Ends, class Op, class Output>
__device__ __forceinline__ void write_result(partial_result<T>& result, Ends const& ends, T const& init, Op& op,
                                             Output& out) {
  if (simt::thread_rank() != 0) return;
  ends.add_to(result, op);
  if (result.any) {
    *out = static_cast<T>(op(init, result.value[0]));
  } else {
    *out = init;
  }
}

// *out = init, op, item 0, op, item 1, ...; init alone if there are no items. One block, for a tile of units at most;
// it has a warp at least, and all that the tile has units for. What it reads of its parameters is within 48 bytes for
// the usual types: then they come as one line of the constant cache.
template <class Tuning, class T, class Source, class Op, class Output>
__global__ void __launch_bounds__(Tuning::at(current_arch()).lone.threads, 1)
    reduce_block_kernel(Source source, int head, int tail, int units, T init, Output out, Op op) {
  using tiles = lone_tiles<Tuning, T, current_arch()>;
  auto& temp = simt::shared<typename tiles::temp_storage>();
  if constexpr (order_free<Op, T>::value) {
    ends_in_any_order<T, Source> const ends(source, head, tail, units);
    detail::write_result(tiles::reduce_tile_in_any_order(temp, source, units, ends, op), init, op, out);
  } else {
    bool const first_warp = simt::warp() == 0;
    input_ends<T, Source> ends(head, tail);
    if (first_warp) ends.read(source, units);
    partial_result<T> result;
    if (units > 0) tiles::reduce_tile(temp, source, units, result, op);
    if (!first_warp) return;
    ends.reduce(source, op);
    detail::write_result(result, ends, init, op, out);
  }
}

// The same by one cluster, whose blocks put their results into the first one's shared memory.
template <class Tuning, class T, class Source, class Op, class Output>
__global__ void __launch_bounds__(Tuning::at(current_arch()).lone.threads, 1)
    reduce_cluster_kernel(Source source, reduce_input input, tile_runs runs, T init, Op op, Output out) {
  using tiles = lone_tiles<Tuning, T, current_arch()>;
  using storage = typename reduce_storage<Tuning, T>::template cluster<current_arch()>;
  auto& shared = simt::shared<storage>();
  simt::arrive_cluster();  // as others write to this block's memory only once it has started
  bool const first_warp = simt::warp() == 0;
  auto const rank = static_cast<int>(simt::cluster_rank());
  auto const blocks = static_cast<int>(simt::blocks_per_cluster());
  constexpr int most_blocks = Tuning::at(current_arch()).blocks_per_cluster;
  auto const exchange = [&](T const& result) {
    simt::wait_cluster();
    if (simt::thread_rank() == 0) simt::in_cluster_block(shared.results[rank], 0) = result;
    simt::arrive_cluster();
    simt::wait_cluster();
  };
  if constexpr (order_free<Op, T>::value) {
    ends_in_any_order<T, Source> const ends(source, rank == 0 ? input.head : 0, rank == 0 ? input.tail : 0,
                                            input.units);
    exchange(tiles::reduce_run_in_any_order(shared.temp, source, input.units, runs.begin(rank), runs.begin(rank + 1),
                                            ends, op));
    if (rank != 0 || !first_warp) return;
    detail::write_result(detail::warp_reduce_range<most_blocks>(shared.results, blocks, op), init, op, out);
  } else {
    input_ends<T, Source> ends(input.head, input.tail);
    if (first_warp && rank == 0) ends.read(source, input.units);
    partial_result<T> result;
    tiles::reduce_run(shared.temp, source, input.units, runs.begin(rank), runs.begin(rank + 1), result, op);
    exchange(result.value[0]);
    if (rank != 0 || !first_warp) return;
    ends.reduce(source, op);
    result.value[0] = detail::warp_reduce_range<most_blocks>(shared.results, blocks, op);
    detail::write_result(result, ends, init, op, out);
  }
}

// The first of two kernels: each block reduces a run of the units.
template <class Tuning, class T, class Source, class Op>
__global__ void __launch_bounds__(Tuning::at(current_arch()).run.threads, Tuning::at(current_arch()).blocks_per_sm)
    reduce_runs_kernel(Source source, std::int64_t units, tile_runs runs, Op op, T* results) {
  using tiles = tiles_of_run<Tuning, T, current_arch()>;
  auto& temp = simt::shared<typename tiles::temp_storage>();
  simt::launch_dependents();  // the second takes a place only once all blocks of this one have theirs
  auto const block = static_cast<int>(simt::block_rank());
  if constexpr (order_free<Op, T>::value) {
    ends_in_any_order<T, Source> const none(source, 0, 0, units);
    T const sum =
        tiles::reduce_run_in_any_order(temp, source, units, runs.begin(block), runs.begin(block + 1), none, op);
    if (simt::thread_rank() == 0) results[block] = sum;
  } else {
    partial_result<T> result;
    tiles::reduce_run(temp, source, units, runs.begin(block), runs.begin(block + 1), result, op);
    if (simt::thread_rank() == 0) results[block] = result.value[0];
  }
}

// The second: one block, of as many warps as have results, combines them, and what is not in units, which it reads
// while the first still runs, if launched early. The results it reads once the first has ended. No line of L1 holds
// older ones: waiting makes what the first wrote visible to plain loads, and nobody has read there since it began.
template <class Tuning, class T, class Source, class Op, class Output>
__global__ void __launch_bounds__(Tuning::at(current_arch()).lone.threads, 1)
    reduce_results_kernel(Source source, reduce_input input, T const* results, int num_results, T init, Op op,
                          Output out) {
  using tiles = lone_tiles<Tuning, T, current_arch()>;
  auto& temp = simt::shared<typename tiles::temp_storage>();
  results_source<T> from{results};
  if constexpr (order_free<Op, T>::value) {
    ends_in_any_order<T, Source> const ends(source, input.head, input.tail, input.units);
    simt::wait_for_primary();
    detail::write_result(tiles::reduce_tile_in_any_order(temp, from, num_results, ends, op), init, op, out);
  } else {
    bool const first_warp = simt::warp() == 0;
    input_ends<T, Source> ends(input.head, input.tail);
    if (first_warp) {
      ends.read(source, input.units);
      ends.reduce(source, op);
    }
    simt::wait_for_primary();
    partial_result<T> result;
    tiles::reduce_tile(temp, from, num_results, result, op);
    if (first_warp) detail::write_result(result, ends, init, op, out);
  }
}

}  // namespace mgpu::detail
