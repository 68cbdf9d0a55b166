// The tiles of a distribution learn here how many items of each bin lie before them: by look-back as in
// grid/look_back.cuh, but for many counts at a time, each looked back for by a thread of its own. Counts do not
// round, so inclusive prefixes are published too, and end the walk. OneSweep: Adinets, Merrill, arXiv:2206.01784;
// with a fallback, Smith, Levien, Owens, SPAA 2025.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <cstdint>

namespace mgpu::detail {

// The counts of all tiles in global memory, zero before the launch. A count and the flag that says what it covers
// share a word, so no order between accesses is needed. Counts are below 2^30.
template <int num_bins>
struct bin_counts {
  static constexpr std::uint32_t of_tile = 1u << 30;    // of the tile's own items
  static constexpr std::uint32_t inclusive = 2u << 30;  // of the items of the tiles before, too
  static constexpr std::uint32_t count_mask = of_tile - 1;
  std::uint32_t* words;

  __device__ __forceinline__ std::uint32_t& word(int tile, int bin) const {
    return words[std::int64_t{tile} * num_bins + bin];
  }
  // Publishes a count of a tile. Called by one thread a bin.
  __device__ __forceinline__ void publish(int tile, int bin, std::uint32_t what, std::uint32_t count) const {
    simt::store_relaxed(word(tile, bin), what | count);
  }
  // Returns what is published of a tile: a count and what it covers, or 0 if nothing is yet.
  __device__ __forceinline__ std::uint32_t load(int tile, int bin) const {
    return simt::load_relaxed(word(tile, bin));
  }
};

// One thread's walk from a tile back to the first, for one bin. Called by any thread, no barrier.
template <int num_bins, int window>
class bin_look_back {
 public:
  __device__ __forceinline__ explicit bin_look_back(int tile) : next_(tile - 1) {}

  // Goes on until the count of all tiles before is known, and then returns a negative number; or until a tile's count
  // stays away for max_polls polls, and then returns that tile's index. The caller makes and publishes the missing
  // count, and calls again.
  __device__ __forceinline__ int advance(bin_counts<num_bins> counts, int bin, int max_polls) {
    int idle_polls = 0;
    while (next_ >= 0) {
      std::uint32_t read[window];
#pragma unroll
      for (int w = 0; w < window; ++w)
        read[w] = counts.load(larger(next_ - w, 0), bin);  // the walk ends at the first tile
      bool goes_on = true;
      int const before = next_;
#pragma unroll
      for (int w = 0; w < window; ++w) {
        goes_on = goes_on && read[w] != 0;
        if (goes_on) {
          sum_ += read[w] & bin_counts<num_bins>::count_mask;
          --next_;
          if ((read[w] & bin_counts<num_bins>::inclusive) != 0) {
            next_ = -1;
            goes_on = false;
          }
        }
      }
      if (next_ == before) {
        if (++idle_polls > max_polls) return next_;
        simt::spin_pause();
      }
    }
    return -1;
  }

  // Returns how many items of the bin lie in the tiles before, once advance() has returned a negative number.
  __device__ __forceinline__ std::uint32_t sum() const { return sum_; }

 private:
  int next_;
  std::uint32_t sum_ = 0;
};

}  // namespace mgpu::detail
