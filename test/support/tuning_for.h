// A test tries by this the tuning that another architecture than its own would get, which any can run if it is chosen
// by number alone.
#pragma once
#include <mgpu/detail/core/config.h>

namespace test {

template <class Tuning, int arch>
struct tuning_for {
  __host__ __device__ static constexpr auto at(int) { return Tuning::at(arch); }
};

}  // namespace test
