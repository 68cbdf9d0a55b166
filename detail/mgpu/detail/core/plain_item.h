// Which items are copied by their bytes.
#pragma once
#include <mgpu/detail/core/config.h>
#include <type_traits>

namespace mgpu::detail {

// Tells whether the bytes of an item are a copy of it. That asks for less than trivially copyable, so that pairs and
// tuples of such items, whose assignment is not trivial, are plain too. Any other item has a copy constructor of its
// own.
template <class T>
constexpr bool is_plain = std::is_trivially_copy_constructible_v<T>&& std::is_trivially_destructible_v<T>;

}  // namespace mgpu::detail
