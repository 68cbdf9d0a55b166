// The ordered bits of pairs and tuples.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/pair_tuple.h>
#include <mgpu/detail/core/radix_traits.h>
#include <cstddef>
#include <type_traits>

namespace mgpu::detail::impl {

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

}  // namespace mgpu::detail::impl
