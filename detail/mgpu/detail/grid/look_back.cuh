// The tiles of one launch learn here what lies before them: each publishes its aggregate, and looks back at the
// others'. Decoupled look-back, Merrill and Garland, NVR-2016-002; with a fallback, Smith, Levien, Owens, SPAA 2025.
//
// Only aggregates are published, never prefixes, and they are combined in fixed windows. So the result does not
// depend on which block was quick, and is the same to the bit from run to run; and a tile never waits for a chain of
// others, only for aggregates, which wait for nothing.
#pragma once
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/partial_result.cuh>
#include <mgpu/detail/warp/shuffle.cuh>
#include <cstdint>
#include <cstring>

namespace mgpu::detail {

// The aggregates of all tiles in global memory, zero before the launch. The highest bit of each 64-bit word says that
// the word is there, so values of any size need no flag beside them and no order between accesses. The bits of a
// value that these marks displace go to further words, 63 to each.
//
// The tiles lie in windows, which look_back takes as wholes: a window has first word 0 of all its tiles, then word 1,
// and so on. A lane of look_back reads tiles_per_lane neighbouring tiles; so the first tiles of all lanes come before
// their second ones, and what the lanes of a warp read at a time is one piece of memory.
template <class T>
struct tile_aggregates {
 private:
  static constexpr int num_pieces = divide_up(static_cast<int>(sizeof(T)), 8);  // the value's words of 64 bits
  static constexpr bool has_displaced = sizeof(T) >= 8;                         // else the highest bit is free

 public:
  static constexpr int words_per_tile = num_pieces + (has_displaced ? divide_up(num_pieces, 63) : 0);
  // With two tiles a lane, a larger value takes half the shuffles; for a small one windows of half the size are
  // better.
  static constexpr int tiles_per_lane = words_per_tile > 2 ? 2 : 1;
  static constexpr int window = tiles_per_lane * threads_per_warp;
  static constexpr std::uint64_t present = std::uint64_t{1} << 63;
  std::uint64_t* words;

  static std::int64_t num_words(std::int64_t num_tiles) {
    return divide_up<std::int64_t>(num_tiles, window) * window * words_per_tile;
  }
  // Returns the index of word 0 of a tile; the tile's other words follow, each `window` words after the last.
  static __device__ __forceinline__ std::int64_t place(std::int64_t tile) {
    auto const in_window = static_cast<unsigned>(tile) % window;
    return (tile - in_window) * words_per_tile + in_window % tiles_per_lane * threads_per_warp +
           in_window / tiles_per_lane;
  }

  // Publishes a tile's aggregate. Called by one thread. Publishing a tile twice is harmless if the value is the same.
  __device__ __forceinline__ void publish(std::int64_t tile, T const& value) const {
    std::uint64_t packed[words_per_tile] = {};
    memcpy(packed, static_cast<void const*>(cuda::std::addressof(value)), sizeof(T));
    if constexpr (has_displaced) {
#pragma unroll
      for (int i = 0; i < num_pieces; ++i) packed[num_pieces + i / 63] |= (packed[i] >> 63) << (i % 63);
    }
    std::uint64_t* const to = words + place(tile);
#pragma unroll
    for (int i = 0; i < words_per_tile; ++i) simt::store_relaxed(to[i * window], present | packed[i]);
  }

  // Reads the words of a tile, of which `place` is the first, into `read`; whole(read) tells whether all of them were
  // there, and value(read) is then the aggregate.
  __device__ __forceinline__ void load(std::int64_t place, std::uint64_t (&read)[words_per_tile]) const {
    std::uint64_t* const from = words + place;
#pragma unroll
    for (int i = 0; i < words_per_tile; ++i) read[i] = simt::load_relaxed(from[i * window]);
  }
  static __device__ __forceinline__ bool whole(std::uint64_t const (&read)[words_per_tile]) {
    std::uint64_t all = present;
#pragma unroll
    for (int i = 0; i < words_per_tile; ++i) all &= read[i];
    return all != 0;
  }
  static __device__ __forceinline__ T value(std::uint64_t const (&read)[words_per_tile]) {
    std::uint64_t pieces[num_pieces];
#pragma unroll
    for (int i = 0; i < num_pieces; ++i) {
      pieces[i] = read[i] & ~present;
      if constexpr (has_displaced) pieces[i] |= (read[num_pieces + i / 63] >> (i % 63)) << 63;
    }
    uninitialized_array<T, 1> result;
    memcpy(static_cast<void*>(result.items), pieces, sizeof(T));
    return result.items[0];
  }
};

// One warp's view of the tiles before its own. Used with ascending tiles, it goes on from where it last was. It reads
// about `rows` rows of 32 tiles at a time, in whole windows.
template <class T, int rows>
class look_back {
  using aggregates = tile_aggregates<T>;
  static constexpr int tiles_per_lane = aggregates::tiles_per_lane;
  static constexpr int window = aggregates::window;
  static constexpr int num_windows = divide_up(rows, tiles_per_lane);
  static constexpr int num_rows = num_windows * tiles_per_lane;
  static constexpr int words = aggregates::words_per_tile;

 public:
  __device__ __forceinline__ explicit look_back(aggregates tiles) : aggregates_(tiles) {}

  // Sets the init, which comes before tile 0.
  __device__ __forceinline__ void set_init(T const& init) {
    known_[0] = init;
    has_known_ = true;
  }

