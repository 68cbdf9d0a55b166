// Tuning of the radix sort by one block or one cluster of blocks: plain numbers, chosen per compiled architecture and
// item size. It never changes results.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/block_shape.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_digits.h>
#include <mgpu/detail/core/tile_shape.h>
#include <cstdint>

namespace mgpu::detail {

struct radix_cluster_tuning {
  int threads_per_block;  // whole warps
  int items_per_thread;
  int max_digit_bits = 8;
  int max_blocks = 1;                  // of a cluster: more than one from 9.0 on
  int max_single_block_items = 65536;  // more are sorted by a cluster; a block sorts at most a tile
  int max_cluster_items = 1 << 20;     // more are sorted in another way

  __host__ __device__ constexpr int tile_items() const { return threads_per_block * items_per_thread; }
  __host__ __device__ constexpr bool is_valid() const {
    return tile_shape{threads_per_block, items_per_thread, 1}.is_valid() && is_digit(max_digit_bits) &&
           is_cluster(max_blocks) && max_single_block_items > 0;
  }
  // Returns how many items so many blocks can sort. Those of a cluster have room to spare where keys are spread
  // unevenly, and can put a power of two in order.
  __host__ __device__ constexpr std::int64_t max_items(int blocks) const {
    if (blocks == 1) return tile_items();
    return smaller<std::int64_t>(max_cluster_items,
                                 std::int64_t{blocks} << (bit_width(static_cast<std::uint32_t>(tile_items())) - 1));
  }
};

// The selector: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). Its numbers were
// measured on an H200: perf/notes/radix_cluster.md.

// A tile has as many items as the shared memory of one block has room for, twice, beside counters or buckets: 2^14 or
// a lower power of two, and where there are clusters an eighth more.
template <int key_bytes, int value_bytes, bool is_float = false>
struct radix_cluster_default_tuning {
  __host__ __device__ static constexpr radix_cluster_tuning at(int arch) {
    int const threads = arch < 80 ? 256 : has_large_blocks(arch) ? 1024 : 512;
    int const max_blocks = arch >= 90 && has_large_blocks(arch) ? 16 : 1;
    int const bytes_of_counts = threads / threads_per_warp * 256 * 4 + (max_blocks == 1 ? 0 : max_blocks * 256 * 2);
    int const room = max_shared_bytes(arch) - 3072;
    int items = (1 << 14) / threads;
    while (items > 1) {
      int const tile = threads * with_spare(items, max_blocks);
      int const bytes_of_step = larger(bytes_of_counts, bytes_of_buckets(threads, divide_up(tile, 4)));
      if (tile * 2 * (key_bytes + value_bytes + 1) + bytes_of_step <= room) break;
      items /= 2;
    }
    radix_cluster_tuning tuning{threads, with_spare(items, max_blocks), 8, max_blocks,
                                value_bytes == 0 ? 10240 : 7168};
    // Floats seldom have evenly spread bits, for which there is little room where the cluster is full.
    if (is_float && value_bytes == 0) tuning.max_cluster_items = key_bytes > 4 ? 1 << 16 : 1 << 17;
    return tuning;
  }

 private:
  __host__ __device__ static constexpr int with_spare(int items, int max_blocks) {
    // Eight keys become ten, as bare keys are ordered where a thread has an even number of them.
    return max_blocks == 1 ? items : items + (items == 8 ? 2 : divide_up(items, 8));
  }
  __host__ __device__ static constexpr int bytes_of_buckets(int threads, int num_buckets) {
    return 4 * threads << bit_width(static_cast<std::uint32_t>(divide_up(num_buckets, threads) - 1));
  }
};

// A tuning for one block alone, without a cluster.
template <class Tuning>
struct one_block_of {
  __host__ __device__ static constexpr radix_cluster_tuning at(int arch) {
    radix_cluster_tuning tuning = Tuning::at(arch);
    tuning.max_blocks = 1;
    return tuning;
  }
};

}  // namespace mgpu::detail
