// Tests share small tunings of the two-level sample sort, by which few items have many tiles, groups and large parts.
#pragma once
#include <mgpu/detail/backend/two_level_sample_sort/tuning.h>
#include <cstddef>
#include <cstdint>

namespace test {

// The parameters are the threads and items per thread of a tile and of a group, and the most and the least bits of a
// bucket's number.
template <int TileThreads, int TileItems, int GroupThreads, int GroupItems, int BucketBits,
          int MinBucketBits = BucketBits>
struct two_level_tuning {
  __host__ __device__ static constexpr mgpu::detail::two_level_sample_sort_tuning at(int) {
    return {{TileThreads, TileItems, 1}, {GroupThreads, GroupItems, 1}, 2, BucketBits, MinBucketBits};
  }
  static constexpr std::size_t tile_items = TileThreads * TileItems;
  static constexpr std::size_t group_items = GroupThreads * GroupItems;
  static constexpr auto max_items = static_cast<std::size_t>(mgpu::detail::two_level_sample_sort_tuning{
      {TileThreads, TileItems, 1}, {GroupThreads, GroupItems, 1}, 2, BucketBits}
                                                                 .max_items());
};

}  // namespace test
