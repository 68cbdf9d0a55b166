// How a block reduces units of the input (source.cuh): in tiles, of which each warp takes some rows of 32 units, and
// leaves what they came to in a table in shared memory. The first warp reduces that. Where nobody can tell the order
// (order_free.h), each lane reduces its own first, of all tiles, so that the next loads wait for no exchange.
#pragma once
#include <mgpu/detail/backend/reduce/source.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/order_free.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/thread/partial_result.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cstdint>

namespace mgpu::detail {

template <class T, int threads, int rows>
struct reduce_tiles {
  static_assert(threads % threads_per_warp == 0 && threads <= 1024, "mgpu: a block reduces with whole warps");
  static constexpr int num_warps = threads / threads_per_warp;
  static constexpr int units_per_warp = rows * threads_per_warp;
  static constexpr int units_per_tile = threads * rows;
  // Until the table is full: a value for each thread, but no more than 16 KB.
  static constexpr int fitting = (16 << 10) / (num_warps * static_cast<int>(sizeof(T)));
  static constexpr int tiles_at_a_time = smaller(larger(fitting, 1), threads_per_warp);

  struct temp_storage {
    T sums[tiles_at_a_time * num_warps];
  };

  // Thread 0 appends op over the units of tiles [tile, end) to `result`; of all `units` of the input, that is: the
  // last tile need not be whole. Called by all threads, of which there are `threads`; tile < end. A barrier is owed
  // after it, before `temp` is written.
  template <class Source, class Op>
  static __device__ __forceinline__ void reduce_run(temp_storage& temp, Source& source, std::int64_t units,
                                                    std::int64_t tile, std::int64_t end, partial_result<T>& result,
                                                    Op& op) {
    auto const warp = static_cast<int>(simt::warp());
    std::int64_t const whole_tiles = units / units_per_tile;
    while (true) {
      std::int64_t const stop = smaller(tile + tiles_at_a_time, end);
      std::int64_t const whole_stop = smaller(stop, whole_tiles);
      int num_sums = 0;
#pragma unroll 1
      for (; tile < whole_stop; ++tile, num_sums += num_warps) {
        T const sum = reduce_rows(source, tile * units_per_tile + warp * units_per_warp, op);
        if (simt::lane() == 0) temp.sums[num_sums + warp] = sum;
      }
      if (tile < stop) {
        std::int64_t const begin = tile * units_per_tile;
        num_sums += reduce_part(temp.sums + num_sums, source, begin, static_cast<int>(units - begin), op);
        ++tile;
      }
      simt::sync_block();
      append_sums<tiles_at_a_time * num_warps>(temp, num_sums, result, op);
      if (tile == end) return;
      simt::sync_block();
    }
  }

  // The same of `units` units in all, 1 <= units <= units_per_tile. Warps without a unit may be missing.
  template <class Source, class Op>
  static __device__ __forceinline__ void reduce_tile(temp_storage& temp, Source& source, int units,
                                                     partial_result<T>& result, Op& op) {
    int const num_sums = reduce_part(temp.sums, source, 0, units, op);
    simt::sync_block();
    append_sums<num_warps>(temp, num_sums, result, op);
  }

  // As reduce_run, and with `ends`, in any order. Thread 0 returns what it comes to.
  template <class Source, class Ends, class Op>
  static __device__ __forceinline__ T reduce_run_in_any_order(temp_storage& temp, Source& source, std::int64_t units,
                                                              std::int64_t tile, std::int64_t end, Ends const& ends,
                                                              Op& op) {
    auto const warp = static_cast<int>(simt::warp());
    std::int64_t const whole_stop = smaller(end, units / units_per_tile);
    T sum = order_free<Op, T>::identity;
#pragma unroll 1
    for (; tile < whole_stop; ++tile) {
      auto const values = values_of_lane(source, tile * units_per_tile + warp * units_per_warp, op);
      T of_tile = values[0];  // which keeps the rounding of floats small
#pragma unroll
      for (int r = 1; r < rows; ++r) of_tile = op(of_tile, values[r]);
      sum = op(sum, of_tile);
    }
    if (tile < end) {
      std::int64_t const begin = tile * units_per_tile + warp * units_per_warp;
      sum = op(sum, value_of_lane_in_part(source, begin, static_cast<int>(units - begin), op));
    }
    return reduce_lanes(temp, ends.add_to(sum, op), op);
  }

