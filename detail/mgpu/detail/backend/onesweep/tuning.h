// Tuning of the radix sort: plain numbers, chosen per compiled architecture and item size. It never changes results.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

struct onesweep_tuning {
  int threads_per_block;  // of a digit pass; whole warps, at most 32
  int items_per_thread;
  int blocks_per_sm;
  int look_back_window;  // tiles that a thread reads at a time
  int patience;          // polls before the counts of a missing tile are made by who waits for them
  int histogram_threads_per_block;
  int histogram_blocks_per_sm;
  int max_digit_bits;
  std::int64_t max_launch_items = (std::int64_t{1} << 30) - 1;  // of a pass: what the counts of tiles can hold

  __host__ __device__ constexpr int tile_items() const { return threads_per_block * items_per_thread; }
};

// A selector: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0).
template <int key_bytes, int value_bytes>
struct onesweep_default_tuning {
  __host__ __device__ static constexpr onesweep_tuning at(int arch) {
    int const items = larger(1, smaller(20, (arch < 90 ? 48 : 80) / larger(4, larger(key_bytes, value_bytes))));
    return {384, items, arch < 90 ? 1 : 2, 4, 256, 1024, 1, 8};
  }
  static constexpr std::int64_t few_items = 1 << 14;  // that another sort is left to
};

}  // namespace mgpu::detail
