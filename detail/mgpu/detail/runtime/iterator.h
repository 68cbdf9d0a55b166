// The user's iterators are taken apart here.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/runtime/thrust.h>
#include <type_traits>

namespace mgpu::detail {

// Returns the raw pointer behind a contiguous iterator (a pointer, a device_ptr, a vector's iterator), and any other
// iterator as it is.
template <class Iterator>
auto unwrap(Iterator it) {
  if constexpr (std::is_pointer_v<Iterator> || !is_contiguous<Iterator>) {
    return it;
  } else if constexpr (std::is_lvalue_reference_v<decltype(*it)>) {
    return detail::address_of(*it);
  } else {
    return detail::raw_pointer(&*it);  // the reference is one of Thrust's, which knows its address
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

}  // namespace mgpu::detail
