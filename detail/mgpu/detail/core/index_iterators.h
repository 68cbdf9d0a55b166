// Sorts by index read a range of indices that takes no memory, write keys that nobody wants, and copy items to memory
// that holds none.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>
#include <new>

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

// An output in memory that holds no items yet: what is written to it is copied there by a constructor.
template <class T>
struct constructing_iterator {
  using value_type = T;
  T* memory;
  struct target {
    T* memory;
    __device__ void operator=(T const& item) const { ::new (static_cast<void*>(memory)) T(item); }
  };
  __host__ __device__ friend constructing_iterator operator+(constructing_iterator it, std::int64_t distance) {
    return {it.memory + distance};
  }
  __host__ __device__ target operator*() const { return {memory}; }
};

template <class Iterator>
constexpr bool is_discard = false;
template <class T>
inline constexpr bool is_discard<discard_iterator<T>> = true;

}  // namespace mgpu::detail
