// A radix sort can follow these orders: those of less and greater, on keys that have ordered bits.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/dispatch/functional.h>
#include <utility>

namespace mgpu::detail {

enum class sort_order { none, ascending, descending };  // none: the comparator alone knows it

namespace impl {
// Thrust's function objects are aliases of libcu++'s. A less or greater of another type than the key's converts keys
// before it compares them, so it has no natural order.
template <class Comp, class Key>
constexpr sort_order order_of = sort_order::none;
template <class Key>
inline constexpr sort_order order_of<cuda::std::less<Key>, Key> = sort_order::ascending;
template <class Key>
inline constexpr sort_order order_of<cuda::std::less<void>, Key> = sort_order::ascending;
template <class Key>
inline constexpr sort_order order_of<cuda::std::greater<Key>, Key> = sort_order::descending;
template <class Key>
inline constexpr sort_order order_of<cuda::std::greater<void>, Key> = sort_order::descending;
}  // namespace impl

// The direction in which Comp orders keys by their operator<; none, if it does not or nobody can tell.
template <class Comp, class Key>
constexpr sort_order natural_order = impl::order_of<decltype(device_function(std::declval<Comp>())), Key>;

// Compares keys by the bits that digits are taken from.
template <bool descending>
struct compare_bits {
  template <class Key>
  __host__ __device__ bool operator()(Key const& a, Key const& b) const {
    return descending ? detail::ordered_bits(b) < detail::ordered_bits(a)
                      : detail::ordered_bits(a) < detail::ordered_bits(b);
  }
};

enum class sort_backend { radix, merge };

template <class Key, class Comp>
constexpr sort_backend sort_backend_of =
    has_ordered_bits<Key>&& natural_order<Comp, Key> != sort_order::none ? sort_backend::radix : sort_backend::merge;

}  // namespace mgpu::detail
