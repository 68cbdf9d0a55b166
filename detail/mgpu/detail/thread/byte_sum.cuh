// One thread sums bytes, four at a time.
#pragma once
#include <mgpu/detail/core/no_transform.h>
#include <mgpu/detail/core/reorderable_operators.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Tells whether Op adds up items, untransformed, that are one-byte integers, in an integer.
template <class T, class Item, class Unary, class Op>
constexpr bool adds_bytes =
    sizeof(Item) == 1 &&
    std::is_integral_v<Item>&& std::is_integral_v<T>&& std::is_same_v<Unary, no_transform>&& is_sum<Op, T>;

// Returns the sum of the bytes of `words`, each an integer of the type Byte. Any thread, no barrier.
template <class Byte, int num_words>
__device__ __forceinline__ auto sum_of_bytes(std::uint32_t const (&words)[num_words]) {
  static_assert(sizeof(Byte) == 1 && std::is_integral_v<Byte>);
  std::uint32_t sum = 0;
#pragma unroll
  for (std::uint32_t const word : words) {
    sum = std::is_signed_v<Byte> ? simt::add_signed_bytes(word, sum) : simt::add_unsigned_bytes(word, sum);
  }
  return static_cast<std::conditional_t<std::is_signed_v<Byte>, std::int32_t, std::uint32_t>>(sum);
}

}  // namespace mgpu::detail
