// A tuning by which few keys are sorted over ranks by the most significant digits first.
#pragma once
#include <mgpu/tuning.h>

namespace test {

// A bucket has up to 64 keys on average, of 128 that fit, or twice as many; and there are 128 to 1,024 buckets.
struct small_buckets {
  __host__ __device__ static constexpr mgpu::detail::msd_radix_tuning at(int) {
    mgpu::detail::msd_radix_tuning numbers{5, 5, {64, 6, 1}, {64, 7, 1}, {32, 4, 1}, 5, 8, 64, 2};
    numbers.doubles_buckets = true;
    numbers.bucket_fill = 32;
    return numbers;
  }
};

}  // namespace test
