// A block's reduction by an operator that may not be reordered: it is only called on the results of neighbouring
// ranges of the input, the left one first. Warps write the results of their rows to a table in shared memory, which
// the first warp reduces.
#pragma once
#include <mgpu/detail/backend/reduce/load_rows.cuh>
#include <mgpu/detail/backend/reduce/reduce_tile.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/partial_result.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <mgpu/detail/warp/reduce_rows.cuh>
#include <mgpu/detail/warp/shuffle.cuh>
#include <cstdint>

namespace mgpu::detail {

// One warp's reduction of the items before the first unit, the head, and after the last, the tail. All lanes of the
// warp call each function.
template <class T, class Source>
class ordered_ends {
  static constexpr int half_warp = threads_per_warp / 2;
  static_assert(Source::items_per_unit <= half_warp, "the items at either end are read by half a warp each");

 public:
  // Reads the items, early, so that this load is in flight together with those of the units.
  __device__ __forceinline__ void read(Source& source, reduce_input const& input) {
    head_ = input.head;
    tail_ = input.tail;
    if (!any()) return;
    auto const lane = static_cast<int>(simt::lane());
    bool const in_head = tail_ == 0 || (head_ > 0 && lane < half_warp);
    std::int64_t const tail_begin = head_ + input.units * Source::items_per_unit;
    item_[0] = source.load_item(in_head ? smaller(lane % half_warp, head_ - 1)
                                        : tail_begin + smaller(lane % half_warp, tail_ - 1));
  }
  // Reduces head and tail, each on its own. The results are valid in lane 0.
  template <class Op>
  __device__ __forceinline__ void reduce(Source& source, Op& op) {
    if (!any()) return;
    T const value = source.convert(item_[0]);
    if (head_ > 0) head_sum_[0] = detail::warp_reduce(value, head_, op);
    if (tail_ > 0) {
      auto const lane = static_cast<int>(simt::lane());
      tail_sum_[0] = detail::warp_reduce(detail::shuffle(value, lane % half_warp + half_warp), tail_, op);
    }
  }
  // Puts head and tail before and after `result`, which covers the units between. Valid in lane 0.
  template <class Op>
  __device__ __forceinline__ void add_to(partial_result<T>& result, Op& op) const {
    if (!any()) return;
    if (head_ > 0) result.prepend(head_sum_[0], op);
    if (tail_ > 0) result.append(tail_sum_[0], op);
  }

 private:
  __device__ __forceinline__ bool any() const { return Source::items_per_unit > 1 && head_ + tail_ > 0; }

  int head_ = 0;
  int tail_ = 0;
  uninitialized_array<typename Source::item, 1> item_;
  uninitialized_array<T, 1> head_sum_;
  uninitialized_array<T, 1> tail_sum_;
};

// The reduction of one block. Its functions are called by all threads of the block, in the order of their declaration
// unless they say otherwise.
template <class Tile, class T, class Source, class Op>
class ordered_reduction {
 public:
  __device__ __forceinline__ ordered_reduction(Tile& tile, Source& source, Op& op)
      : tile_(tile), source_(source), op_(op) {}

  // Reads the items of head and tail, in a block that is to include them.
  __device__ __forceinline__ void read_ends(reduce_input const& input) {
    if (simt::warp() == 0) ends_.read(source_, input);
  }
  // Reduces head and tail. It may be called at any time before write().
  __device__ __forceinline__ void reduce_ends() {
    if (simt::warp() == 0) ends_.reduce(source_, op_);
  }

  // Appends `units` units of `from`, at most a tile. The block need not have warps for which there are no units. Has
  // a barrier, unless there are no units.
  template <class From>
  __device__ __forceinline__ void reduce_tile(From& from, int units) {
    if (units == 0) return;
    int const num_sums = reduce_part(tile_.sums, from, 0, units);
    simt::sync_block();
    append_sums<Tile::num_warps>(num_sums);
  }

