// How a pass of a radix sort is cut into launches, and the items of a launch, its portion, into tiles.
#pragma once
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

// A tile of a portion: its index there, its first item in the input, and how many items it has.
struct onesweep_tile {
  int index;
  std::int64_t begin;
  int valid;
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

  __device__ __forceinline__ std::int64_t begin_of(int index, int tile_items) const {
    return begin + (index == 0 ? 0 : first_tile + std::int64_t{index - 1} * tile_items);
  }
  __device__ __forceinline__ int items_of(int index, int tile_items) const {
    if (index == 0) return first_tile;
    return static_cast<int>(smaller<std::int64_t>(tile_items, begin + num_items - begin_of(index, tile_items)));
  }
};

// Returns the portion of launch `number` of the pass of a digit. The launches of a pass share its items out evenly: in
// a launch of few tiles, few blocks would have to clear the counts of all tiles of the next launch.
inline onesweep_portion portion_of(onesweep_tuning const& tuning, std::int64_t num_items, int digit, int number) {
  std::int64_t const tile_items = tuning.tile_items();
  std::int64_t const tiles_of_pass = divide_up(num_items, tile_items);
  std::int64_t const portions = divide_up(tiles_of_pass, tuning.max_launch_items / tile_items);
  std::int64_t const tiles = divide_up(tiles_of_pass, portions);
  std::int64_t const begin = number * tiles * tile_items;
  std::int64_t const count = smaller(tiles * tile_items, num_items - begin);
  int const first_tile = tuning.first_tile_items(count);
  auto const num_tiles = static_cast<int>(1 + divide_up(count - first_tile, tile_items));
  auto const most_tiles = static_cast<int>(tiles + 1);  // items that do not fill a tile may make two tiles
  return {begin, count, num_items, num_tiles, first_tile, digit, number, static_cast<int>(portions), most_tiles};
}

}  // namespace mgpu::detail
