// How the tiles of one launch learn what lies before them: each publishes its aggregate, and looks back at the
// others'. Decoupled look-back, Merrill and Garland, NVR-2016-002; with a fallback, Smith, Levien, Owens, SPAA 2025.
//
// Only aggregates are published, never prefixes, and they are combined in fixed windows. So the result does not
// depend on who was quick, and is the same to the bit from run to run; and a tile never waits for a chain of others,
// only for aggregates, which wait for nothing.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/atomic.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cstdint>
#include <cstring>

namespace mgpu::detail {

// The aggregates of all tiles in global memory, zero before the launch. Each 4 bytes of a value share a 64-bit word
// with a mark that they are there, so values of any size need no flag beside them and no order between accesses.
template <class T>
struct tile_aggregates {
  static constexpr int words_per_tile = (sizeof(T) + 3) / 4;
  static constexpr std::uint64_t present = std::uint64_t{1} << 32;
  std::uint64_t* words;

  // One thread. Publishing a tile twice is harmless if the value is the same.
  __device__ __forceinline__ void publish(std::int64_t tile, T const& value) const {
    std::uint32_t parts[words_per_tile] = {};
    memcpy(parts, &value, sizeof(T));
#pragma unroll
    for (int i = 0; i < words_per_tile; ++i) {
      simt::store_relaxed(words[tile * words_per_tile + i], present | parts[i]);
    }
  }

  // Reads one tile into `read`; whole(read) tells if all of it was there.
  __device__ __forceinline__ void load(std::int64_t tile, std::uint64_t (&read)[words_per_tile]) const {
#pragma unroll
    for (int i = 0; i < words_per_tile; ++i) read[i] = simt::load_relaxed(words[tile * words_per_tile + i]);
  }
  static __device__ __forceinline__ bool whole(std::uint64_t const (&read)[words_per_tile]) {
    bool all = true;
#pragma unroll
    for (int i = 0; i < words_per_tile; ++i) all = all && (read[i] & present) != 0;
    return all;
  }
  static __device__ __forceinline__ T value(std::uint64_t const (&read)[words_per_tile]) {
    std::uint32_t parts[words_per_tile];
#pragma unroll
    for (int i = 0; i < words_per_tile; ++i) parts[i] = static_cast<std::uint32_t>(read[i]);
    uninitialized_array<T, 1> result;
    memcpy(&result.items[0], parts, sizeof(T));
    return result.items[0];
  }

  // For a tile of which the caller knows that its thread has called publish.
  __device__ __forceinline__ T await(std::int64_t tile) const {
    std::uint64_t read[words_per_tile];
    load(tile, read);
    while (!whole(read)) {
      simt::spin_pause();
      load(tile, read);
    }
    return value(read);
  }
};

// One warp's view of the tiles before its own. Used with ascending tiles, it goes on from where it last was.
// `windows` windows of 32 tiles are read at a time.
template <class T, int windows>
class look_back {
  static constexpr int window = threads_per_warp;
  static constexpr int words = tile_aggregates<T>::words_per_tile;

 public:
  __device__ __forceinline__ explicit look_back(tile_aggregates<T> aggregates) : aggregates_(aggregates) {}

  // Starts from a value that goes before tile 0.
  __device__ __forceinline__ void set_init(T const& init) {
    known_[0] = init;
    has_known_ = true;
  }

  // Returns op over the init, if there is one, and the aggregates of all tiles before `tile`, in order, to all lanes.
  // Called by all lanes of one warp. There is something before `tile`. A tile whose aggregate stays away for
  // patience polls is given to recompute(tile), called by all lanes, which returns its aggregate to lane 0; so the
  // call ends whether or not the block of that tile ever runs.
  template <class Op, class Recompute>
  __device__ __forceinline__ T prefix(std::int64_t tile, Op& op, int patience, Recompute recompute) {
    while (base_ < tile) {
      std::uint64_t read[windows][words];
      await(tile, read, patience, recompute);
      uninitialized_array<T, windows> sums;
      reduce_windows(tile, read, sums.items, op);
      int in_last_window = 0;  // how many of the tiles before this one lie in a window that is not full yet
      uninitialized_array<T, 1> result;
#pragma unroll
      for (int w = 0; w < windows; ++w) {
        std::int64_t const count = tile - base_;
        if (count >= window) {
          known_[0] = after_known(sums[w], op);
          has_known_ = true;
          base_ += window;
        } else if (count > 0 && in_last_window == 0) {
          in_last_window = static_cast<int>(count);
          result[0] = after_known(sums[w], op);
        }
      }
      if (in_last_window > 0) return shuffle(result[0], 0);  // the next tile looks at that window again
    }
    return shuffle(known_[0], 0);
  }

