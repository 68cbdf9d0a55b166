// Which kind of key a type is, and so where its ordered bits come from. Those of integers, which most keys are, or are
// made of, have a file of their own.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/pair_tuple.h>
#include <mgpu/detail/core/radix_integer.h>
#include <mgpu/detail/core/radix_traits.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// These are recognised by name, so that a program that sorts neither does not pay for cuda_fp16.h.
struct __half;
struct __nv_bfloat16;

namespace mgpu {
template <class Key>
struct radix_key;  // the user specialises it: see <mgpu/radix_key.h>
}  // namespace mgpu

namespace mgpu::detail {

namespace impl {

template <class T>
using size_of = decltype(sizeof(T));
template <class Key>
constexpr bool has_declared_key = compiles<size_of, radix_key<Key>>;

// Integers of 128 bits count too, which std::is_integral knows only with GNU extensions.
template <class T>
constexpr bool is_integer = std::is_integral_v<T> || std::is_same_v<T, int128> || std::is_same_v<T, uint128>;

template <class T>
constexpr bool is_ieee_float = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, __half> ||
                               std::is_same_v<T, __nv_bfloat16>;

// These find the comparison operators that an enumeration's author wrote: written as a function call, the built-in
// ones are not found.
template <class T>
using own_less = decltype(operator<(std::declval<T>(), std::declval<T>()));
template <class T>
using own_greater = decltype(operator>(std::declval<T>(), std::declval<T>()));
#if defined(__cpp_impl_three_way_comparison)
template <class T>
using own_three_way = decltype(operator<=>(std::declval<T>(), std::declval<T>()));
#else
template <class T>
using own_three_way = own_less<T>;
#endif
template <class T>
constexpr bool has_own_order = compiles<own_less, T> || compiles<own_greater, T> || compiles<own_three_way, T>;

// A float is a sign and a magnitude. Its bits count the magnitude from the middle up or down, so both zeros meet
// there.
template <class Float>
struct float_bits : num_ordered_bits<bits_of_size<Float>> {
  using Bits = typename float_bits::bits_type;
  // The key is passed by value: nvcc copies the bytes of an object in memory one at a time.
  __host__ __device__ static Bits of(Float key) {
    constexpr Bits sign = static_cast<Bits>(Bits{1} << (float_bits::bits - 1));
    Bits raw;
    memcpy(&raw, &key, sizeof(raw));
    return static_cast<Bits>(raw & sign ? 0 - raw : raw | sign);
  }
  // Returns the key that has these bits, of the two zeros the one with that sign.
  __host__ __device__ static Float with_bits(Bits bits, bool zero_is_negative) {
    constexpr Bits sign = static_cast<Bits>(Bits{1} << (float_bits::bits - 1));
    Bits const raw = static_cast<Bits>(bits == sign  ? (zero_is_negative ? sign : Bits{0})
                                       : bits & sign ? bits ^ sign
                                                     : 0 - bits);
    Float key;
    memcpy(&key, &raw, sizeof(key));
    return key;
  }
};

template <class Pointer>
struct pointer_bits : num_ordered_bits<bits_of_size<Pointer>> {
  __host__ __device__ static std::uintptr_t of(Pointer key) { return reinterpret_cast<std::uintptr_t>(key); }
};

template <class Enum>
struct enum_bits : num_ordered_bits<bits_of_size<Enum>> {
  using underlying = std::underlying_type_t<Enum>;
  __host__ __device__ static ordered_bits_t<underlying> of(Enum key) {
    return radix_traits<underlying>::of(static_cast<underlying>(key));
  }
  __host__ __device__ static Enum key_of(ordered_bits_t<underlying> bits) {
    return static_cast<Enum>(radix_traits<underlying>::key_of(bits));
  }
};

template <class Key>
using declared_key_t =
    std::remove_cv_t<std::remove_reference_t<decltype(radix_key<Key>::of(std::declval<Key const&>()))>>;

template <class Key>
struct declared_bits : num_ordered_bits<radix_traits<declared_key_t<Key>>::bits> {
  static_assert(declared_bits::bits > 0,
                "mgpu: radix_key<T>::of must return a number, or a pair or tuple of numbers, of at most 128 bits, "
                "and none of long double");
  __host__ __device__ static auto of(Key const& key) {
    return radix_traits<declared_key_t<Key>>::of(radix_key<Key>::of(key));
  }
};

// The bits of the elements are joined, the first element's on top. Elements may be references, as cuda::std::tie
// makes them.
template <class Element>
using element_traits = radix_traits<std::remove_cv_t<std::remove_reference_t<Element>>>;

template <class... Elements>
constexpr int joined_bits() {
  int const sum = (0 + ... + element_traits<Elements>::bits);
  return (true && ... && (element_traits<Elements>::bits > 0)) && sum <= max_radix_bits ? sum : 0;
}

template <class Element, class Bits>
__host__ __device__ Bits append(Bits above, Element const& element) {
  using traits = element_traits<Element>;
  if constexpr (traits::bits == 8 * sizeof(Bits)) {  // it is the only element, so nothing is above it
    return traits::of(element);
  } else {
    return static_cast<Bits>(above << traits::bits | traits::of(element));
  }
}

template <class Pair, class First, class Second>
struct pair_bits : num_ordered_bits<joined_bits<First, Second>()> {
  using Bits = typename pair_bits::bits_type;
  __host__ __device__ static Bits of(Pair const& key) {
    return impl::append<Second>(impl::append<First>(Bits{0}, key.first), key.second);
  }
};

template <int>
void get() = delete;  // makes get<i>(tuple) a template call, which is then looked up in the tuple's own namespace

template <class Tuple, class... Elements>
struct tuple_bits : num_ordered_bits<joined_bits<Elements...>()> {
  using Bits = typename tuple_bits::bits_type;
  __host__ __device__ static Bits of(Tuple const& key) { return of(key, std::index_sequence_for<Elements...>{}); }

