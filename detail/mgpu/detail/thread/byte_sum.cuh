// Sums of bytes, four at a time, where the device has an instruction for it.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// sum + the four bytes of `word`, each an unsigned number, or a signed one if Byte is; modulo 2^32.
template <class Byte>
__device__ __forceinline__ std::uint32_t add_bytes(std::uint32_t word, std::uint32_t sum) {
  static_assert(sizeof(Byte) == 1 && std::is_integral_v<Byte>);
  constexpr std::uint32_t ones = 0x01010101;
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_signed_v<Byte>) {
    return static_cast<std::uint32_t>(__dp4a(static_cast<int>(word), static_cast<int>(ones), static_cast<int>(sum)));
  } else {
    return __dp4a(word, ones, sum);
  }
#else
  // With 128 added, signed bytes are in the order of unsigned ones.
  std::uint32_t const flip = std::is_signed_v<Byte> ? 0x80 * ones : 0;
  for (int k = 0; k < 4; ++k) sum += ((word ^ flip) >> (8 * k)) & 0xff;
  return sum - (std::is_signed_v<Byte> ? 4 * 0x80 : 0);
#endif
}

}  // namespace mgpu::detail
