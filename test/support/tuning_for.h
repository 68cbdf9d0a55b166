// The tuning that another architecture than that of the test would get. What is chosen by number alone can be tried on
// any.
#pragma once
#include <mgpu/detail/core/config.h>

namespace test {

template <class Tuning, int arch>
struct tuning_for {
  __host__ __device__ static constexpr auto at(int) { return Tuning::at(arch); }
};

}  // namespace test
