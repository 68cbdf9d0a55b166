// Types alone tell here whether a comparison may take long.
#pragma once
#include <mgpu/detail/core/config.h>
#include <type_traits>

namespace mgpu::detail {

// Tells whether there is room for a pointer in a T.
template <class T>
constexpr bool has_room_for_pointer = !std::is_empty_v<T> && alignof(T) >= alignof(void*);

// Tells whether comparisons are likely to wait for memory: the keys are pointers, or comp may hold one.
template <class Key, class Comp>
constexpr bool may_follow_pointers = std::is_pointer_v<Key> || has_room_for_pointer<Comp>;

// Tells whether comparisons are likely to be quick: neither comp nor the key, which may be a number of any size, has room
// for a pointer.
template <class Key, class Comp>
constexpr bool compares_quickly = !may_follow_pointers<Key, Comp> &&
                                  (std::is_arithmetic_v<Key> || std::is_enum_v<Key> || !has_room_for_pointer<Key>);

}  // namespace mgpu::detail
