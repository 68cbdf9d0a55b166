// The ranks of a communicator look together for where their sorted runs are to be cut.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

// A cut of a run lies in its window: begin <= cut <= end. In each round up to num_samples items of the window are
// looked at, all of them or as many that are evenly spaced.
struct cut_window {
  std::int64_t begin;
  std::int64_t end;

  __host__ __device__ std::int64_t length() const { return end - begin; }
  __host__ __device__ int samples(int num_samples) const {
    return static_cast<int>(smaller<std::int64_t>(length(), num_samples));
  }
  // Returns the place in the run of a sample.
  __host__ __device__ std::int64_t place(int sample, int num_samples) const {
    if (length() <= num_samples) return begin + sample;
    return begin + length() / (num_samples + 1) * (sample + 1) +
           length() % (num_samples + 1) * (sample + 1) / (num_samples + 1);
  }
};

// Returns how many rounds make all windows empty whose lengths are at most `length`. After a round a window is no
// longer than 2 and twice the sum of the gaps between the samples of all ranks' windows: samples further from the cut
// than that are known to lie on one side of it.
inline int num_cut_rounds(std::int64_t length, int num_ranks, int num_samples) {
  int rounds = 1;
  for (; length > num_samples; ++rounds) length = 2 * num_ranks * (length / (num_samples + 1)) + 2;
  return rounds;
}

}  // namespace mgpu::detail
