// A bare key is all that its bits say: so are integers and enumerations, and floats while only one of their two zeros is
// among them.
#pragma once
#include <mgpu/detail/core/radix_key.h>
#include <cstdint>
#include <cstring>

namespace mgpu::detail {

template <class Key>
constexpr bool has_two_zeros = impl::is_ieee_float<Key> && !impl::has_declared_key<Key>;
template <class Key>
constexpr bool is_bare_key = has_key_of_bits<Key> || has_two_zeros<Key>;

// Returns 1 for a positive zero, 2 for a negative one, 0 for all other keys. By reference, nvcc would read single bytes.
template <class Key>
__host__ __device__ std::uint32_t kind_of_zero(Key key) {
  if constexpr (has_two_zeros<Key>) {
    using Bits = ordered_bits_t<Key>;
    Bits raw;
    memcpy(&raw, &key, sizeof(raw));
    return raw == 0 ? 1 : raw == static_cast<Bits>(Bits{1} << (radix_traits<Key>::bits - 1)) ? 2 : 0;
  } else {
    return 0;
  }
}

// Makes bare keys of their directed bits.
template <bool descending, class Key>
struct bare_key_maker {
  bool zero_is_negative;  // of floats

  __host__ __device__ Key operator()(ordered_bits_t<Key> directed) const {
    auto const bits = detail::direct_bits<descending, Key>(directed);
    if constexpr (has_two_zeros<Key>) {
      return radix_traits<Key>::with_bits(bits, zero_is_negative);
    } else {
      return radix_traits<Key>::key_of(bits);
    }
  }
};

}  // namespace mgpu::detail
