// One thread finds the quantile of a key: how many of 65,536 or more equal shares of all keys are about lower. A table
// says so for each cell of the keys' range, and within a cell keys count as evenly spread. A model of how keys are spread
// sorts in The Case for a Learned Sorting Algorithm, Kristo, Vaidya, Çetintemel, Misra, Kraska, SIGMOD 2020.
#pragma once
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/block/key_segments.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

// Returns of how many bits quantiles are: there are several to each bucket, as cells begin and end at whole ones.
__host__ __device__ constexpr int quantile_bits(msd_radix_digits const& digits) {
  return larger(16, digits.bits() + 2);
}

// The word of a cell says at which quantile it begins, and how many it has. One that has more than a word can say leaves
// some of its quantiles empty.
__host__ __device__ constexpr std::uint32_t word_of_cell(std::uint32_t begin, std::uint32_t size, int bits) {
  return begin | smaller(size, (1u << (32 - bits)) - 1) << bits;
}

// The shape of the table: plain numbers.
struct quantile_table {
  int segment_bits;  // by so many of their highest bits keys are told apart at first
  int num_segments;
  int max_cells;

  __host__ __device__ constexpr explicit quantile_table(msd_radix_tuning const& tuning)
      : segment_bits(tuning.max_first_digit_bits),
        num_segments(tuning.has_quantiles() ? 1 << segment_bits : 0),
        max_cells(tuning.has_quantiles() ? num_segments + tuning.num_cells : 0) {}
};

// Returns whether there is a table with any of the architectures.
template <class Tuning, int... archs>
constexpr bool can_have_quantiles(arch_list<archs...>) {
  return (Tuning::at(archs / 10).has_quantiles() || ...);
}

// The table is in global memory, or in shared memory. What it tells apart are the 32 highest of the `width` lowest bits.
template <int segment_bits>
class quantile_of {
 public:
  __device__ __forceinline__ quantile_of(std::uint32_t const* segments, std::uint32_t const* cells, int bits)
      : segments_(segments), cells_(cells), bits_(bits) {}

  __device__ __forceinline__ std::uint32_t cell(std::uint32_t key) const { return segment(key).cell_of(key); }
  __device__ __forceinline__ std::uint32_t operator()(std::uint32_t key) const {
    key_segment const of_key = segment(key);
    std::uint32_t const cell = cells_[of_key.cell_of(key)];
    // How much of the cell lies below the key, in parts of 2^32.
    std::uint32_t const part = key << (32 - of_key.shift());
    return (cell & ((1u << bits_) - 1)) + static_cast<std::uint32_t>(std::uint64_t{part} * (cell >> bits_) >> 32);
  }

 private:
  __device__ __forceinline__ key_segment segment(std::uint32_t key) const {
    return key_segment(segments_[key >> (32 - segment_bits)]);
  }

  std::uint32_t const* segments_;
  std::uint32_t const* cells_;
  int bits_;
};

}  // namespace mgpu::detail
