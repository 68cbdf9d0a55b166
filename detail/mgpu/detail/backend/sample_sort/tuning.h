// Tuning of the sample sort: plain numbers, chosen per compiled architecture and item size. It never changes results.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/tile_shape.h>
#include <cstdint>

namespace mgpu::detail {

struct sample_sort_tuning {
  // The most that a block of the first launch puts into buckets; it has a power of two of threads, which sort the
  // sample, each so many keys of it, which is a power of two, too: the number of buckets is doubled up to the most.
  tile_shape tile;
  int samples_per_thread;
  int max_bucket_bits;  // of the number of a bucket
  // The most that a block of the second launch sorts at a time. Larger buckets are sorted and merged by one block, which
  // is slow, so there is room for what chance adds to a bucket. There are at most as many tiles as it has threads.
  tile_shape bucket;
  int mean_bucket_items;  // at most, or a third more where a bucket has twice the samples
  int min_bucket_items;  // the mean of as many buckets as there are multiprocessors is no less, nor that of more buckets
  std::int64_t min_items = 1;  // fewer items, and more than max_items, are sorted in another way
  std::int64_t max_items = std::int64_t{1} << 22;

  static constexpr int min_samples_of_bucket = 8;
  __host__ __device__ constexpr int max_samples() const { return tile.threads_per_block * samples_per_thread; }
  __host__ __device__ constexpr int max_buckets() const {
    return smaller(1 << max_bucket_bits, max_samples() / min_samples_of_bucket);
  }
  __host__ __device__ constexpr bool is_valid() const {
    return tile.is_valid() && tile.tile_items() < 1 << 16 && is_power_of_two(tile.threads_per_block) &&
           is_power_of_two(samples_per_thread) && max_samples() >= min_samples_of_bucket &&
           max_samples() <= 1 << 15 && max_bucket_bits >= 1 && max_bucket_bits <= 12 && bucket.is_valid() &&
           mean_bucket_items >= min_bucket_items && min_bucket_items > 0 && max_items <= std::int64_t{1} << 30;
  }
  // Returns whether so many items are to be sorted so, and can be.
  __host__ __device__ constexpr bool can_sort(std::int64_t num_items) const {
    return num_items >= min_items && num_items <= max_items &&
           num_items <= std::int64_t{max_buckets()} * mean_bucket_items &&
           num_items <= std::int64_t{bucket.threads_per_block} * tile.tile_items();
  }
};

// How items are shared out: tiles to the blocks of the first launch, buckets to those of the second.
struct sample_sort_shares {
  std::uint32_t num_items = 0;
  std::uint32_t tile_items = 0;
  std::uint32_t num_tiles = 0;
  std::uint32_t num_buckets = 0;
  std::uint32_t samples_of_bucket = 0;  // a power of two
  std::uint32_t num_samples = 0;
  std::uint64_t sample_share = 0;  // how many items there are to a sample, in parts of 2^-32

