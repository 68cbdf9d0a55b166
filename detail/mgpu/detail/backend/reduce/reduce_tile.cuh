// A block reduces a tile at a time, which consists of units: a unit is what one thread loads at once
// (vector_source.cuh, item_source.cuh). Each warp takes some rows of 32 units.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

// How many items of the input come before the first unit, the head, and after the last, the tail; and how many units
// lie between.
struct reduce_input {
  int head;
  int tail;
  std::int64_t units;
};

// The shape of a tile and, as an object, the shared memory of a block.
template <class T, int threads, int rows_>
struct reduce_tile {
  static constexpr int rows = rows_;
  static constexpr int num_warps = threads / threads_per_warp;
  static constexpr int units_per_warp = rows * threads_per_warp;
  static constexpr int units_per_tile = threads * rows;
  // The results of so many tiles have room: at most one for each thread, and at most 16 KB.
  static constexpr int fitting = (16 << 10) / (num_warps * static_cast<int>(sizeof(T)));
  static constexpr int tiles_at_a_time = smaller(larger(fitting, 1), threads_per_warp);

  T sums[tiles_at_a_time * num_warps];  // the table of the warps' results
};

// The shared memory of each kernel, by tuning and architecture: the tile of a block that reduces a span, and that of a
// single block, which is also that of a cluster's blocks and of the block that combines results.
template <class Tuning, class T>
struct reduce_storage {
  template <int arch>
  using span = reduce_tile<T, Tuning::at(arch).span.threads, Tuning::at(arch).span.rows>;
  template <int arch>
  using single_block = reduce_tile<T, Tuning::at(arch).single_block.threads, Tuning::at(arch).single_block.rows>;
  template <int arch>
  struct cluster {
    single_block<arch> tile;
    T results[Tuning::at(arch).blocks_per_cluster];  // in the first block: the results of all blocks
  };
};

}  // namespace mgpu::detail
