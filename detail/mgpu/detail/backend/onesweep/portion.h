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

// The launches of a pass, which share its items out evenly: in a launch of few tiles, few blocks would have to clear
// the counts of all tiles of the next launch.
class onesweep_launches {
 public:
  onesweep_launches(onesweep_tuning const& tuning, std::int64_t num_items) : tuning_(tuning), num_items_(num_items) {
    std::int64_t const num_tiles = divide_up<std::int64_t>(num_items, tuning.tile_items());
    count_ = static_cast<int>(divide_up(num_tiles, tuning.max_launch_items / tuning.tile_items()));
    tiles_ = divide_up<std::int64_t>(num_tiles, count_);
  }
  int count() const { return count_; }
  int most_tiles() const { return static_cast<int>(tiles_) + 1; }  // items that do not fill a tile may make two tiles

  // Returns what launch `number` of the pass of a digit takes.
  onesweep_portion portion(int digit, int number) const {
    std::int64_t const tile_items = tuning_.tile_items();
    std::int64_t const begin = number * tiles_ * tile_items;
    std::int64_t const num_items = smaller(tiles_ * tile_items, num_items_ - begin);
    int const first_tile = tuning_.first_tile_items(num_items);
    auto const num_tiles = static_cast<int>(1 + divide_up(num_items - first_tile, tile_items));
    return {begin, num_items, num_items_, num_tiles, first_tile, digit, number, count_, most_tiles()};
  }

 private:
  onesweep_tuning tuning_;
  std::int64_t num_items_;
  std::int64_t tiles_;  // how many tiles the items of a launch fill, but for the last launch
  int count_;
};

}  // namespace mgpu::detail