  // Each multiprocessor gets one tile, or as many as there must be. A tile begins where memory is aligned as at the begin.
  sample_sort_shares() = default;
  constexpr sample_sort_shares(sample_sort_tuning const& tuning, std::int64_t items, int multiprocessors)
      : num_items(static_cast<std::uint32_t>(items)) {
    constexpr std::uint32_t aligned = 64;
    auto const most_tiles = static_cast<std::uint32_t>(smaller(multiprocessors, tuning.bucket.threads_per_block));
    std::uint32_t const share = divide_up(num_items, most_tiles);
    tile_items = smaller(divide_up(share, aligned) * aligned, static_cast<std::uint32_t>(tuning.tile.tile_items()));
    num_tiles = divide_up(num_items, tile_items);
    // A bucket for each multiprocessor, or nearly, is best.
    num_buckets = 1;
    std::int64_t const most_buckets = smaller(multiprocessors, tuning.max_buckets());
    while (2 * num_buckets <= most_buckets && items >= std::int64_t{2} * num_buckets * tuning.min_bucket_items) {
      num_buckets *= 2;
    }
    samples_of_bucket = sample_sort_tuning::min_samples_of_bucket;
    while (items > std::int64_t{num_buckets} * tuning.mean_bucket_items) {
      // If more buckets do not run at the same time, larger ones are better: the more samples, the less does chance
      // add to them. There is room for so many samples, as there is for as many of twice the buckets.
      if (2 * num_buckets > static_cast<std::uint32_t>(multiprocessors * tuning.bucket.min_blocks_per_sm) &&
          3 * items <= std::int64_t{4} * num_buckets * tuning.mean_bucket_items) {
        samples_of_bucket *= 2;
        break;
      }
      num_buckets *= 2;
    }
    num_samples = num_buckets * samples_of_bucket;
    sample_share = (std::uint64_t{num_items} << 32) / num_samples;
  }
};

// The selectors: `at(arch)` gives the tuning for code compiled for that architecture (90 for 9.0). Their numbers were
// measured on an H200: perf/notes/sample_sort.md. Before 9.0, and where blocks are small, nothing is sorted so: there are
// no launches that begin early, or no room for such buckets.
constexpr sample_sort_tuning no_sample_sort_tuning{{256, 4, 1}, 2, 6, {256, 4, 1}, 256, 256, 1, 0};

// By the digits of keys.
template <int key_bytes, int value_bytes>
struct sample_sort_default_tuning {
  __host__ __device__ static constexpr sample_sort_tuning at(int arch) {
    if (arch < 90 || !has_large_blocks(arch)) return no_sample_sort_tuning;
    constexpr int min_items = value_bytes > 0 ? 1 << 13 : 10241;  // one block sorts fewer sooner
    // More threads would have too few registers for larger keys, and so a bucket has fewer of them.
    if (key_bytes > 4) return {{512, 8, 1}, 4, 8, {768, 10, 1}, 2048, 1024, min_items, 1 << 19};
    return {{512, 8, 1}, 4, 8, {1024, 10, 1}, 3072, 1024, min_items, 1 << 19};
  }
};
// More keys with values, by tiles of which each multiprocessor still has one.
struct sample_sort_many_pairs_tuning {
  __host__ __device__ static constexpr sample_sort_tuning at(int arch) {
    if (arch < 90 || !has_large_blocks(arch)) return no_sample_sort_tuning;
    return {{1024, 6, 1}, 2, 8, {1024, 10, 1}, 3072, 1024, (1 << 19) + 1, 3 << 18};
  }
};

// By comparing keys. Some are sorted by the first tuning, and more by the second one. Of items of more than 8 bytes, the
// first one makes few comparisons one after the other.
template <int item_bytes>
struct sample_sort_comparing_tuning {
  __host__ __device__ static constexpr sample_sort_tuning at(int arch) {
    if (arch < 90 || !has_large_blocks(arch)) return no_sample_sort_tuning;
    if (item_bytes > 8) return {{1024, 4, 1}, 2, 8, {512, 3, 2}, 512, 256, 1534, 1 << 17};
    return {{512, 8, 1}, 4, 8, {512, 9, 2}, 1024, 512, 1 << 13, 1 << 18};
  }
};
template <int item_bytes>
struct sample_sort_many_comparing_tuning {
  __host__ __device__ static constexpr sample_sort_tuning at(int arch) {
    if (arch < 90 || !has_large_blocks(arch)) return no_sample_sort_tuning;
    if (item_bytes > 8) return {{1024, 4, 1}, 2, 8, {1024, 5, 1}, 1536, 1024, (1 << 17) + 1, 3 << 17};
    return {{1024, 6, 1}, 2, 8, {1024, 9, 1}, 3072, 1024, (1 << 18) + 1, 3 << 18};
  }
};

}  // namespace mgpu::detail
