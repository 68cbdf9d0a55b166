// A block's reduction by a reorderable operator (core/reorderable.h): each lane reduces its own units of all tiles
// first, so that the next loads wait for no exchange between lanes. The code has few instructions and hardly a
// branch: in a short call instructions are fetched from far away, and a jump waits for them.
#pragma once
#include <mgpu/detail/backend/reduce/load_rows.cuh>
#include <mgpu/detail/backend/reduce/reduce_tile.cuh>
#include <mgpu/detail/block/reduce.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/reorderable_operators.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The reduction of one block. It has the functions of ordered_reduction, with the same contracts but for those below.
template <class Tile, class T, class Source, class Op>
class reorderable_reduction {
  static constexpr T identity = reorderable<Op, T>::identity;

 public:
  __device__ __forceinline__ reorderable_reduction(Tile& tile, Source& source, Op& op)
      : tile_(tile), source_(source), op_(op) {}

  // Reads the items of head and tail, which are fewer than the lanes of the first warp, so that each lane takes at most
  // one. They are reduced with the units.
  __device__ __forceinline__ void read_ends(reduce_input const& input) {
    auto const lane = static_cast<int>(simt::lane());
    has_end_ = Source::items_per_unit > 1 && simt::warp() == 0 && lane < input.head + input.tail;
    if (!has_end_) return;
    end_[0] = source_.load_item(lane < input.head ? lane : lane + input.units * Source::items_per_unit);
  }
  __device__ __forceinline__ void reduce_ends() {}

  // Reduces `units` units of `from`, at most a tile. The block need not have warps without units, but for the first.
  // Has a barrier.
  template <class From>
  __device__ __forceinline__ void reduce_tile(From& from, int units) {
    int const begin = static_cast<int>(simt::warp()) * Tile::units_per_warp;
    reduce_block(reduce_part(from, begin, units - begin));
  }

  // Reduces the units of tiles [tile, end) of the source, which has `units` units. Has a barrier.
  __device__ __forceinline__ void reduce_span(std::int64_t units, std::int64_t tile, std::int64_t end) {
    auto const warp = static_cast<int>(simt::warp());
    std::int64_t const whole_stop = smaller(end, units / Tile::units_per_tile);
    T sum = identity;
#pragma unroll 1
    for (; tile < whole_stop; ++tile) {
      std::int64_t const begin = tile * Tile::units_per_tile + warp * Tile::units_per_warp;
      auto const values = detail::load_rows<T, Tile::rows>(source_, begin, op_);
      T of_tile = values[0];  // a sum of its own for each tile keeps the rounding of floats small
#pragma unroll
      for (int r = 1; r < Tile::rows; ++r) of_tile = op_(of_tile, values[r]);
      sum = op_(sum, of_tile);
    }
    if (tile < end) {
      std::int64_t const begin = tile * Tile::units_per_tile + warp * Tile::units_per_warp;
      sum = op_(sum, reduce_part(source_, begin, static_cast<int>(units - begin)));
    }
    reduce_block(sum);
  }

  __device__ __forceinline__ T const& result() const { return result_[0]; }
  __device__ __forceinline__ void set_result(T const& result) { result_[0] = result; }

  template <class Init, class Output>
  __device__ __forceinline__ void write(Init const& init, Output& out) {
    if (simt::thread_rank() != 0) return;
    if constexpr (has_values<Init>) {
      *out = static_cast<T>(op_(init, result_[0]));
    } else {
      *out = result_[0];
    }
  }

 private:
  // Returns op over the calling lane's units of its warp's rows, which begin at `unit` and have `left` units; the
  // identity if none of them is the lane's.
  template <class From>
  __device__ __forceinline__ T reduce_part(From& from, std::int64_t unit, int left) {
    auto const lane = static_cast<int>(simt::lane());
    uninitialized_array<typename From::unit, Tile::rows> loaded;
#pragma unroll
    for (int r = 0; r < Tile::rows; ++r) {
      if (r * threads_per_warp + lane < left) loaded[r] = from.load_unit(unit + r * threads_per_warp + lane);
    }
    T sum = identity;
#pragma unroll
    for (int r = 0; r < Tile::rows; ++r) {
      if (r * threads_per_warp + lane < left) sum = op_(sum, from.fold(loaded[r], op_));
    }
    return sum;
  }

  // Reduces the values of all lanes of the block and the items of the ends. The result is valid in thread 0. Has a
  // barrier.
  __device__ __forceinline__ void reduce_block(T value) {
    if (has_end_) value = static_cast<T>(op_(value, source_.convert(end_[0])));
    result_[0] = detail::block_reduce(value, tile_.sums, op_);
  }

  Tile& tile_;
  Source& source_;
  Op& op_;
  bool has_end_ = false;
  uninitialized_array<typename Source::item, 1> end_;
  uninitialized_array<T, 1> result_;
};

}  // namespace mgpu::detail
