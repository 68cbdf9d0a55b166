// Types alone tell here whether a comparison may take long.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/pair_tuple.h>
#include <mgpu/detail/core/radix_kind.h>
#include <mgpu/detail/core/radix_traits.h>
#include <vector_types.h>
#include <type_traits>

namespace mgpu {
template <class T>
struct holds_pointer;  // the user specialises it: see <mgpu/holds_pointer.h>
}  // namespace mgpu

namespace mgpu::detail {

namespace impl {

template <class T, class... Types>
constexpr bool is_one_of = (std::is_same_v<T, Types> || ...);

// CUDA's vectors of numbers, of at most 16 bytes, that are aligned like pointers.
template <class T>
constexpr bool is_vector_of_numbers =
    is_one_of<T, short4, ushort4, int2, uint2, float2, long1, ulong1, longlong1, ulonglong1, double1> ||
    is_one_of<T, int4, uint4, float4, long2, ulong2, longlong2, ulonglong2, double2>;

template <class T>
constexpr bool is_declared = compiles<size_of, holds_pointer<T>>;

template <class T>
constexpr bool may_hold_pointer();

// A type's alignment tells whether there is room for a pointer; pairs and tuples are asked for their elements. Nothing is
// asked of a class in which nvcc's two compilers may differ, as they do in whether one with an array of no elements is empty.
template <class T>
struct has_room_for_pointer
    : std::bool_constant<alignof(T) >= alignof(void*) && !std::is_enum_v<T> && !is_integer<T> &&
                         !std::is_floating_point_v<T> && !is_vector_of_numbers<T>> {};
template <class First, class Second>
struct has_room_for_pointer<std::pair<First, Second>>
    : std::bool_constant<may_hold_pointer<First>() || may_hold_pointer<Second>()> {};
template <class First, class Second>
struct has_room_for_pointer<cuda::std::pair<First, Second>>
    : std::bool_constant<may_hold_pointer<First>() || may_hold_pointer<Second>()> {};
template <class... Elements>
struct has_room_for_pointer<std::tuple<Elements...>> : std::bool_constant<(may_hold_pointer<Elements>() || ...)> {};
template <class... Elements>
struct has_room_for_pointer<cuda::std::tuple<Elements...>>
    : std::bool_constant<(may_hold_pointer<Elements>() || ...)> {};

// A declaration of the user's overrides what the type is made of.
template <class T>
constexpr bool may_hold_pointer() {
  using bare = std::remove_cv_t<T>;
  if constexpr (std::is_reference_v<T>) {
    return true;
  } else if constexpr (is_declared<bare>) {
    return holds_pointer<bare>::value;
  } else {
    return has_room_for_pointer<bare>::value;
  }
}

// Pointers are there to be followed, and so is what is declared to hold one; other keys may have numbers in that room.
template <class Key>
constexpr bool is_followed = may_hold_pointer<Key>() && (std::is_pointer_v<Key> || is_declared<Key>);

}  // namespace impl

// Tells whether comparisons are likely to wait for memory: the keys are there to be followed, or comp may hold a pointer.
template <class Key, class Comp>
constexpr bool may_follow_pointers = impl::is_followed<Key> || impl::may_hold_pointer<Comp>();

// Tells whether comparisons are likely to be quick: neither comp nor the key may hold a pointer.
template <class Key, class Comp>
constexpr bool compares_quickly = !may_follow_pointers<Key, Comp> && !impl::may_hold_pointer<Key>();

}  // namespace mgpu::detail
