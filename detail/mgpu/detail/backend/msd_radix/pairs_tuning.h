// Tuning of the sort of keys with values by the most significant digits first: what differs from that of keys alone.
#pragma once
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/tile_shape.h>
#include <cstdint>

namespace mgpu::detail {

// A selector's tuning for keys with values, which have no table.
template <class Tuning>
struct msd_tuning_of_pairs {
  __host__ __device__ static constexpr msd_radix_tuning at(int arch) {
    msd_radix_tuning tuning = Tuning::at(arch);
    tuning.num_cells = 0;
    tuning.doubles_buckets = tuning.doubles_buckets_of_pairs;
    return tuning;
  }
};

// Returns how many keys with values a block that sorts a bucket sorts at a time: the index of one has as many bits as
// tell buckets apart.
__host__ __device__ constexpr int most_of_run(int tile_items, msd_radix_digits const& digits) {
  return smaller(tile_items, digits.num_buckets());
}

// Returns how many threads a block has that sorts uneven buckets of keys with values: a power of two.
__host__ __device__ constexpr int threads_of_uneven_buckets(tile_shape const& bucket) {
  int threads = threads_per_warp;
  // More would leave too few registers to each.
  while (2 * threads <= smaller(512, bucket.threads_per_block)) threads *= 2;
  return threads;
}

// Tells whether so few threads can hold a tile.
__host__ __device__ constexpr bool can_merge_uneven(tile_shape const& bucket) {
  return bucket.tile_items() <= 32 * threads_of_uneven_buckets(bucket);
}

// Returns how so many keys with values are sorted, to which there are always two digits: the second one has all its bits.
constexpr msd_radix_digits digits_of_pairs(msd_radix_tuning const& tuning, std::int64_t num_items) {
  msd_radix_digits digits;
  digits.second_bits = tuning.max_second_digit_bits;
  digits.has_doubled_buckets = num_items > tuning.max_items(false);
  auto const has_room = [&] {
    std::int64_t const mean =
        most_of_run(tuning.bucket_shape(digits.has_doubled_buckets).tile_items(), digits) * 7 / 8;
    return num_items <= mean << digits.bits();
  };
  while (digits.bits() < tuning.max_bucket_bits() && !has_room()) ++digits.first_bits;
  return digits;
}

// The selector for keys with values, whose partitions are passes of another backend: what is said here of the shapes of
// partitions is not used. keeps_keys says that keys are moved as they are, and not made anew from their bits.
template <int key_bytes, int value_bytes, bool keeps_keys>
struct msd_pairs_default_tuning {
  __host__ __device__ static constexpr msd_radix_tuning at(int arch) {
    tile_shape bucket{256, 8, 1};
    if (has_large_blocks(arch)) bucket = shape_of_bucket();
    msd_radix_tuning tuning{has_large_blocks(arch) ? 8 : 4,  8, bucket, bucket, bucket,
                            has_large_blocks(arch) ? 12 : 10};
    tuning.max_bucket_tiles = 2;
    tuning.min_items = has_large_blocks(arch) ? (key_bytes > 4 ? 1 << 19 : 1 << 22) : never;
    tuning.refuses_alike = true;
    // Larger blocks could not have twice as many threads. Before 9.0 it was not measured.
    tuning.doubles_buckets_of_pairs = has_large_blocks(arch) && arch >= 90 && bucket.threads_per_block <= 512;
    return tuning;
  }

 private:
  // Returns what lets as many blocks run at a time as there is shared memory for.
  __host__ __device__ static constexpr tile_shape shape_of_bucket() {
    if (key_bytes > 4) return keeps_keys ? tile_shape{1024, 6, 1} : tile_shape{512, 10, 2};
    return keeps_keys ? tile_shape{512, 10, 3} : tile_shape{256, 20, 4};
  }
};

}  // namespace mgpu::detail
