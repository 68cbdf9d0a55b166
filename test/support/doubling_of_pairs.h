// A tuning by which keys with values are put into buckets of twice the size, too.
#pragma once
#include <mgpu/tuning.h>

namespace test {

// Architectures and shapes have the usual buckets where there is no room for larger ones.
template <class Tuning>
struct doubling_of_pairs {
  __host__ __device__ static constexpr mgpu::detail::msd_radix_tuning at(int arch) {
    mgpu::detail::msd_radix_tuning numbers = Tuning::at(arch);
    numbers.doubles_buckets_of_pairs =
        mgpu::detail::has_large_blocks(arch) && numbers.bucket.threads_per_block <= 512;
    return numbers;
  }
};

}  // namespace test
