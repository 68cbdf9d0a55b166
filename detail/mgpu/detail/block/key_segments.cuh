// The range of keys is cut into segments of equal width, and a segment into as many cells of equal width as its keys are
// worth, so that cells are small where keys lie close together. One block decides that by some keys, and counts as it
// finds them: a key is what 32 of its bits say.
#pragma once
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Says where the cells of a segment are: plain numbers in a word.
class key_segment {
 public:
  __host__ __device__ explicit key_segment(std::uint32_t word) : word_(word) {}
  // The segment `index` has 2^log_cells cells from first_cell on, which a key's bits from `shift` on tell apart.
  __host__ __device__ key_segment(std::uint32_t index, std::uint32_t first_cell, int log_cells, int shift)
      : word_((first_cell - (index << log_cells)) << 5 | static_cast<std::uint32_t>(shift)) {}
  __host__ __device__ std::uint32_t word() const { return word_; }
  __host__ __device__ int shift() const { return static_cast<int>(word_ & 31); }
  __host__ __device__ std::uint32_t cell_of(std::uint32_t key) const {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(word_) >> 5) + (key >> shift());
  }

 private:
  std::uint32_t word_;
};

// Returns the 32 highest of the `width` lowest bits of a key, above zeros where there are fewer. There are at least 32 bits
// of a key of more than 32.
template <class Bits>
__device__ __forceinline__ std::uint32_t highest_bits(Bits bits, int width) {
  if constexpr (sizeof(Bits) > 4) {
    return static_cast<std::uint32_t>(bits >> (width - 32));
  } else {
    return static_cast<std::uint32_t>(bits) << (32 - width);
  }
}
// Returns the lowest of the bits of which these are the highest.
template <class Bits>
__device__ __forceinline__ Bits bits_of_highest(std::uint32_t key, int width) {
  if constexpr (sizeof(Bits) > 4) {
    return Bits{key} << (width - 32);
  } else {
    return static_cast<Bits>(key >> (32 - width));
  }
}

// Returns the lowest key for which f, which never falls, is at least so much, or the highest key.
template <class F>
__device__ __forceinline__ std::uint32_t lowest_key(F f, std::uint32_t least) {
  std::uint32_t lowest = 0;
#pragma unroll 1
  for (std::uint32_t bit = 1u << 31; bit != 0; bit >>= 1) {
    if (f((lowest | bit) - 1) < least) lowest |= bit;
  }
  return lowest;
}

// The shared memory of a block that cuts segments.
template <int num_threads, int num_segment_bits>
struct key_segments_storage {
  static constexpr int segment_bits = num_segment_bits;
  static constexpr int num_segments = 1 << segment_bits;
  static_assert(num_segments <= num_threads, "a thread cuts at most one segment");
  std::uint32_t counts[num_segments];  // of the keys of each segment
  std::uint32_t warps[num_threads / threads_per_warp];
  std::uint32_t num_cells;
};

// Cuts segments by the counts of keys, of num_keys, and writes their words; returns how many cells there are, at most
// max_cells, which are more than segments. A segment is worth the root of its share of keys, as density changes most where
// keys are rare; one that has any counts as having one of max_divisor keys. Called by all threads of the block; the counts
// have been counted before a barrier, and one is owed before the words are read.
template <class Storage>
__device__ __forceinline__ std::uint32_t block_cut_segments(Storage& shared, int num_keys, int max_cells,
                                                            int max_divisor, std::uint32_t* words) {
  constexpr int segment_shift = 32 - Storage::segment_bits;
  auto const segment = simt::thread_rank();
  bool const has_segment = segment < Storage::num_segments;
  std::uint32_t const seen = has_segment ? shared.counts[segment] : 0;
  std::uint64_t const keys = seen == 0 ? 0 : larger<std::uint32_t>(seen, divide_up(num_keys, max_divisor));
  std::uint32_t first, num_cells;
  int log_cells;
  for (std::uint64_t scale = static_cast<std::uint32_t>(max_cells);; scale /= 2) {
    log_cells = 0;
    // A cell is wider than one key, so that a key has a place in its cell.
    while (static_cast<std::uint64_t>(num_keys) << 2 * log_cells < scale * scale * keys &&
           log_cells < segment_shift - 1)
      ++log_cells;
    std::uint32_t const my_cells = has_segment ? 1u << log_cells : 0;
    first = detail::block_exclusive_scan(my_cells, shared.warps);
    if (segment == Storage::num_segments - 1) shared.num_cells = first + my_cells;
    simt::sync_block();
    num_cells = shared.num_cells;
    simt::sync_block();
    if (num_cells <= static_cast<std::uint32_t>(max_cells)) break;
  }
  if (has_segment) words[segment] = key_segment(segment, first, log_cells, segment_shift - log_cells).word();
  return num_cells;
}

}  // namespace mgpu::detail
