// An array in the registers of one thread, whose items may lack a default constructor and start without a value.
#pragma once
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

// T has a trivial copy constructor and destructor, so an assignment may begin the life of an item.
template <class T, int num_items>
union uninitialized_array {
  T items[num_items];
  __device__ uninitialized_array() {}
  __device__ T& operator[](int i) { return items[i]; }
  __device__ T const& operator[](int i) const { return items[i]; }
};

}  // namespace mgpu::detail