  // As reduce_tile, and with `ends`, in any order. Thread 0 returns what it comes to. Warps without a unit may be
  // missing, but for the first. There are few instructions and hardly a branch: in a short call instructions come from
  // far away, and a jump waits for them.
  template <class Source, class Ends, class Op>
  static __device__ __forceinline__ T reduce_tile_in_any_order(temp_storage& temp, Source& source, int units,
                                                               Ends const& ends, Op& op) {
    int const begin = static_cast<int>(simt::warp()) * units_per_warp;
    return reduce_lanes(temp, ends.add_to(value_of_lane_in_part(source, begin, units - begin, op), op), op);
  }

 private:
  // What the rows of one warp, all of which are there, come to in a lane, from the warp's first unit on.
  template <class Source, class Op>
  static __device__ __forceinline__ uninitialized_array<T, rows> values_of_lane(Source& source, std::int64_t unit,
                                                                                Op& op) {
    auto const lane = static_cast<int>(simt::lane());
    uninitialized_array<typename Source::unit, rows> loaded;
#pragma unroll
    for (int r = 0; r < rows; ++r) loaded[r] = source.load_unit(unit + r * threads_per_warp + lane);
    uninitialized_array<T, rows> values;
#pragma unroll
    for (int r = 0; r < rows; ++r) values[r] = source.fold(loaded[r], op);
    return values;
  }
  // Lane 0 gets op over all of them.
  template <class Source, class Op>
  static __device__ __forceinline__ T reduce_rows(Source& source, std::int64_t unit, Op& op) {
    auto values = values_of_lane(source, unit, op);
    return detail::warp_reduce_rows(values.items, units_per_warp, op);
  }
  // What a warp's rows, of which `left` units are there, come to in a lane: the identity where it has none.
  template <class Source, class Op>
  static __device__ __forceinline__ T value_of_lane_in_part(Source& source, std::int64_t unit, int left, Op& op) {
    auto const lane = static_cast<int>(simt::lane());
    uninitialized_array<typename Source::unit, rows> loaded;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (r * threads_per_warp + lane < left) loaded[r] = source.load_unit(unit + r * threads_per_warp + lane);
    }
    T sum = order_free<Op, T>::identity;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (r * threads_per_warp + lane < left) sum = op(sum, source.fold(loaded[r], op));
    }
    return sum;
  }

  // Thread 0 gets op over what all lanes of the block have, in any order.
  template <class Op>
  static __device__ __forceinline__ T reduce_lanes(temp_storage& temp, T value, Op& op) {
    auto const warp = simt::warp();
    T const sum = detail::warp_reduce(value, threads_per_warp, op);
    if (simt::lane() == 0) temp.sums[warp] = sum;
    simt::sync_block();
    if (warp != 0) return sum;
    return detail::warp_reduce_range<num_warps>(temp.sums,
                                                static_cast<int>(simt::threads_per_block()) / threads_per_warp, op);
  }

  // A tile of which `units` units are there, from `begin` on: its warps' results to `sums`. Returns how many. Lanes
  // without a unit of their own read the last one, and take no part: a test for each load would make them wait for
  // each other.
  template <class Source, class Op>
  static __device__ __forceinline__ int reduce_part(T* sums, Source& source, std::int64_t begin, int units, Op& op) {
    auto const warp = static_cast<int>(simt::warp());
    auto const lane = static_cast<int>(simt::lane());
    int const left = units - warp * units_per_warp;
    std::int64_t const unit = begin + warp * units_per_warp;
    if (left >= units_per_warp) {  // all rows are there: no test for each lane
      T const sum = reduce_rows(source, unit, op);
      if (lane == 0) sums[warp] = sum;
    } else if (left > 0) {
      uninitialized_array<typename Source::unit, rows> loaded;
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        loaded[r] = source.load_unit(unit + smaller(r * threads_per_warp + lane, left - 1));
      }
      uninitialized_array<T, rows> values;
#pragma unroll
      for (int r = 0; r < rows; ++r) values[r] = source.fold(loaded[r], op);
      T const sum = detail::warp_reduce_rows(values.items, left, op);
      if (lane == 0) sums[warp] = sum;
    }
    return divide_up(units, units_per_warp);
  }

  template <int most, class Op>
  static __device__ __forceinline__ void append_sums(temp_storage& temp, int count, partial_result<T>& result,
                                                     Op& op) {
    if (simt::warp() != 0) return;
    T const sum = detail::warp_reduce_range<most>(temp.sums, count, op);
    if (simt::lane() == 0) result.append(sum, op);
  }
};

