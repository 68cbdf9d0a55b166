// The ordered bits of integers: those of the integer, with the sign flipped where there is one.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/radix_traits.h>

namespace mgpu::detail::impl {

template <class Integer>
struct integer_bits : num_ordered_bits<bits_of_size<Integer>> {
  using Bits = typename integer_bits::bits_type;
  __host__ __device__ static Bits of(Integer key) {
    constexpr bool is_signed = static_cast<Integer>(-1) < static_cast<Integer>(0);
    constexpr Bits zero = is_signed ? static_cast<Bits>(Bits{1} << (integer_bits::bits - 1)) : Bits{0};
    return static_cast<Bits>(static_cast<Bits>(key) ^ zero);
  }
  __host__ __device__ static Integer key_of(Bits bits) { return static_cast<Integer>(bits ^ of(Integer{0})); }
};

}  // namespace mgpu::detail::impl