  // Returns the tile's exclusive prefix to all lanes: op over the init, if there is one, and the aggregates of all
  // tiles before `tile`, in order. Called by all lanes of one warp. There is an init or a tile before `tile`.
  //
  // A tile whose aggregate stays away for max_polls polls is given to recompute(tile, is_missing), called by all
  // lanes, which returns its aggregate as lane 0's partial_result; so the call ends whether or not the block of that
  // tile ever runs. That block may go on meanwhile and overwrite what recompute reads, but not before publishing: so
  // what was read is the input if is_missing(), called by all lanes afterwards, is true. Else recompute returns
  // nothing, and the aggregate is there.
  template <class Op, class Recompute>
  __device__ __forceinline__ T prefix(std::int64_t tile, Op& op, int max_polls, Recompute recompute) {
    while (base_ < tile) {
      int const here = static_cast<int>(smaller<std::int64_t>(tile - base_, num_windows * window));
      std::uint64_t read[num_rows][words];
      await(here, read, max_polls, recompute);
      uninitialized_array<T, num_windows> sums;
      reduce_windows(here, read, sums.items, op);
      uninitialized_array<T, 1> result;
      if (simt::lane() == 0) {  // the other lanes hold no values that op may be called on
        result[0] = has_known_ ? op(known_[0], sums[0]) : sums[0];
        if (here >= window) known_[0] = result[0];
#pragma unroll
        for (int w = 1; w < num_windows; ++w) {
          if (here > w * window) result[0] = op(result[0], sums[w]);
          if (here >= (w + 1) * window) known_[0] = result[0];
        }
      }
      has_known_ = has_known_ || here >= window;
      base_ += here / window * window;
      if (here % window != 0) return detail::shuffle(result[0], 0);  // the next tile looks at that window again
    }
    return detail::shuffle(known_[0], 0);
  }

 private:
  // Returns how many tiles after base_ the calling lane's tile in a row is.
  static __device__ __forceinline__ int tile_in_row(int row) {
    return row / tiles_per_lane * window + static_cast<int>(simt::lane()) * tiles_per_lane + row % tiles_per_lane;
  }
  // Gets in lane 0, for each window w, sums[w] = op over those of the `here` tiles from base_ on that lie in it. The
  // windows' chains of shuffles run side by side: their latency is what a tile waits for.
  template <class Op>
  __device__ __forceinline__ void reduce_windows(int here, std::uint64_t const (&read)[num_rows][words],
                                                 T (&sums)[num_windows], Op& op) const {
    int const lane = static_cast<int>(simt::lane());
#pragma unroll
    for (int w = 0; w < num_windows; ++w) {
      sums[w] = aggregates::value(read[w * tiles_per_lane]);
#pragma unroll
      for (int row = w * tiles_per_lane + 1; row < (w + 1) * tiles_per_lane; ++row) {
        T const right = aggregates::value(read[row]);
        if (tile_in_row(row) < here) sums[w] = op(sums[w], right);
      }
    }
    // from_lane is how many lanes from this one on have tiles, if the windows lay in one row of lanes.
    int const from_lane = divide_up(here, tiles_per_lane) - lane;
#pragma unroll unrolled_steps(sizeof(T))
    for (int delta = 1; delta < threads_per_warp; delta *= 2) {
#pragma unroll
      for (int w = 0; w < num_windows; ++w) {
        T const right = detail::shuffle_down(sums[w], delta);
        bool const is_there = from_lane > delta + w * threads_per_warp && lane + delta < threads_per_warp;
        if (is_there) sums[w] = op(sums[w], right);
      }
    }
  }

  // Returns in `read` the words of the `here` tiles from base_ on, once all of them are there.
  template <class Recompute>
  __device__ __forceinline__ void await(int here, std::uint64_t (&read)[num_rows][words], int max_polls,
                                        Recompute recompute) {
    auto const load_rows_unless = [&](auto is_done) {
#pragma unroll
      for (int row = 0; row < num_rows; ++row) {
        std::int64_t const window_begin = base_ + row / tiles_per_lane * window;
        if (tile_in_row(row) < here && !is_done(read[row])) {
          aggregates_.load(window_begin * words + row % tiles_per_lane * threads_per_warp + simt::lane(), read[row]);
        }
      }
    };
    auto const none = [](auto const&) { return false; };
    load_rows_unless(none);
    for (int polls = 0;; ++polls) {
      int missing = here;  // the first tile that this lane lacks
#pragma unroll
      for (int row = num_rows - 1; row >= 0; --row) {
        if (tile_in_row(row) < here && !aggregates::whole(read[row])) missing = tile_in_row(row);
      }
      if (!simt::any(simt::full_mask, missing < here)) return;
      if (polls >= max_polls) {
        fall_back(base_ + missing, base_ + here, recompute);
        polls = 0;
        load_rows_unless(none);  // all are read again, so that they take no registers meanwhile
      } else {
        simt::spin_pause();
        load_rows_unless(aggregates::whole);
      }
    }
  }

  // Falls back: makes the aggregate of one missing tile, and publishes it, so that it is made once and not by every
  // waiting block.
  template <class Recompute>
  __device__ __forceinline__ void fall_back(std::int64_t missing, std::int64_t tile, Recompute recompute) {
    std::uint32_t const lanes = simt::ballot(simt::full_mask, missing < tile);
    unsigned const source = simt::population_count(~lanes & (lanes - 1));  // the lowest lane that misses one
    std::int64_t const chosen = detail::shuffle(missing, source);
    partial_result<T> const aggregate = recompute(chosen, [&] {
      simt::fence_device();
      std::uint64_t read[words];
      aggregates_.load(aggregates::place(chosen), read);
      return !simt::any(simt::full_mask, aggregates::whole(read));
    });
    if (simt::lane() == 0 && aggregate.any) aggregates_.publish(chosen, aggregate.value[0]);
  }

  aggregates aggregates_;
  std::int64_t base_ = 0;            // known_ covers the tiles before it; a multiple of the window
  uninitialized_array<T, 1> known_;  // lane 0 holds the value
  bool has_known_ = false;
};

}  // namespace mgpu::detail
