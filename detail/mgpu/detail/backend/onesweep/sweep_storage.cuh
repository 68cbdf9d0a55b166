// What the blocks of a digit pass work on, and have in shared memory.
#pragma once
#include <mgpu/detail/backend/onesweep/histogram_kernel.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/block/radix_rank.cuh>
#include <mgpu/detail/block/tile_numbers.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

// What a tile has in shared memory one after the other.
template <class Key, class Value, int num_items>
union tile_columns {
  uninitialized_array<Key, num_items> keys;
  uninitialized_array<Value, num_items> values;
  __device__ tile_columns() {}
};

template <class Tuning, class Key, class Value>
struct onesweep_pass {
  template <int arch>
  struct storage {
    static constexpr onesweep_tuning tuning = Tuning::at(arch);
    using digits = onesweep_digits<Tuning, Key, arch>;
    using ranker = block_radix_rank<tuning.threads_per_block, tuning.items_per_thread, digits::bits>;
    typename ranker::temp_storage rank;
    alignas(16) tile_columns<Key, Value, tuning.tile_items()> items;
    tile_numbers<tuning.tile_items()> numbers;  // of the ordered items
    std::int64_t targets[digits::num_bins];     // of the first item of each bin, less its place in the tile
    std::uint32_t recounts[digits::num_bins];   // of a missing tile
    int tile;                                   // the next one
    int missing;
    int misplaced;     // how many items come behind a later one of their bin
    bool has_one_bin;  // a tile that is full
    __device__ storage() {}
  };
};

// The items of one launch: fewer than 2^30, as counts have 30 bits; in whole tiles but for the last launch of a pass.
struct onesweep_portion {
  std::int64_t begin;
  std::int64_t num_items;
  std::int64_t items_of_pass;
  int num_tiles;
  int first_tile;  // how many items it has; tiles after it are full, but for the last one
  int digit;
  int number;  // of `portions` of the pass
  int portions;
  int most_tiles;  // of any portion

  __host__ __device__ constexpr std::int64_t begin_of(int tile, int tile_items) const {
    return begin + (tile == 0 ? 0 : first_tile + std::int64_t{tile - 1} * tile_items);
  }
  __host__ __device__ constexpr int items_of(int tile, int tile_items) const {
    if (tile == 0) return first_tile;
    return static_cast<int>(smaller<std::int64_t>(tile_items, begin + num_items - begin_of(tile, tile_items)));
  }
};

}  // namespace mgpu::detail
