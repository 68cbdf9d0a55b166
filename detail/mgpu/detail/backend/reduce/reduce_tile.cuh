// The shape of a block that reduces units of the input (source.cuh), and how a lane reads its own units. A block goes
// through tiles, of which each warp takes some rows of 32 units.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

template <class T, int threads, int rows_>
struct reduce_tiles {
  static_assert(threads % threads_per_warp == 0 && threads <= 1024, "mgpu: a block reduces with whole warps");
  static constexpr int rows = rows_;
  static constexpr int num_warps = threads / threads_per_warp;
  static constexpr int units_per_warp = rows * threads_per_warp;
  static constexpr int units_per_tile = threads * rows;
  // The results of as many tiles as the table has room for are reduced at a time: the table has at most one result
  // for each thread, and at most 16 KB.
  static constexpr int fitting = (16 << 10) / (num_warps * static_cast<int>(sizeof(T)));
  static constexpr int tiles_at_a_time = smaller(larger(fitting, 1), threads_per_warp);

  // The table of the warps' results.
  struct temp_storage {
    T sums[tiles_at_a_time * num_warps];
  };

  // Returns the calling lane's units of its warp's rows, each folded to one value. The rows are full, and begin at
  // `unit`.
  template <class Source, class Op>
  static __device__ __forceinline__ uninitialized_array<T, rows> load_lane(Source& source, std::int64_t unit,
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
};

// How many items of the input come before the first unit, the head, and after the last, the tail; and how many units
// lie between.
struct reduce_input {
  int head;
  int tail;
  std::int64_t units;
};

}  // namespace mgpu::detail
