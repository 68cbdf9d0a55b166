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

// Returns how long a window can be at most after a round, if all were at most `length`. That is twice the sum of the gaps
// between the samples of all ranks' windows: samples further from the cut than that are known to lie on one side of it.
inline std::int64_t length_after_round(std::int64_t length, int num_ranks, int num_samples) {
  return length <= num_samples ? 0 : 2 * num_ranks * (length / (num_samples + 1)) + 2;
}

}  // namespace mgpu::detail
