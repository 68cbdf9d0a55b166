// The kernels of a sort by the most significant digits share this state in global memory.
#pragma once
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/config.h>
#include <cstdint>

namespace mgpu::detail {

// What is found out about the keys. The survey writes all of it.
template <class Bits>
struct msd_radix_findings {
  std::uint64_t is_taken;  // whether the keys are sorted by these kernels, and not in another way
  std::uint64_t blocks_done;
  std::uint64_t first_ticket;  // by which blocks take tiles of the first partition, of the second, and buckets
  std::uint64_t second_ticket;
  std::uint64_t kept_ticket;  // of the second one, where it has a launch of its own for keys that stay on their rank
  std::uint64_t sort_ticket;
  std::uint32_t is_promising;      // whether no bucket was seen to get far more than its share
  std::uint32_t has_large_bucket;  // whether a bucket has more keys than a block sorts
  std::uint32_t num_uneven;
  std::uint32_t has_positive_zero;
  std::uint32_t has_negative_zero;
  std::uint32_t num_cells;  // of the table of quantiles, by which buckets are told apart; 0 where they are by bits
  // Keys are told apart by the `width` lowest of their bits, as those above are the same in all keys that were looked
  // at. Keys below `lowest` or above `highest` are taken for these.
  Bits lowest;
  Bits highest;
  int width;
};

// A bin holds the keys with the same first digit, a bucket those with the same first two.
template <class Bits>
struct msd_radix_state {
  msd_radix_findings<Bits>* found;
  std::uint32_t* counts;         // of each bucket's keys; zero before they are counted
  std::uint32_t* starts;         // how many keys are in lower buckets; one more than there are buckets
  std::uint32_t* bin_places;     // where the next keys of a bin go; the first partition advances it
  std::uint32_t* bucket_places;  // where the next keys of a bucket go; the second one does
  std::uint32_t* uneven;  // the buckets of more than a tile, and those whose keys are unevenly spread; num_uneven
  std::uint32_t* tiles_before;  // how many tiles the second partition has in lower bins; one more than there are bins
  // The segments and cells are the table of quantiles, and lowest_of_bucket are the lowest bits that each bucket can have,
  // of one more than there are buckets. All three are used only where buckets are told apart by quantiles.
  std::uint32_t* segments;
  std::uint32_t* cells;
  Bits* lowest_of_bucket;
};

}  // namespace mgpu::detail