 private:
  // sums[w] = op over the tiles of window w that lie before `tile`, in lane 0. The windows' chains of shuffles run
  // side by side: their latency is what a tile waits for.
  template <class Op>
  __device__ __forceinline__ void reduce_windows(std::int64_t tile, std::uint64_t const (&read)[windows][words],
                                                 T (&sums)[windows], Op& op) const {
    // Tiles from this lane's own in the first window on.
    int const from_lane = static_cast<int>(smaller<std::int64_t>(tile - base_, windows * window) - simt::lane());
#pragma unroll
    for (int w = 0; w < windows; ++w) sums[w] = tile_aggregates<T>::value(read[w]);
#pragma unroll
    for (int delta = 1; delta < window; delta *= 2) {
#pragma unroll
      for (int w = 0; w < windows; ++w) {
        T const right = shuffle_down(sums[w], delta);
        bool const is_there = from_lane > delta + w * window && static_cast<int>(simt::lane()) + delta < window;
        if (is_there) sums[w] = op(sums[w], right);
      }
    }
  }

  // For lane 0: what the other lanes hold are no values to call op on.
  template <class Op>
  __device__ __forceinline__ T after_known(T const& sum, Op& op) const {
    return simt::lane() == 0 && has_known_ ? op(known_[0], sum) : sum;
  }

  template <class Recompute>
  __device__ __forceinline__ void await(std::int64_t tile, std::uint64_t (&read)[windows][words], int patience,
                                        Recompute recompute) {
    std::int64_t const mine = base_ + simt::lane();  // in the first window
#pragma unroll
    for (int w = 0; w < windows; ++w) {
      if (mine + w * window < tile) aggregates_.load(mine + w * window, read[w]);
    }
    for (int polls = 0;; ++polls) {
      std::int64_t missing = tile;  // the first that this lane lacks
#pragma unroll
      for (int w = windows - 1; w >= 0; --w) {
        if (mine + w * window < tile && !tile_aggregates<T>::whole(read[w])) missing = mine + w * window;
      }
      if (!simt::any(simt::full_mask, missing < tile)) return;
      if (polls >= patience) {
        supply(missing, tile, recompute);
        polls = 0;
      }
      simt::spin_pause();
#pragma unroll
      for (int w = 0; w < windows; ++w) {
        if (mine + w * window < tile && !tile_aggregates<T>::whole(read[w])) {
          aggregates_.load(mine + w * window, read[w]);
        }
      }
    }
  }

  // The fallback: makes the aggregate of one missing tile, and publishes it, so that it is made once and not by all.
  template <class Recompute>
  __device__ __forceinline__ void supply(std::int64_t missing, std::int64_t tile, Recompute recompute) {
    std::uint32_t const lanes = simt::ballot(simt::full_mask, missing < tile);
    unsigned const source = simt::population_count(~lanes & (lanes - 1));  // the lowest of them
    std::int64_t const chosen = shuffle(missing, source);
    T const aggregate = recompute(chosen);
    // The tile's block may have come to life meanwhile and, where output and input are the same, may have overwritten
    // what was read here; but not before publishing.
    simt::fence_device();
    std::uint64_t read[words];
    aggregates_.load(chosen, read);
    if (simt::lane() == 0 && !tile_aggregates<T>::whole(read)) aggregates_.publish(chosen, aggregate);
  }

  tile_aggregates<T> aggregates_;
  std::int64_t base_ = 0;            // known_ covers the tiles before it; a multiple of the window
  uninitialized_array<T, 1> known_;  // lane 0's
  bool has_known_ = false;
};

}  // namespace mgpu::detail
