// A warp loads its rows of a tile.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Returns the calling lane's units of its warp's rows, each folded to one value. The rows are full, and begin at
// `unit`.
template <class T, int rows, class Source, class Op>
__device__ __forceinline__ uninitialized_array<T, rows> load_rows(Source& source, std::int64_t unit, Op& op) {
  auto const lane = static_cast<int>(simt::lane());
  uninitialized_array<typename Source::unit, rows> loaded;
#pragma unroll
  for (int r = 0; r < rows; ++r) loaded[r] = source.load_unit(unit + r * threads_per_warp + lane);
  uninitialized_array<T, rows> values;
#pragma unroll
  for (int r = 0; r < rows; ++r) values[r] = source.fold(loaded[r], op);
  return values;
}

}  // namespace mgpu::detail
