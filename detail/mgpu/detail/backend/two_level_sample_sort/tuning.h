// Tuning of the two-level sample sort: plain numbers, chosen per compiled architecture and item size. It never
// changes results.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/tile_shape.h>
#include <cstdint>

namespace mgpu::detail {

struct two_level_sample_sort_tuning {
  tile_shape tile;          // what a block puts into buckets, or parts, at a time
  tile_shape group;         // what a block sorts at a time; it has a power of two of threads
  std::int64_t min_items;   // fewer items, and more than max_items(), are sorted in another way
  int bucket_bits = 8;      // at most
  int min_bucket_bits = 6;  // or bucket_bits, if these are fewer
  int parts_of_group = 4;   // at least, unless buckets are as many as they may be

  static constexpr int max_bucket_bits = 8;
  static constexpr int max_samples_of_part = 32;
  static constexpr int items_of_sample = 128;  // at least, unless there is one sample for each part

  // There are as many buckets as a bucket has parts, and as few as there may be: fewer parts take a smaller sample, and
  // longer pieces are gathered. Small groups need more parts, as there are as many items to a sample, and so few samples
  // of a part, to which chance then adds more.
  __host__ __device__ static constexpr std::int64_t num_parts(int bits) { return std::int64_t{1} << 2 * bits; }
  __host__ __device__ constexpr int least_bits() const { return smaller(bucket_bits, min_bucket_bits); }
  __host__ __device__ constexpr int bucket_bits_for(std::int64_t num_items) const {
    int bits = least_bits();
    while (bits < bucket_bits && num_items > num_parts(bits) * (group.tile_items() / parts_of_group)) ++bits;
    return bits;
  }
  // A group has room for what chance adds to a part: with 32 samples for each of 65,536 parts, one is larger than
  // twice their mean in one sort of a hundred, and some are larger than 1.8 times the mean, which is the least.
  __host__ __device__ constexpr std::int64_t max_items() const {
    return smaller(num_parts(bucket_bits) * group.tile_items() * 5 / 9,
                   std::int64_t{1} << 31);  // indices have 32 bits
  }
  __host__ __device__ constexpr bool can_sort(std::int64_t num_items) const {
    return num_items >= min_items && num_items <= max_items();
  }
  __host__ __device__ constexpr bool is_valid() const {
    return tile.is_valid() && tile.tile_items() < 1 << 16 && tile.tile_items() % 4 == 0 && group.is_valid() &&
           is_power_of_two(group.threads_per_block) && group.items_per_thread < group.threads_per_block &&
           min_items > 1 && min_bucket_bits > 0 && bucket_bits > 0 && bucket_bits <= max_bucket_bits &&
           parts_of_group > 0 && parts_of_group <= group.tile_items();
  }
};

// The selectors: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). The numbers were
// swept on an H200: perf/notes/two_level_sample_sort.md. Where blocks are small, and before 9.0, nothing was
// measured.

template <int key_bytes, int value_bytes>
struct two_level_sample_sort_default_tuning {
  static constexpr std::int64_t never = std::int64_t{1} << 62;
  __host__ __device__ static constexpr two_level_sample_sort_tuning at(int arch) {
    if (arch < 90 || !has_large_blocks(arch)) return {{256, 4, 1}, {256, 5, 1}, never};
    if (key_bytes < 4 && value_bytes == 0) return {{320, 16, 3}, {512, 17, 2}, 1 << 23};
    if (key_bytes == 4 && value_bytes == 0) return {{320, 19, 3}, {256, 35, 4}, 9 << 19};
    if (key_bytes <= 8 && value_bytes == 0) return {{384, 16, 2}, {512, 15, 2}, 5 << 19};
    if (key_bytes + value_bytes <= 8) return {{256, 20, 3}, {512, 17, 2}, 9 << 18};
    if (value_bytes == 0) return {{320, 12, 2}, {512, 9, 2}, 15 << 16};
    return {{384, 12, 2}, {512, 11, 2}, 13 << 17};
  }
};

// The tuning for comparisons that wait for memory. Groups are small, so that few comparisons wait for each other, and much
// of the memory of a multiprocessor caches what is compared. Registers are left to the comparator. Long keys alone were
// found to be sorted sooner by fewer buckets.
template <int key_bytes, int value_bytes>
struct two_level_sample_sort_latency_tuning {
  __host__ __device__ static constexpr two_level_sample_sort_tuning at(int arch) {
    using otherwise = two_level_sample_sort_default_tuning<key_bytes, value_bytes>;
    if (otherwise::at(arch).min_items == otherwise::never) return otherwise::at(arch);
    if (key_bytes + value_bytes <= 8) return {{256, 8, 4}, {256, 9, 4}, 3 << 18, 8, 8};
    if (value_bytes == 0) return {{256, 8, 3}, {256, 9, 3}, 3 << 19, 8, 7, 8};
    return {{256, 8, 4}, {256, 7, 3}, 1 << 21, 8, 8};
  }
};

}  // namespace mgpu::detail
