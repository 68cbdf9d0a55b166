// Taking the user's iterators apart.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/host/thrust.h>
#include <type_traits>

namespace mgpu::detail {

// The raw pointer behind a contiguous iterator (a pointer, a device_ptr, a vector's iterator); any other as it is.
template <class Iterator>
auto unwrap(Iterator it) {
  if constexpr (std::is_pointer_v<Iterator> || !is_contiguous<Iterator>) {
    return it;
  } else {
    return detail::raw_pointer(&*it);
  }
}
inline no_values unwrap(no_values it) { return it; }
template <class Index>
counting_iterator<Index> unwrap(counting_iterator<Index> it) {
  return it;
}
template <class T>
discard_iterator<T> unwrap(discard_iterator<T> it) {
  return it;
}

// Whether kernels may read and write the range as plain memory.
template <class Iterator>
constexpr bool is_pointer_to_mutable =
    std::is_pointer_v<Iterator> && !std::is_const_v<std::remove_pointer_t<Iterator>>;

}  // namespace mgpu::detail
