// The kernel of the reduction. Order is kept everywhere: the operator is only ever called on what neighbouring ranges
// of the input came to, left one first; nothing is padded. Which ranges, and in which order they are combined,
// follows from the number of items, their alignment to 16 bytes and the grid alone, so the result is the same to the
// bit from run to run.
#pragma once
#include <mgpu/detail/backend/reduce/source.cuh>
#include <mgpu/detail/backend/reduce/tuning.h>
#include <mgpu/detail/block/reduce.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/atomic.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/grid/look_back.cuh>
#include <mgpu/detail/thread/partial_result.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cstdint>

namespace mgpu::detail {

template <class T, class Tuning, int arch>
struct reduce_storage {
  static constexpr reduce_tuning tuning = Tuning::at(arch);
  typename block_reduce<T, tuning.threads_per_block>::temp_storage temp;
  T cluster[tuning.blocks_per_cluster];  // the results of its blocks, in the first
  bool last;
};

// The shared memory of a block, per architecture.
template <class Tuning, class T>
struct reduce_blocks {
  template <int arch>
  using storage = reduce_storage<T, Tuning, arch>;
};

// How the input is shared out: so many items before the first unit, so many units, so many items after the last; rows
// of 32 units, of which the warps of the grid, in order, take neighbouring ones. Warps from num_warps on take no
// part.
struct reduce_shares {
  int head;
  int tail;
  int num_warps;
  int longer_warps;            // the first so many take a row more than ...
  std::int64_t rows_per_warp;  // ... these
  std::int64_t units;

  __device__ __forceinline__ std::int64_t first_unit(int warp) const {
    std::int64_t const row = warp * rows_per_warp + smaller(warp, longer_warps);
    return smaller(row * threads_per_warp, units);
  }
};

// Shares the units out to as many warps as there are rows, and no more than most_warps.
__host__ __device__ inline reduce_shares share_out(int head, std::int64_t units, int tail, std::int64_t most_warps) {
  std::int64_t const num_rows = divide_up<std::int64_t>(units, threads_per_warp);
  auto const num_warps = static_cast<int>(smaller(most_warps, larger<std::int64_t>(num_rows, 1)));
  return {head, tail, num_warps, static_cast<int>(num_rows % num_warps), num_rows / num_warps, units};
}

// How a block that has written its result learns whether all others have: true in the last one, which sees what the
// others wrote before. A template of the tuning, so that a test can show what the order of memory accesses is for.
template <class Tuning>
struct block_ticket {
  static __device__ __forceinline__ bool is_last(std::uint64_t& blocks_done) {
    return simt::add_acq_rel<std::uint64_t>(blocks_done, 1) == simt::block_count() - 1;
  }
};

// Less than a step: op over the last `left` units, from `unit` on, of which there is at least one. Lanes without a unit
// of their own read the last one, and take no part.
template <int rows, class T, class Source, class Op>
__device__ __forceinline__ void reduce_last_units(Source& source, std::int64_t unit, int left,
                                                  partial_result<T>& result, Op& op) {
  if constexpr (rows > 1) {
    if (left <= rows / 2 * threads_per_warp) return reduce_last_units<rows / 2>(source, unit, left, result, op);
  }
  int const lane = static_cast<int>(simt::lane());
  uninitialized_array<typename Source::unit, rows> loaded;
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    loaded[r] = source.load_unit(unit + smaller(r * threads_per_warp + lane, left - 1));
  }
  uninitialized_array<T, rows> sums;
#pragma unroll
  for (int r = 0; r < rows; ++r) sums[r] = source.fold(loaded[r], op);
  warp_reduce_each_row(sums.items, left, op);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    if (lane == 0 && r * threads_per_warp < left) result.append(sums[r], op);
  }
}

// One warp reduces the units [unit, end), in steps of `rows` rows; lane 0 appends to `result`. Called by all lanes.
template <int rows, class T, class Source, class Op>
__device__ __forceinline__ void reduce_units(Source& source, std::int64_t unit, std::int64_t end,
                                             partial_result<T>& result, Op& op) {
  int const lane = static_cast<int>(simt::lane());
  constexpr int step = rows * threads_per_warp;
#pragma unroll 1
  for (; unit + step <= end; unit += step) {
    uninitialized_array<typename Source::unit, rows> loaded;
#pragma unroll
    for (int r = 0; r < rows; ++r) loaded[r] = source.load_unit(unit + r * threads_per_warp + lane);
    uninitialized_array<T, rows> values;
#pragma unroll
    for (int r = 0; r < rows; ++r) values[r] = source.fold(loaded[r], op);
    T const sum = warp_reduce_rows(values.items, op);
    if (lane == 0) result.append(sum, op);
  }
  if (unit < end) reduce_last_units<rows>(source, unit, static_cast<int>(end - unit), result, op);
}

