// A call without values is a call whose values are nothing: so one kernel serves both.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// The value of a call without values, and the index of a kernel that tracks none.
// Moving it compiles to nothing, so kernels with and without values are one and the same.
struct no_value {
  no_value() = default;
  template <class T>
  __host__ __device__ constexpr explicit no_value(T) {}
  __host__ __device__ constexpr explicit operator int() const { return 0; }
};

template <class Value>
constexpr bool has_values = true;
template <>
inline constexpr bool has_values<no_value> = false;

// A range of no_value, of any length, which takes no memory.
struct no_values {
  using value_type = no_value;
  __host__ __device__ friend no_values operator+(no_values it, std::int64_t) { return it; }
  __host__ __device__ no_value operator*() const { return {}; }
};

// Tells whether a range was given at all.
template <class Iterator>
constexpr bool is_given = !std::is_same_v<Iterator, no_values>;

// A column as plain device memory; it takes no memory where there are no values.
template <class T>
using column = std::conditional_t<has_values<T>, T*, no_values>;

}  // namespace mgpu::detail
