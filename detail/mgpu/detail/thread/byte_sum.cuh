// One thread sums bytes, four at a time.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Returns sum plus the four bytes of `word`, each an integer of the type Byte, modulo 2^32. Any thread, no barrier.
template <class Byte>
__device__ __forceinline__ std::uint32_t add_bytes(std::uint32_t word, std::uint32_t sum) {
  static_assert(sizeof(Byte) == 1 && std::is_integral_v<Byte>);
  return std::is_signed_v<Byte> ? simt::add_signed_bytes(word, sum) : simt::add_unsigned_bytes(word, sum);
}

}  // namespace mgpu::detail
