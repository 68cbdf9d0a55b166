// Which orders a radix sort can follow: those of less and greater, on keys that have ordered bits.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/dispatch/functional.h>
#include <utility>

namespace mgpu::detail {

enum class sort_order { none, ascending, descending };  // none: known to the comparator alone

namespace impl {
// Thrust's are aliases of libcu++'s. A less or greater of another type than the key converts before it compares.
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

// The direction in which Comp orders keys by their operator<.
template <class Comp, class Key>
constexpr sort_order natural_order = impl::order_of<decltype(device_function(std::declval<Comp>())), Key>;

enum class sort_backend { radix, merge };

template <class Key, class Comp>
constexpr sort_backend sort_backend_of =
    has_ordered_bits<Key>&& natural_order<Comp, Key> != sort_order::none ? sort_backend::radix : sort_backend::merge;

}  // namespace mgpu::detail
