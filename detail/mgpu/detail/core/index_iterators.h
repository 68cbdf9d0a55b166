// Sorts by index read a range of indices that takes no memory, and write keys that nobody wants.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>

namespace mgpu::detail {

// The range first, first + 1, and so on.
template <class Index>
struct counting_iterator {
  using value_type = Index;
  Index first;
  __host__ __device__ friend counting_iterator operator+(counting_iterator it, std::int64_t distance) {
    return {static_cast<Index>(it.first + static_cast<Index>(distance))};
  }
  __host__ __device__ Index operator*() const { return first; }
};

// An output that drops what is written to it.
template <class T>
struct discard_iterator {
  using value_type = T;
  struct sink {
    __host__ __device__ void operator=(T const&) const {}
  };
  __host__ __device__ friend discard_iterator operator+(discard_iterator it, std::int64_t) { return it; }
  __host__ __device__ sink operator*() const { return {}; }
};

template <class Iterator>
constexpr bool is_discard = false;
template <class T>
inline constexpr bool is_discard<discard_iterator<T>> = true;

}  // namespace mgpu::detail
