// The shared memory of a block in each kernel of the radix sort by sweeps, and the state in global memory, by architecture.
#pragma once
#include <mgpu/detail/backend/onesweep/state.h>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/block/radix_rank.cuh>
#include <mgpu/detail/block/source_indices.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_digits.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// The tuning of the histogram kernel: a tuning may name another one with the same digits, whose kernel it then
// shares.
namespace impl {
template <class Tuning, class = void>
struct histogram_tuning {
  using type = Tuning;
};
template <class Tuning>
struct histogram_tuning<Tuning, std::void_t<typename Tuning::histogram>> {
  using type = typename Tuning::histogram;
};
}  // namespace impl
template <class Tuning>
using histogram_tuning = typename impl::histogram_tuning<Tuning>::type;

// Returns how many copies of its counters a block has: a power of two, as many as half of a multiprocessor's shared
// memory has room for, and at most one for each lane.
__host__ __device__ constexpr int histogram_copies(int num_counters, int arch) {
  int const room = (has_large_blocks(arch) ? 128 : 32) * 1024 / 4 / num_counters;
  int copies = 1;
  while (2 * copies <= smaller(room, threads_per_warp)) copies *= 2;
  return copies;
}

// The state of the passes over keys of a type, which another backend's kernels can plan.
template <class Tuning, class Key>
struct onesweep_passes {
  template <int arch>
  using state = onesweep_state<radix_digits<Key, Tuning::at(arch).max_digit_bits>>;
};

// The memory of the histogram kernel.
template <class Tuning, class Key, class Skip>
struct onesweep_histogram : onesweep_passes<Tuning, Key> {
  template <int arch>
  struct counters {
    using digits = radix_digits<Key, Tuning::at(arch).max_digit_bits>;
    // Each copy of the counters serves some of the lanes, and lies in banks of its own, so that lanes that count at
    // the same time seldom wait for each other.
    static constexpr int copies = histogram_copies(digits::count * digits::num_bins, arch);
    std::uint32_t counts[digits::count][digits::num_bins][copies];
    bool is_needed[digits::count];
    bool is_last;
  };
  template <int arch>
  union storage {
    counters<arch> histogram;
    typename Skip::template storage<arch, Tuning::at(arch).histogram_threads_per_block> left_over;
    __device__ storage() {}
  };
};

// The columns of a tile, which use the same shared memory one after the other.
template <class Key, class Value, int num_items>
union tile_columns {
  uninitialized_array<Key, num_items> keys;
  uninitialized_array<Value, num_items> values;
  __device__ tile_columns() {}
};

// The shared memory of a block in a digit pass. `missing` is a tile for whose counts the block waits in vain, or -1.
template <class Tuning, class Key, class Value>
struct onesweep_pass {
  template <int arch>
  struct storage {
    static constexpr onesweep_tuning tuning = Tuning::at(arch);
    static_assert(tuning.is_valid(),
                  "mgpu: with_tuning: blocks have whole warps, at most 32; a tile has 1 to 65,536 items, a launch a "
                  "tile at least; a digit has 1 to 12 bits");
    static_assert(tuning.max_digit_bits == histogram_tuning<Tuning>::at(arch).max_digit_bits,
                  "mgpu: with_tuning: a tuning counts by the digits that it sorts by");
    using digits = radix_digits<Key, Tuning::at(arch).max_digit_bits>;
    using ranker = block_radix_rank<tuning.threads_per_block, tuning.items_per_thread, digits::bits>;
    typename ranker::temp_storage rank;
    alignas(16) tile_columns<Key, Value, tuning.tile_items()> items;
    source_indices<tuning.tile_items()> sources;  // of the ordered items
    std::int64_t targets[digits::num_bins];       // target of a bin's first item, less its index in the ordered tile
    std::uint32_t recounts[digits::num_bins];     // the fallback's counts of a missing tile
    int tile;                                     // the one that the block sweeps
    int missing;
    int misplaced;     // how many items come right behind a later one of their bin
    bool has_one_bin;  // says that all items of the tile have the same digit
    __device__ storage() {}
  };
};

}  // namespace mgpu::detail
