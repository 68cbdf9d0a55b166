// Tuning of the radix sort: plain numbers, chosen per compiled architecture and item size. It never changes results.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_digits.h>
#include <mgpu/detail/core/tile_shape.h>
#include <cstdint>

namespace mgpu::detail {

// The tuning of the sort by sweeps.
struct onesweep_tuning {
  int threads_per_block;  // in a digit pass; whole warps
  int items_per_thread;
  int blocks_per_sm;
  // Says whether the tile that is not full is the first of a launch; else it is the last. If it is the last, each
  // item of every tile is tested, which costs a tenth where a block sweeps many tiles, and little where there are so
  // few that all wait for one. If it is the first, it is put in order carefully, which is slow, while other blocks go
  // on.
  bool partial_first;
  int max_digit_bits = 8;
  int look_back_window = 4;  // tiles that a thread reads at a time
  int max_polls = 256;       // how often a block polls before it counts a missing tile itself
  int histogram_threads_per_block = 1024;
  int histogram_blocks_per_sm = 1;
  std::int64_t max_launch_items = most_counted;  // a pass takes more launches for more items; at least a tile

  static constexpr std::int64_t most_counted = (std::int64_t{1} << 30) - 1;  // the highest count of bin_counts
  __host__ __device__ constexpr int tile_items() const { return threads_per_block * items_per_thread; }
  __host__ __device__ constexpr bool is_valid() const {
    return tile_shape{threads_per_block, items_per_thread, blocks_per_sm}.is_valid() && is_digit(max_digit_bits) &&
           look_back_window > 0 && max_polls >= 0 && is_block_of_warps(histogram_threads_per_block) &&
           histogram_blocks_per_sm > 0 && max_launch_items >= tile_items() && max_launch_items <= most_counted;
  }
  // Returns how many of a launch's num_items items its first tile has. If it is the tile that is not full, it has
  // whole rows of a warp, so that the tiles after it begin where memory is aligned; the items left over come last.
  __host__ __device__ constexpr int first_tile_items(std::int64_t num_items) const {
    std::int64_t const rows = num_items % tile_items() / threads_per_warp;
    if (partial_first && rows > 0) return static_cast<int>(rows) * threads_per_warp;
    return static_cast<int>(smaller<std::int64_t>(num_items, tile_items()));
  }
};

// The selectors: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). Their numbers were
// swept on an H200: perf/notes/onesweep.md.

// Returns how many items a thread has if it holds `bytes` of keys or of values, whichever are larger.
template <int key_bytes, int value_bytes>
__host__ __device__ constexpr int onesweep_items_within(int bytes) {
  return larger(1, bytes / larger(4, larger(key_bytes, value_bytes)));
}

template <int key_bytes, int value_bytes>
struct onesweep_large_tuning {
  __host__ __device__ static constexpr onesweep_tuning at(int arch) {
    constexpr bool has_wide_items = larger(key_bytes, value_bytes) > 4;
    constexpr auto items = onesweep_items_within<key_bytes, value_bytes>;
    if (!has_large_blocks(arch)) return {384, items(48), 1, true};
    if (!has_wide_items && key_bytes < 4) return {256, items(96), 2, true};
    if (value_bytes == 0) return {256, items(has_wide_items ? 256 : 208), 2, true};
    return has_wide_items ? onesweep_tuning{512, items(224), 1, true} : onesweep_tuning{256, items(208), 2, true};
  }
};

template <int key_bytes, int value_bytes>
struct onesweep_small_tuning {
  using histogram = onesweep_large_tuning<key_bytes, value_bytes>;  // both tunings share one histogram kernel
  __host__ __device__ static constexpr onesweep_tuning at(int arch) {
    constexpr bool has_wide_items = larger(key_bytes, value_bytes) > 4;
    constexpr auto items = onesweep_items_within<key_bytes, value_bytes>;
    if (!has_large_blocks(arch)) return {256, items(32), 1, false};
    return {256, items(has_wide_items ? 128 : key_bytes < 4 ? 64 : 96), 2, false};
  }
};

// The number of items from which on the large tuning is faster than the small one.
template <int key_bytes, int value_bytes>
constexpr std::int64_t min_large_onesweep_items = (key_bytes > 4 && value_bytes == 0 ? 5 << 18 : 1 << 22) + 1;

}  // namespace mgpu::detail
