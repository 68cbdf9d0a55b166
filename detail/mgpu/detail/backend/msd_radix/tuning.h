// Tuning of the radix sort by the most significant digits first: plain numbers, chosen per compiled architecture. It
// never changes results.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/block_shape.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/radix_digits.h>
#include <mgpu/detail/core/tile_shape.h>

namespace mgpu::detail {

struct msd_radix_tuning {
  // Two partitions order the keys by their highest digits, of so many bits, the second one within the bins of the
  // first.
  int first_digit_bits;
  int second_digit_bits;
  tile_shape first;   // of a block of the first partition, which has a thread at least for each bin
  tile_shape second;  // of a block of the second one, which has that too
  tile_shape bucket;  // of a block that sorts a bucket, which is what has the same highest digits: at most a tile
  int max_digit_bits = 8;  // of such a block's own digits
  int histogram_threads_per_block = 1024;

  __host__ __device__ constexpr int partition_bits() const { return first_digit_bits + second_digit_bits; }
  __host__ __device__ constexpr int num_buckets() const { return 1 << partition_bits(); }
  __host__ __device__ constexpr bool is_valid() const {
    return is_digit(first_digit_bits) && is_digit(second_digit_bits) && partition_bits() <= 16 && first.is_valid() &&
           second.is_valid() && bucket.is_valid() && first.threads_per_block >= 1 << first_digit_bits &&
           second.threads_per_block >= 1 << second_digit_bits && is_digit(max_digit_bits) &&
           is_block_of_warps(histogram_threads_per_block) && histogram_threads_per_block >= 1 << first_digit_bits;
  }
};

}  // namespace mgpu::detail