// What the input consists of: so many items before the first unit, so many after the last, and the units between.
struct reduce_input {
  int head;
  int tail;
  std::int64_t units;
};

// The items before the first unit and after the last, of which one warp takes care. All is called by all its lanes.
template <class T, class Source>
class input_ends {
  static constexpr int half_warp = threads_per_warp / 2;
  static_assert(Source::items_per_unit <= half_warp, "the items at either end are read by half a warp each");

 public:
  __device__ __forceinline__ input_ends(int head, int tail) : head_(head), tail_(tail) {}

  // Reads ahead, as one load takes as long as many.
  __device__ __forceinline__ void read(Source& source, std::int64_t units) {
    if (!any()) return;
    auto const lane = static_cast<int>(simt::lane());
    bool const in_head = tail_ == 0 || (head_ > 0 && lane < half_warp);
    std::int64_t const tail_begin = head_ + units * Source::items_per_unit;
    item_[0] = source.load_item(in_head ? smaller(lane % half_warp, head_ - 1)
                                        : tail_begin + smaller(lane % half_warp, tail_ - 1));
  }
  // Lane 0 gets op over the items of either end.
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
  // For lane 0: puts them round what is between.
  template <class Op>
  __device__ __forceinline__ void add_to(partial_result<T>& result, Op& op) const {
    if (!any()) return;
    if (head_ > 0) result.prepend(head_sum_[0], op);
    if (tail_ > 0) result.append(tail_sum_[0], op);
  }

 private:
  __device__ __forceinline__ bool any() const { return Source::items_per_unit > 1 && head_ + tail_ > 0; }

  int head_;
  int tail_;
  uninitialized_array<typename Source::item, 1> item_;
  uninitialized_array<T, 1> head_sum_;
  uninitialized_array<T, 1> tail_sum_;
};

// The same where any order will do: fewer than lanes, so that each lane of the first warp takes one. Called by all
// threads.
template <class T, class Source>
class ends_in_any_order {
 public:
  __device__ __forceinline__ ends_in_any_order(Source& source, int head, int tail, std::int64_t units)
      : source_(source) {
    auto const lane = static_cast<int>(simt::lane());
    has_item_ = Source::items_per_unit > 1 && simt::warp() == 0 && lane < head + tail;
    if (has_item_) item_[0] = source.load_item(lane < head ? lane : lane + units * Source::items_per_unit);
  }
  template <class Op>
  __device__ __forceinline__ T add_to(T sum, Op& op) const {
    return has_item_ ? static_cast<T>(op(sum, source_.convert(item_[0]))) : sum;
  }

 private:
  Source& source_;
  bool has_item_;
  uninitialized_array<typename Source::item, 1> item_;
};

}  // namespace mgpu::detail