 private:
  template <std::size_t... i>
  __host__ __device__ static Bits of(Tuple const& key, std::index_sequence<i...>) {
    Bits all = 0;
    ((all = impl::append<Elements>(all, get<i>(key))), ...);
    return all;
  }
};

template <class Key>
struct product_bits : num_ordered_bits<0> {};
template <class First, class Second>
struct product_bits<std::pair<First, Second>> : pair_bits<std::pair<First, Second>, First, Second> {};
template <class First, class Second>
struct product_bits<cuda::std::pair<First, Second>> : pair_bits<cuda::std::pair<First, Second>, First, Second> {};
template <class... Elements>
struct product_bits<cuda::std::tuple<Elements...>> : tuple_bits<cuda::std::tuple<Elements...>, Elements...> {};
// std::get is a host function to nvcc, as std::tuple's operator< is: without this option no backend can look into a
// std::tuple on the device.
#if !defined(__CUDACC__) || defined(__CUDACC_RELAXED_CONSTEXPR__)
template <class... Elements>
struct product_bits<std::tuple<Elements...>> : tuple_bits<std::tuple<Elements...>, Elements...> {};
#endif

template <class Key>
constexpr auto select_radix_traits() {
  if constexpr (has_declared_key<Key>) {
    return declared_bits<Key>{};
  } else if constexpr (is_integer<Key>) {
    return integer_bits<Key>{};
  } else if constexpr (is_ieee_float<Key>) {
    return float_bits<Key>{};
  } else if constexpr (std::is_pointer_v<Key>) {
    return pointer_bits<Key>{};
  } else if constexpr (std::is_enum_v<Key>) {
    return std::conditional_t<has_own_order<Key>, num_ordered_bits<0>, enum_bits<Key>>{};
  } else {
    return product_bits<Key>{};
  }
}

}  // namespace impl

template <class Key>
struct radix_traits : decltype(impl::select_radix_traits<Key>()) {};

namespace impl {
template <class Key>
using key_of_bits = decltype(radix_traits<Key>::key_of(std::declval<ordered_bits_t<Key>>()));
}  // namespace impl

// Tells whether equal bits mean the same key, which can be made of them: so it is for integers and enumerations.
template <class Key>
constexpr bool has_key_of_bits = impl::compiles<impl::key_of_bits, Key>;

}  // namespace mgpu::detail
