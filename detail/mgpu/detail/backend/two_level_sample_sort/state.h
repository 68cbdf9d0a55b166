// The kernels of the two-level sample sort leave this for each other in device memory.
#pragma once
#include <mgpu/detail/backend/two_level_sample_sort/tuning.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

// A tile of the second level has items of one bucket.
struct bucket_tile_place {
  std::uint32_t bucket;
  std::uint32_t first_piece;  // the tile of the first level in which the first of its items is
};

// A block sorts a group of neighbouring parts of a bucket; or a share, from item `begin` to item `end`, of one part
// that is larger than that.
struct part_group {
  std::uint32_t bucket;
  std::uint16_t first_part;
  std::uint16_t end_part;
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t output;         // where item `begin` goes
  std::uint32_t is_of_one_key;  // 1 if all keys are known to be equal, so that nothing has to be sorted
};
// A part that is larger than a group, with keys that differ.
struct large_part {
  std::uint32_t output;
  std::uint32_t num_items;
};

// Numbers and device memory, the same for all kernels.
struct two_level_sample_sort_state {
  static constexpr int max_buckets = 1 << two_level_sample_sort_tuning::max_bucket_bits;
  // The first kernel sets these to zero.
  struct counters {
    std::uint32_t num_groups;
    std::uint32_t num_large_parts;
    std::uint32_t next_group;  // that no block has taken yet
  };
  struct totals {
    std::uint32_t sizes[max_buckets];            // of the buckets
    std::uint32_t begins[max_buckets];           // where each begins when they lie one behind the other
    std::uint32_t first_tiles[max_buckets + 1];  // of the second level; then how many there are
  };

  std::uint32_t num_items = 0;
  std::uint32_t num_buckets = 0;  // and parts of each
  std::uint32_t tile_items = 0;
  std::uint32_t num_tiles = 0;    // of the first level
  std::uint32_t group_items = 0;  // the most that a block sorts at a time
  std::uint32_t samples_of_part = 0;
  std::uint64_t sample_share = 0;  // how many items there are to a sample, in parts of 2^-32

  counters* counted = nullptr;
  totals* buckets = nullptr;
  // In the first level starts[b * num_tiles + t] items of tile t are of buckets before b, and
  // offsets[b * num_tiles + t] items of bucket b are in tiles before t.
  std::uint16_t* starts = nullptr;
  std::uint32_t* offsets = nullptr;
  bucket_tile_place* tiles = nullptr;  // of the second level
  // In the second level part_starts_of(b)[p * tiles_of(b) + t] items of tile t of bucket b are of parts before p.
  std::uint16_t* part_starts = nullptr;
  part_group* groups = nullptr;
  large_part* large_parts = nullptr;

  two_level_sample_sort_state() = default;
  two_level_sample_sort_state(two_level_sample_sort_tuning const& tuning, std::int64_t items)
      : num_items(static_cast<std::uint32_t>(items)),
        num_buckets(1u << tuning.bucket_bits_for(items)),
        tile_items(static_cast<std::uint32_t>(tuning.tile.tile_items())),
        num_tiles(divide_up(num_items, tile_items)),
        group_items(static_cast<std::uint32_t>(tuning.group.tile_items())) {
    std::int64_t const wanted = items / (std::int64_t{tuning.items_of_sample} * num_buckets * num_buckets);
    samples_of_part = static_cast<std::uint32_t>(
        larger<std::int64_t>(1, smaller<std::int64_t>(wanted, tuning.max_samples_of_part)));
    sample_share = (std::uint64_t{num_items} << 32) / static_cast<std::uint64_t>(num_samples());
  }

  std::int64_t num_samples() const { return std::int64_t{num_buckets} * num_buckets * samples_of_part; }
  std::int64_t max_second_tiles() const { return std::int64_t{num_tiles} + num_buckets; }
  std::int64_t max_large_parts() const { return num_items / group_items; }
  // Two neighbouring groups have more than group_items together, unless a bucket or a large part ends between them;
  // and of the shares of a part, one has fewer.
  std::int64_t max_groups() const { return 3 * std::int64_t{divide_up(num_items, group_items)} + num_buckets; }

  // Returns how many of a tile's items are there, of the first level.
  __host__ __device__ std::uint32_t items_of_tile(std::uint32_t tile) const {
    return smaller(num_items - tile * tile_items, tile_items);
  }
#if defined(__CUDACC__) || defined(MGPU_EMULATED)
  __device__ __forceinline__ std::uint32_t tiles_of(std::uint32_t bucket) const {
    return buckets->first_tiles[bucket + 1] - buckets->first_tiles[bucket];
  }
  __device__ __forceinline__ std::uint16_t* part_starts_of(std::uint32_t bucket) const {
    return part_starts + std::uint64_t{buckets->first_tiles[bucket]} * num_buckets;
  }
#endif
};

}  // namespace mgpu::detail
