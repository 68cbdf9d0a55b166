// The bits of a key are an unsigned number that orders as the key does, from which a radix sort takes its digits.
// Keys are moved as they are: only an integer can be made from its bits again.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/radix_kind.h>
#include <mgpu/detail/core/radix_traits.h>

namespace mgpu::detail {

// Returns bits that order as the key does: a < b exactly when ordered_bits(a) < ordered_bits(b), and both are equal
// together. NaNs are ordered by their own bits: after +infinity, or before -infinity when the sign is set. Bits above
// radix_traits<Key>::bits are zero.
template <class Key>
__host__ __device__ ordered_bits_t<Key> ordered_bits(Key const& key) {
  return radix_traits<Key>::of(key);
}

// Returns the bits, complemented if descending, so that equal keys keep their order then too. It is its own inverse.
template <bool descending, class Key>
__host__ __device__ constexpr ordered_bits_t<Key> direct_bits(ordered_bits_t<Key> bits) {
  using Bits = ordered_bits_t<Key>;
  constexpr int unused = 8 * static_cast<int>(sizeof(Bits)) - radix_traits<Key>::bits;
  return descending ? static_cast<Bits>(static_cast<Bits>(static_cast<Bits>(~bits) << unused) >> unused) : bits;
}

// Returns the bits whose ascending order is the order of the keys in that direction.
template <bool descending, class Key>
__host__ __device__ ordered_bits_t<Key> directed_bits(Key const& key) {
  return detail::direct_bits<descending, Key>(detail::ordered_bits(key));
}

}  // namespace mgpu::detail
