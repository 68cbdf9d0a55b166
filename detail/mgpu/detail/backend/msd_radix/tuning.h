// Tuning of the radix sort by the most significant digits first: plain numbers, chosen per compiled architecture. It
// never changes results.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/block_shape.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_digits.h>
#include <mgpu/detail/core/tile_shape.h>
#include <cstdint>

namespace mgpu::detail {

constexpr std::int64_t never = std::int64_t{1} << 62;  // more items than there can be

// Buckets are told apart by at most so many bits, as a block counts the keys of each in shared memory.
constexpr int max_counted_bits = 16;

struct msd_radix_tuning {
  // One partition puts keys into bins by their highest digit, of at most so many bits. Where these would be too large
  // for a block to sort, both digits have about half of the bits, and another partition puts the keys of each bin into
  // buckets by the second one.
  int max_first_digit_bits;
  int max_second_digit_bits;
  tile_shape first;   // of a block of the first partition
  tile_shape second;  // of a block of the second one
  // Of a block that sorts a bucket, which is what has the same highest digits: at most a tile; of an even number of
  // items a thread.
  tile_shape bucket;
  int bin_bits;            // by which such a block orders its keys before it compares them
  int max_digit_bits = 8;  // of the digits by which it sorts keys that are unevenly spread
  int histogram_threads_per_block = 1024;
  int max_bucket_tiles = 1;    // of a bucket that is larger than the others, of which there may be few
  int bucket_fill = 56;        // how many keys of each 64 that fit a bucket has on average, at most
  std::int64_t min_items = 1;  // fewer keys are sorted the least significant digit first
  bool refuses_alike = false;  // whether keys that come many times each are sorted in another way
  // Unevenly spread keys get a table with so many more cells than segments; with 0, they are sorted in another way.
  int num_cells = 0;
  // This says whether twice as many keys can be sorted, in buckets of twice the size, by blocks of twice as many threads;
  // and whether keys with values can.
  bool doubles_buckets = false;
  bool doubles_buckets_of_pairs = false;

  __host__ __device__ constexpr int max_bucket_bits() const {
    return smaller(max_counted_bits, max_first_digit_bits + max_second_digit_bits);
  }
  __host__ __device__ constexpr bool has_quantiles() const { return num_cells > 0; }
  __host__ __device__ constexpr tile_shape bucket_shape(bool is_doubled) const {
    if (!is_doubled || !doubles_buckets) return bucket;
    return {2 * bucket.threads_per_block, bucket.items_per_thread, larger(1, bucket.min_blocks_per_sm / 2)};
  }
  __host__ __device__ constexpr int bucket_bin_bits(bool is_doubled) const {
    return bin_bits + (is_doubled && doubles_buckets ? 1 : 0);
  }
  __host__ __device__ constexpr bool is_valid() const {
    return is_digit(max_first_digit_bits) && is_digit(max_second_digit_bits) && first.is_valid() &&
           second.is_valid() && bucket.is_valid() && bucket.items_per_thread % 2 == 0 && is_digit(max_digit_bits) &&
           bin_bits >= 1 && bucket_bin_bits(true) <= 16 && is_block_of_warps(histogram_threads_per_block) &&
           histogram_threads_per_block >= 1 << max_first_digit_bits && max_bucket_tiles >= 1 &&
           max_bucket_tiles <= 4 && num_cells >= 0 && num_cells <= 65536 && bucket_fill >= 1 && bucket_fill <= 64 &&
           (!doubles_buckets || (max_bucket_tiles >= 2 && bucket_shape(true).is_valid()));
  }

  // Returns how many evenly spread keys can be sorted, in doubled buckets or in the usual ones. A bucket's mean size leaves
  // room for what chance adds.
  __host__ __device__ constexpr std::int64_t max_items(bool is_doubled = true) const {
    return static_cast<std::int64_t>(mean_bucket_items(is_doubled)) << max_bucket_bits();
  }
  // Returns how many of them are sorted with one partition.
  __host__ __device__ constexpr std::int64_t max_items_of_one_partition(bool is_doubled) const {
    return static_cast<std::int64_t>(mean_bucket_items(is_doubled)) << max_first_digit_bits;
  }
  __host__ __device__ constexpr int max_bucket_items() const { return bucket.tile_items() * max_bucket_tiles; }
  __host__ __device__ constexpr int mean_bucket_items(bool is_doubled) const {
    return bucket_shape(is_doubled).tile_items() * bucket_fill / 64;
  }
};

// How so many keys are sorted: the buckets are as few as will do. They are doubled where usual ones would not do, and, if
// saves_partition, where these would take a second partition. There are at most max_items() keys.
struct msd_radix_digits {
  int first_bits = 1;
  int second_bits = 0;  // 0 where there is no second partition
  bool has_doubled_buckets = false;

  msd_radix_digits() = default;
  constexpr msd_radix_digits(msd_radix_tuning const& tuning, std::int64_t num_items, bool saves_partition = true)
      : has_doubled_buckets(num_items > tuning.max_items(false) ||
                            (saves_partition && num_items > tuning.max_items_of_one_partition(false) &&
                             num_items <= tuning.max_items_of_one_partition(true))) {
    int bits = 1;
    while (num_items > static_cast<std::int64_t>(tuning.mean_bucket_items(has_doubled_buckets)) << bits) ++bits;
    if (bits > tuning.max_first_digit_bits) {
      second_bits = smaller(larger(bits / 2, bits - tuning.max_first_digit_bits), tuning.max_second_digit_bits);
    }
    first_bits = bits - second_bits;
  }
  __host__ __device__ constexpr int bits() const { return first_bits + second_bits; }
  __host__ __device__ constexpr int num_bins() const { return 1 << first_bits; }
  __host__ __device__ constexpr int num_buckets() const { return 1 << bits(); }
  __host__ __device__ constexpr int buckets_per_bin() const { return 1 << second_bits; }
};

// The selector: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). Its numbers were
// measured on an H200: perf/notes/msd_radix.md.
template <int key_bytes, bool is_float>
struct msd_radix_default_tuning {
  __host__ __device__ static constexpr msd_radix_tuning at(int arch) {
    msd_radix_tuning tuning{6, 6, {256, items(32), 1}, {256, items(32), 1}, {256, 2 * items(16), 1}, 10};
    tuning.min_items = never;  // it was not measured there
    if (!has_large_blocks(arch)) return tuning;
    tuning = {10, 8, {1024, items(64), 2}, {512, items(128), 2}, {384, 2 * items(24), 4}, 12};
    tuning.bucket_fill = 58;
    if (is_wide) {
      tuning.second = {256, items(160), 4};
      tuning.bucket = {512, 2 * items(40), 2};
      tuning.bucket_fill = 56;
    }
    tuning.max_bucket_tiles = 2;
    tuning.doubles_buckets = !is_float;
    tuning.min_items = is_wide ? 3 << 17 : 1 << 19;
    if (is_float) {
      tuning.refuses_alike = true;
      tuning.num_cells = 1024;
      tuning.first = {1024, items(56), 2};
      if (is_wide) tuning.second = {512, items(144), 2};
    }
    return tuning;
  }

 private:
  static constexpr bool is_wide = key_bytes > 4;
  // Returns how many items a thread has if it holds so many bytes of keys.
  __host__ __device__ static constexpr int items(int bytes) { return larger(1, bytes / larger(4, key_bytes)); }
};

}  // namespace mgpu::detail
