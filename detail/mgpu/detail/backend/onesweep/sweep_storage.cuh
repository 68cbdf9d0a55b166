// The portion that the blocks of a digit pass work on, and their shared memory.
#pragma once
#include <mgpu/detail/backend/onesweep/histogram_kernel.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/block/radix_rank.cuh>
#include <mgpu/detail/block/source_indices.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

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
    using digits = onesweep_digits<Tuning, Key, arch>;
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

// The items of one launch of a pass: fewer than 2^30, as counts have 30 bits. They fill tiles, but for those of the
// last launch.
struct onesweep_portion {
  std::int64_t begin;
  std::int64_t num_items;
  std::int64_t items_of_pass;
  int num_tiles;
  int first_tile;  // how many items tile 0 has; the tiles after it are full, but for the last one
  int digit;
  int number;  // the index of this portion, of `portions` of the pass
  int portions;
  int most_tiles;  // the most that any portion has

  __host__ __device__ constexpr std::int64_t begin_of(int tile, int tile_items) const {
    return begin + (tile == 0 ? 0 : first_tile + std::int64_t{tile - 1} * tile_items);
  }
  __host__ __device__ constexpr int items_of(int tile, int tile_items) const {
    if (tile == 0) return first_tile;
    return static_cast<int>(smaller<std::int64_t>(tile_items, begin + num_items - begin_of(tile, tile_items)));
  }
};

}  // namespace mgpu::detail