  // Appends the units of tiles [tile, end) of the source, which has `units` units, so that its last tile may not be
  // full. tile < end. Has barriers; one more is owed before the shared memory is written again.
  __device__ __forceinline__ void reduce_span(std::int64_t units, std::int64_t tile, std::int64_t end) {
    auto const warp = static_cast<int>(simt::warp());
    std::int64_t const whole_tiles = units / Tile::units_per_tile;
    while (true) {
      std::int64_t const stop = smaller(tile + Tile::tiles_at_a_time, end);
      std::int64_t const whole_stop = smaller(stop, whole_tiles);
      int num_sums = 0;
#pragma unroll 1
      for (; tile < whole_stop; ++tile, num_sums += Tile::num_warps) {
        T const sum = reduce_rows(source_, tile * Tile::units_per_tile + warp * Tile::units_per_warp);
        if (simt::lane() == 0) tile_.sums[num_sums + warp] = sum;
      }
      if (tile < stop) {
        std::int64_t const begin = tile * Tile::units_per_tile;
        num_sums += reduce_part(tile_.sums + num_sums, source_, begin, static_cast<int>(units - begin));
        ++tile;
      }
      simt::sync_block();
      append_sums<Tile::tiles_at_a_time * Tile::num_warps>(num_sums);
      if (tile == end) return;
      simt::sync_block();
    }
  }

  // result() returns op over the units so far, if there were any; it is valid in thread 0. set_result() replaces it,
  // which is how the results of other blocks are included.
  __device__ __forceinline__ T const& result() const { return result_.value[0]; }
  __device__ __forceinline__ void set_result(T const& result) { result_.value[0] = result; }

  // Writes *out = init op item 0 op item 1 ..., or the init if there are no items, or the items alone if there is no
  // init. Thread 0 writes.
  template <class Init, class Output>
  __device__ __forceinline__ void write(Init const& init, Output& out) {
    if (simt::thread_rank() != 0) return;
    ends_.add_to(result_, op_);
    if constexpr (!has_values<Init>) {
      *out = result_.value[0];
    } else if (result_.any) {
      *out = static_cast<T>(op_(init, result_.value[0]));
    } else {
      *out = init;
    }
  }

 private:
  // Returns op over a warp's rows, which are full and begin at `unit`. Valid in lane 0.
  template <class From>
  __device__ __forceinline__ T reduce_rows(From& from, std::int64_t unit) {
    auto values = detail::load_rows<T, Tile::rows>(from, unit, op_);
    return detail::warp_reduce_rows(values.items, Tile::units_per_warp, op_);
  }

  // Writes the result of each warp's rows to `sums`, for a tile that has `units` units from `begin` on. Returns how
  // many results there are. Lanes without a unit read the warp's last one instead, and take no part in the reduction:
  // a test for each load would make the loads wait for each other.
  template <class From>
  __device__ __forceinline__ int reduce_part(T* sums, From& from, std::int64_t begin, int units) {
    auto const warp = static_cast<int>(simt::warp());
    auto const lane = static_cast<int>(simt::lane());
    int const left = units - warp * Tile::units_per_warp;
    std::int64_t const unit = begin + warp * Tile::units_per_warp;
    if (left >= Tile::units_per_warp) {  // all rows are full, so that lanes need no test
      T const sum = reduce_rows(from, unit);
      if (lane == 0) sums[warp] = sum;
    } else if (left > 0) {
      uninitialized_array<typename From::unit, Tile::rows> loaded;
#pragma unroll
      for (int r = 0; r < Tile::rows; ++r) {
        loaded[r] = from.load_unit(unit + smaller(r * threads_per_warp + lane, left - 1));
      }
      uninitialized_array<T, Tile::rows> values;
#pragma unroll
      for (int r = 0; r < Tile::rows; ++r) values[r] = from.fold(loaded[r], op_);
      T const sum = detail::warp_reduce_rows(values.items, left, op_);
      if (lane == 0) sums[warp] = sum;
    }
    return divide_up(units, Tile::units_per_warp);
  }

  // Appends the first `count` results of the table, at most `most`, to that of thread 0.
  template <int most>
  __device__ __forceinline__ void append_sums(int count) {
    if (simt::warp() != 0) return;
    T const sum = detail::warp_reduce_range<most>(tile_.sums, count, op_);
    if (simt::lane() == 0) result_.append(sum, op_);
  }

  Tile& tile_;
  Source& source_;
  Op& op_;
  ordered_ends<T, Source> ends_;
  partial_result<T> result_;
};

}  // namespace mgpu::detail
