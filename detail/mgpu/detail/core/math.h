// Integer arithmetic that host and device share.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>

namespace mgpu::detail {

template <class Integer>
__host__ __device__ constexpr Integer smaller(Integer a, Integer b) {
  return b < a ? b : a;
}

template <class Integer>
__host__ __device__ constexpr Integer larger(Integer a, Integer b) {
  return a < b ? b : a;
}

template <class Integer>
__host__ __device__ constexpr Integer divide_up(Integer dividend, Integer divisor) {
  return dividend / divisor + (dividend % divisor != 0);
}

// Returns how many bits it takes to write x; that is 0 for 0.
__host__ __device__ constexpr int bit_width(std::uint32_t x) {
  int width = 0;
  for (; x != 0; x >>= 1) ++width;
  return width;
}

__host__ __device__ constexpr bool is_power_of_two(int x) { return x > 0 && (x & (x - 1)) == 0; }

}  // namespace mgpu::detail
