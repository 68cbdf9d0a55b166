// The kernels of a sort by the most significant digits share this state in global memory.
#pragma once
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/config.h>
#include <cstdint>

namespace mgpu::detail {

// So many words come before the counts, and are zero before the sort like those.
constexpr int msd_radix_flags = 3;

// A bin holds the keys with the same first digit, a bucket those with the same first two.
template <class Tuning>
struct msd_radix_memory {
  template <int arch>
  struct state {
    static constexpr msd_radix_tuning tuning = Tuning::at(arch);
    static constexpr int num_bins = 1 << tuning.first_digit_bits;
    static constexpr int num_buckets = tuning.num_buckets();

    // These are zero before the sort.
    std::uint64_t is_taken;  // whether the keys are sorted by this state, and not in another way
    std::uint64_t blocks_done;
    std::uint64_t has_large_bucket;  // whether a bucket has, or is sure to get, more keys than a block sorts
    std::uint64_t counts[num_buckets];
    // The histogram kernel writes these.
    std::uint64_t starts[num_buckets];         // how many keys are in lower buckets
    std::uint64_t bin_places[num_bins];        // where the next keys of a bin go; the first partition advances it
    std::uint64_t bucket_places[num_buckets];  // where the next keys of a bucket go; the second one does
    std::uint64_t tiles_before[num_bins + 1];  // how many tiles the second partition has in lower bins

    // Returns where a bucket begins in the sorted keys; the one behind the last begins at their end.
    __device__ std::uint64_t start_of(int bucket, std::int64_t num_items) const {
      return bucket < num_buckets ? starts[bucket] : static_cast<std::uint64_t>(num_items);
    }
  };
};

}  // namespace mgpu::detail
