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
#include <mgpu/detail/warp/reduce.cuh>
#include <cstdint>

namespace mgpu::detail {

template <class T, int threads_per_block>
struct reduce_storage {
  typename block_reduce<T, threads_per_block>::temp_storage temp;
  bool last;
};

// The shared memory of a block, per architecture.
template <class Tuning, class T>
struct reduce_blocks {
  template <int arch>
  using storage = reduce_storage<T, Tuning::at(arch).threads_per_block>;
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
};

// Op over the items so far, if there were any.
template <class T>
struct partial_result {
  uninitialized_array<T, 1> value;
  bool any = false;

  template <class Op>
  __device__ __forceinline__ void append(T const& right, Op& op) {
    if (any) {
      value[0] = op(value[0], right);
    } else {
      value[0] = right;
      any = true;
    }
  }
  template <class Op>
  __device__ __forceinline__ void prepend(T const& left, Op& op) {
    if (any) {
      value[0] = op(left, value[0]);
    } else {
      value[0] = left;
      any = true;
    }
  }
};

// How a block that has written its result learns whether all others have: true in the last one, which sees what the
// others wrote before. A template of the tuning, so that a test can show what the order of memory accesses is for.
template <class Tuning>
struct block_ticket {
  static __device__ __forceinline__ bool is_last(unsigned& blocks_done) {
    return simt::add_acq_rel(blocks_done, 1u) == simt::block_count() - 1;
  }
};

// One warp reduces the units [unit, end), in steps of `rows` rows; lane 0 appends to `result`. Called by all lanes.
template <int rows, class T, class Source, class Op>
__device__ __forceinline__ void reduce_units(Source& source, std::int64_t unit, std::int64_t end,
                                             partial_result<T>& result, Op& op) {
  int const lane = static_cast<int>(simt::lane());
  constexpr int step = rows * threads_per_warp;
  using units = uninitialized_array<typename Source::unit, rows>;

#pragma unroll 1
  for (; unit + step <= end; unit += step) {
    units loaded;
#pragma unroll
    for (int r = 0; r < rows; ++r) loaded[r] = source.load_unit(unit + r * threads_per_warp + lane);
    uninitialized_array<T, rows> values;
#pragma unroll
    for (int r = 0; r < rows; ++r) values[r] = source.fold(loaded[r], op);
    T const sum = warp_reduce_rows(values.items, op);
    if (lane == 0) result.append(sum, op);
  }

  // What is less than a step. Lanes without a unit of their own read the last one, and take no part.
  if (unit == end) return;
  int const left = static_cast<int>(end - unit);
  units loaded;
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

  std::int64_t const row = warp * shares.rows_per_warp + smaller(warp, shares.longer_warps);
  std::int64_t const next_row = row + shares.rows_per_warp + (warp < shares.longer_warps ? 1 : 0);
  reduce_units<rows>(source, row * threads_per_warp, smaller(next_row * threads_per_warp, shares.units), result, op);

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

// *out = init, op, item 0, op, item 1, ... for the items that are shared out; init alone if there are none.
// Every block has at least one warp that takes part. Blocks never wait for one another, so no forward progress
// between them is assumed: each writes its result to block_results and counts itself in blocks_done; the last
// combines them all. blocks_done is 0 before the launch and after it. A single block uses neither.
template <class Tuning, class T, class Source, class Op, class Output>
__global__ void __launch_bounds__(Tuning::at(current_arch()).threads_per_block,
                                  Tuning::at(current_arch()).blocks_per_sm)
    reduce_kernel(Source source, reduce_shares shares, T init, Op op, Output out, T* block_results,
                  unsigned* blocks_done) {
  constexpr reduce_tuning tuning = Tuning::at(current_arch());
  constexpr int threads = tuning.threads_per_block;
  constexpr int warps = threads / threads_per_warp;
  using block = block_reduce<T, threads>;
  auto& shared = simt::shared<reduce_storage<T, threads>>();
  int const thread = static_cast<int>(simt::thread_rank());
  if (shares.num_warps == 0) {
    if (thread == 0) *out = init;
    return;
  }

  int const first_warp = static_cast<int>(simt::block_rank()) * warps;
  int const warp = first_warp + static_cast<int>(simt::warp());
  partial_result<T> share;
  if (warp < shares.num_warps) reduce_share<tuning.rows_per_step>(source, shares, warp, share, op);
  uninitialized_array<T, 1> result;
  result[0] = block::reduce_warps(shared.temp, share.value[0], smaller(warps, shares.num_warps - first_warp), op);

  if (simt::block_count() > 1) {
    // The last block to come here goes on with the results of all.
    if (thread == 0) {
      block_results[simt::block_rank()] = result[0];
      shared.last = block_ticket<Tuning>::is_last(*blocks_done);
    }
    simt::sync_block();
    if (!shared.last) return;

    int const num_results = static_cast<int>(simt::block_count());
    int const per_thread = divide_up(num_results, threads);
    int const begin = smaller(thread * per_thread, num_results - 1);
    int const end = smaller(begin + per_thread, num_results);
    result[0] = block_results[begin];
    for (int i = begin + 1; i < end; ++i) result[0] = op(result[0], block_results[i]);
    result[0] = block::reduce(shared.temp, result[0], divide_up(num_results, per_thread), op);
    if (thread == 0) simt::store_relaxed(*blocks_done, 0u);
  }
  if (thread == 0) *out = op(init, result[0]);
}

}  // namespace mgpu::detail
