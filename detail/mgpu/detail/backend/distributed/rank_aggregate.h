// In a reduction or a scan each rank tells the others by this what its items come to.
#pragma once
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/config.h>
#include <cstdint>
#include <new>

namespace mgpu::detail {

// The aggregate of a rank's items, in memory that goes from rank to rank as bytes. No object is ever made of it, as
// there is no value where the rank has no items.
template <class T>
struct rank_aggregate {
  static constexpr std::uint32_t none = 0, filled = 1, failed = 2;
  T value;
  std::uint32_t state;  // none: the rank has no items; failed: it has no memory to take part
};

// An output that fills an aggregate.
template <class T>
struct aggregate_output {
  using value_type = T;
  rank_aggregate<T>* aggregate;
  struct target {
    rank_aggregate<T>* aggregate;
    __device__ void operator=(T const& value) const {
      ::new (static_cast<void*>(cuda::std::addressof(aggregate->value))) T(value);
      aggregate->state = rank_aggregate<T>::filled;
    }
  };
  __host__ __device__ friend aggregate_output operator+(aggregate_output it, std::int64_t) { return it; }
  __host__ __device__ target operator*() const { return {aggregate}; }
};

}  // namespace mgpu::detail