// One warp, of those that take part, reduces its share of the input: the first takes the items before the first unit
// too, the last those after the last. Lane 0 gets the result, which is empty before. Called by all lanes.
template <int rows, class T, class Source, class Op>
__device__ __forceinline__ void reduce_share(Source& source, reduce_shares const& shares, int warp,
                                             partial_result<T>& result, Op& op) {
  constexpr int half_warp = threads_per_warp / 2;
  static_assert(Source::items_per_unit <= half_warp, "the items at either end are read by half a warp each");
  int const lane = static_cast<int>(simt::lane());
  int const head = warp == 0 ? shares.head : 0;
  int const tail = warp == shares.num_warps - 1 ? shares.tail : 0;

  // The ends are read ahead, as one load takes as long as many: the head by the lower half of the lanes.
  uninitialized_array<typename Source::item, 1> end_item;
  bool const has_ends = Source::items_per_unit > 1 && head + tail > 0;
  if (has_ends) {
    bool const in_head = tail == 0 || (head > 0 && lane < half_warp);
    std::int64_t const tail_begin = shares.head + shares.units * Source::items_per_unit;
    end_item[0] = source.load_item(in_head ? smaller(lane % half_warp, head - 1)
                                           : tail_begin + smaller(lane % half_warp, tail - 1));
  }

  reduce_units<rows>(source, shares.first_unit(warp), shares.first_unit(warp + 1), result, op);

  if (has_ends) {
    T const value = source.convert(end_item[0]);
    if (head > 0) {
      T const sum = warp_reduce(value, head, op);
      if (lane == 0) result.prepend(sum, op);
    }
    if (tail > 0) {
      T const sum = warp_reduce(shuffle(value, lane % half_warp + half_warp), tail, op);
      if (lane == 0) result.append(sum, op);
    }
  }
}

// How the blocks of a grid hand their results on, in scratch memory. Blocks never wait for one another, so no forward
// progress between them is assumed: each leaves its result and counts itself; the last combines them all.
template <class T>
struct reduce_results {
  std::uint64_t* blocks_done;  // zero before the launch
  T* ordered;                  // written before the block counts itself ...
  tile_aggregates<T> marked;   // ... or, where there are few, with a mark each, zero before the launch: a fence less
};

// *out = init, op, item 0, op, item 1, ... for the items that are shared out; init alone if there are none.
// Every block has at least one warp that takes part. The blocks of a cluster put their results into the first one's
// shared memory.
template <class Tuning, class T, class Source, class Op, class Output>
__global__ void __launch_bounds__(Tuning::at(current_arch()).threads_per_block,
                                  Tuning::at(current_arch()).blocks_per_sm)
    reduce_kernel(Source source, reduce_shares shares, T init, Op op, Output out, reduce_results<T> results) {
  constexpr reduce_tuning tuning = Tuning::at(current_arch());
  constexpr int threads = tuning.threads_per_block;
  constexpr int warps = threads / threads_per_warp;
  constexpr bool is_for_few = tuning.blocks_per_cluster > 1;
  using block = block_reduce<T, threads>;
  auto& shared = simt::shared<reduce_storage<T, Tuning, current_arch()>>();
  int const thread = static_cast<int>(simt::thread_rank());
  int const warp_in_block = static_cast<int>(simt::warp());
  if (shares.num_warps == 0) {
    if (thread == 0) *out = init;
    return;
  }
  bool const in_cluster = is_for_few && simt::blocks_per_cluster() > 1;
  if (in_cluster) simt::arrive_cluster();  // as others write to this block's memory only once it has started

  int const first_warp = static_cast<int>(simt::block_rank()) * warps;
  partial_result<T> share;
  if (first_warp + warp_in_block < shares.num_warps) {
    reduce_share<tuning.rows_per_step>(source, shares, first_warp + warp_in_block, share, op);
  }
  uninitialized_array<T, 1> result;
  result[0] = block::reduce_warps(shared.temp, share.value[0], smaller(warps, shares.num_warps - first_warp), op);

  if (in_cluster) {
    auto const blocks = static_cast<int>(simt::blocks_per_cluster());
    simt::wait_cluster();
    if (thread == 0) simt::in_cluster_block(shared.cluster[simt::cluster_rank()], 0) = result[0];
    simt::arrive_cluster();
    simt::wait_cluster();
    if (simt::cluster_rank() != 0 || warp_in_block != 0) return;
    result[0] = warp_reduce(shared.cluster[smaller(thread, blocks - 1)], blocks, op);
  } else if (simt::block_count() > 1) {
    auto const blocks = static_cast<int>(simt::block_count());
    if (thread == 0) {
      if constexpr (is_for_few) {
        results.marked.publish(simt::block_rank(), result[0]);
        shared.last = simt::add_relaxed<std::uint64_t>(*results.blocks_done, 1) == simt::block_count() - 1;
      } else {
        results.ordered[simt::block_rank()] = result[0];
        shared.last = block_ticket<Tuning>::is_last(*results.blocks_done);
      }
    }
    simt::sync_block();
    if (!shared.last) return;

    int const per_thread = divide_up(blocks, threads);
    int const begin = smaller(thread * per_thread, blocks - 1);
    int const end = smaller(begin + per_thread, blocks);
    auto const result_of = [&](int of) {
      if constexpr (is_for_few) {
        return results.marked.await(of);
      } else {
        return results.ordered[of];
      }
    };
    result[0] = result_of(begin);
    for (int i = begin + 1; i < end; ++i) result[0] = op(result[0], result_of(i));
    result[0] = block::reduce(shared.temp, result[0], divide_up(blocks, per_thread), op);
  }
  if (thread == 0) *out = op(init, result[0]);
}

}  // namespace mgpu::detail
