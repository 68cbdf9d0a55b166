// A comparator that is no strict weak order: whatever is asked, the first comes before the second.
#pragma once
#include <mgpu/detail/core/config.h>

namespace test {

struct always {
  template <class T>
  __host__ __device__ bool operator()(T const&, T const&) const {
    return true;
  }
};

}  // namespace test
