// The ranks of a communicator sort together by the most significant digits first: these kernels join what each has found
// out about its keys, alike on all ranks. Blocks do not wait for one another.
#pragma once
#include <mgpu/detail/backend/msd_radix/plan_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The most ranks that sort so.
constexpr int max_joined_ranks = 8;

// A rank's output is sorted in so many parts, each of which the ranks exchange at a time.
constexpr int num_joined_parts = 2;

// This is what all ranks' buckets begin with: entry (r, b) tells how many keys of rank r are in lower buckets than b. A
// rank has one entry more than there are buckets.
struct joined_starts {
  std::uint32_t const* memory;
  int num_ranks;
  int num_buckets;

  __device__ __forceinline__ std::uint32_t of(int rank, int bucket) const {
    return memory[rank * (num_buckets + 1) + bucket];
  }
  // Returns how many keys of all ranks are in lower buckets.
  __device__ __forceinline__ std::uint32_t of_all(int bucket) const {
    std::uint32_t sum = 0;
    for (int rank = 0; rank < num_ranks; ++rank) sum += of(rank, bucket);
    return sum;
  }
};

// Returns what the surveys of all ranks find together.
template <class Bits>
msd_radix_findings<Bits> joined_survey(msd_radix_findings<Bits> joined, msd_radix_findings<Bits> const& other) {
  joined.is_promising &= other.is_promising;
  joined.lowest = smaller(joined.lowest, other.lowest);
  joined.highest = larger(joined.highest, other.highest);
  Bits const differing = joined.lowest ^ joined.highest;
  Bits below = 0;
  for (joined.width = 0; (differing & ~below) != 0; ++joined.width) below = static_cast<Bits>(below << 1 | 1);
  joined.lowest = static_cast<Bits>(joined.lowest & ~below);
  joined.highest = static_cast<Bits>(joined.lowest | below);
  return joined;
}

// Writes the starts of all ranks' buckets, and joins what the ranks have found, that a bucket is too large or that there
// are zeros, with what they have together. The grid has num_ranks times as many threads as there are buckets.
template <class Tuning, class Bits>
__global__ void __launch_bounds__(Tuning::at(current_arch()).histogram_threads_per_block)
    msd_radix_join_counts_kernel(msd_radix_findings<Bits> const* of_ranks, std::uint32_t* counts, int num_ranks,
                                 msd_radix_digits digits, std::uint32_t* starts, msd_radix_findings<Bits>* found) {
  constexpr msd_radix_tuning tuning = Tuning::at(current_arch());
  constexpr int threads = tuning.histogram_threads_per_block;
  auto& shared = simt::shared<typename msd_radix_planner<Tuning>::template storage<current_arch()>>();
  int const thread = static_cast<int>(simt::thread_rank());
  int const num_buckets = digits.num_buckets();
  int const rank = static_cast<int>(simt::block_rank()) % num_ranks;
  int const first = static_cast<int>(simt::block_rank()) / num_ranks * threads;
  int const bucket = first + thread;
  auto const [count, start] =
      detail::count_to_bucket<threads>(shared, first, num_buckets, counts + rank * num_buckets);
  if (bucket < num_buckets) {
    std::uint32_t* const starts_of_rank = starts + rank * (num_buckets + 1);
    starts_of_rank[bucket] = start;
    if (bucket == num_buckets - 1) starts_of_rank[num_buckets] = start + count;
  }
  if (rank == 0 && bucket < num_buckets) {
    std::uint32_t of_all = count;
    for (int other = 1; other < num_ranks; ++other) of_all += counts[other * num_buckets + bucket];
    if (of_all > static_cast<std::uint32_t>(tuning.bucket_shape(digits.has_doubled_buckets).tile_items())) {
      simt::store_relaxed<std::uint32_t>(found->has_large_bucket, 1);
    }
  }
  if (simt::block_rank() == 0 && thread < num_ranks) {
    msd_radix_findings<Bits> const& other = of_ranks[thread];
    if (other.has_large_bucket != 0) simt::store_relaxed<std::uint32_t>(found->has_large_bucket, 1);
    if (other.has_positive_zero != 0) simt::store_relaxed<std::uint32_t>(found->has_positive_zero, 1);
    if (other.has_negative_zero != 0) simt::store_relaxed<std::uint32_t>(found->has_negative_zero, 1);
  }
}

// The numbers of the first item of each part of all ranks' output, counted over all ranks; and as the last one of a rank,
// that of its last item.
struct joined_places {
  std::uint32_t of_rank[max_joined_ranks][num_joined_parts + 1];
};

// Tells where the parts begin: a part gets the buckets from the one that has its first item on, to the one in which
// the next part begins, and the last part of a rank all up to the rank's last item.
struct joined_cut {
  std::uint32_t bucket;
  std::uint32_t starts[max_joined_ranks];  // of that bucket
  // These tell where a bin begins: if a part begins at the cut, the bin that has the bucket, as the rank before keeps only
  // whole bins that end by then; if a rank's output ends there, the first bin at or behind the bucket, as the next rank
  // keeps only whole bins from that one on.
  std::uint32_t bin_starts[max_joined_ranks];
};
// The host of each rank learns this.
struct joined_cuts {
  std::uint64_t are_taken;  // whether the keys are sorted so
  joined_cut of_rank[max_joined_ranks][num_joined_parts + 1];
};

// Finds them. The grid is a block that has a thread for each.
template <class Bits>
__global__ void msd_radix_cut_kernel(joined_starts starts, joined_places places, int buckets_per_bin,
                                     joined_cuts* cuts, msd_radix_findings<Bits> const* found) {
  int const thread = static_cast<int>(simt::thread_rank());
  bool const are_taken = found->is_taken != 0;
  if (thread == 0) cuts->are_taken = are_taken ? 1 : 0;
  int const rank = thread / (num_joined_parts + 1);
  int const part = thread % (num_joined_parts + 1);
  if (!are_taken || rank >= starts.num_ranks) return;
  std::uint32_t const place = places.of_rank[rank][part];
  int bucket = 0;  // the last one that begins at or before the place
  for (int step = starts.num_buckets / 2; step > 0; step /= 2) {
    if (starts.of_all(bucket + step) <= place) bucket += step;
  }
  if (part == num_joined_parts) ++bucket;
  int const bin = part == num_joined_parts ? divide_up(bucket, buckets_per_bin) : bucket / buckets_per_bin;
  joined_cut& cut = cuts->of_rank[rank][part];
  cut.bucket = static_cast<std::uint32_t>(bucket);
  for (int from = 0; from < starts.num_ranks; ++from) {
    cut.starts[from] = starts.of(from, bucket);
    cut.bin_starts[from] = starts.of(from, bin * buckets_per_bin);
  }
}

}  // namespace mgpu::detail
