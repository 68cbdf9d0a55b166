// The digits of keys, by which radix sorts order items.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_traits.h>
#include <cstdint>

namespace mgpu::detail {

// Returns whether the bins of a digit of so many bits can be counted in shared memory.
__host__ __device__ constexpr bool is_digit(int bits) { return bits > 0 && bits <= 12; }

// The digits of a key, of at most so many bits. Their number is even: where the passes must be even in number, and are
// not, there is then always a digit left for one more pass.
struct digit_layout {
  int count;
  int bits;

  __host__ __device__ constexpr digit_layout(int key_bits, int max_digit_bits)
      : count(2 * divide_up(key_bits, 2 * max_digit_bits)), bits(divide_up(key_bits, count)) {}
  __host__ __device__ constexpr int num_bins() const { return 1 << bits; }
};

// The digits of a type of keys; get() returns one of them, of which 0 is the lowest, and from() one that begins at any
// bit.
template <class Key, int max_digit_bits>
struct radix_digits {
  static constexpr int key_bits = radix_traits<Key>::bits;
  static constexpr digit_layout layout{key_bits, max_digit_bits};
  static constexpr int count = layout.count;
  static constexpr int bits = layout.bits;
  static constexpr int num_bins = layout.num_bins();

  template <class Bits>
  static __host__ __device__ std::uint32_t get(Bits key, int digit) {
    return from(key, digit * bits);
  }
  template <class Bits>
  static __host__ __device__ std::uint32_t from(Bits key, int lowest_bit) {
    if constexpr ((count - 1) * bits >= key_bits) {  // the last digit has no bits
      if (lowest_bit >= key_bits) return 0;
    }
    return static_cast<std::uint32_t>(key >> lowest_bit) & (num_bins - 1);
  }
};

}  // namespace mgpu::detail
