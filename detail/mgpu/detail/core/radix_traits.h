// What is known of the bits by which keys of a type are ordered: how many there are, and which type holds them.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

template <int bits>
using smallest_unsigned = std::conditional_t<
    bits <= 8, std::uint8_t,
    std::conditional_t<
        bits <= 16, std::uint16_t,
        std::conditional_t<bits <= 32, std::uint32_t, std::conditional_t<bits <= 64, std::uint64_t, uint128>>>>;

constexpr int max_radix_bits = 128;

// Describes a key type: `bits` is the number of its ordered bits, or 0 where it has none; `bits_type` is the
// narrowest type that holds them; and `of(key)` returns those bits. Where equal bits mean the same key, `key_of(bits)`
// makes that key.
template <class Key>
struct radix_traits;

template <class Key>
constexpr bool has_ordered_bits = radix_traits<Key>::bits > 0;

template <class Key>
using ordered_bits_t = typename radix_traits<Key>::bits_type;

namespace impl {

template <template <class> class Expression, class T, class = void>
constexpr bool compiles = false;
template <template <class> class Expression, class T>
inline constexpr bool compiles<Expression, T, std::void_t<Expression<T>>> = true;

template <int num_bits>
struct num_ordered_bits {
  static constexpr int bits = num_bits;
  using bits_type = smallest_unsigned<num_bits>;
};

template <class T>
constexpr int bits_of_size = 8 * static_cast<int>(sizeof(T));

}  // namespace impl

}  // namespace mgpu::detail
