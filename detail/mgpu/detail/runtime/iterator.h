// The user's iterators are taken apart here, and their ranges measured.
#pragma once
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/thrust.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Returns how many items a range has; it is empty if its last is before its first.
template <class Iterator>
std::int64_t num_items_in(Iterator first, Iterator last) {
  auto const distance = static_cast<std::int64_t>(last - first);
  return distance > 0 ? distance : 0;
}

// Returns the raw pointer behind a contiguous iterator (a pointer, a device_ptr, a vector's iterator), and any other
// iterator as it is.
template <class Iterator>
auto unwrap(Iterator it) {
  if constexpr (std::is_pointer_v<Iterator> || !is_contiguous<Iterator>) {
    return it;
  } else if constexpr (std::is_lvalue_reference_v<decltype(*it)>) {
    return cuda::std::addressof(*it);
  } else {
    return detail::raw_pointer(&*it);  // the reference is one of Thrust's, which knows its address
  }
}

}  // namespace mgpu::detail
