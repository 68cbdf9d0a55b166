// Types alone tell here whether a comparison may take long.
#pragma once
#include <mgpu/detail/core/config.h>
#include <type_traits>

namespace mgpu::detail {

// Tells whether there is room for a pointer in a T.
template <class T>
constexpr bool has_room_for_pointer = !std::is_empty_v<T> && alignof(T) >= alignof(void*);

namespace impl {

// These stand for a member's first value: one for that of a number alone, the other one for any.
struct any_number {
  template <class T, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>, int> = 0>
  operator T() const;
};
struct anything {
  template <class T>
  operator T() const;
};

template <class T, class = void, class... Members>
constexpr bool begins_with = false;
template <class T, class... Members>
constexpr bool begins_with<T, std::void_t<decltype(T{Members()...})>, Members...> = true;

// Tells whether a T is a number, or an aggregate, such as a struct without constructors, of numbers alone, the first of
// which are those.
template <class T, class... Numbers>
constexpr bool is_made_of_numbers() {
  if constexpr (!std::is_aggregate_v<T>) {
    return std::is_arithmetic_v<T> || std::is_enum_v<T>;
  } else if constexpr (begins_with<T, void, Numbers..., any_number>) {
    return impl::is_made_of_numbers<T, Numbers..., any_number>();
  } else {
    return sizeof...(Numbers) > 0 && !begins_with<T, void, Numbers..., anything>;
  }
}

}  // namespace impl

// Tells whether comparisons are likely to wait for memory: the keys are pointers, or comp may hold one.
template <class Key, class Comp>
constexpr bool may_follow_pointers = std::is_pointer_v<Key> || has_room_for_pointer<Comp>;

// Tells whether comparisons are likely to be quick: neither comp nor the key, unless it is made of numbers, has room for a
// pointer.
template <class Key, class Comp>
constexpr bool compares_quickly =
    !may_follow_pointers<Key, Comp> && (!has_room_for_pointer<Key> || impl::is_made_of_numbers<Key>());

}  // namespace mgpu::detail
