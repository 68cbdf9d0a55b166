// The dispatch of every algorithm asks here how large its items are, and whether they are moved in every pass.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/plain_item.h>
#include <type_traits>

namespace mgpu::detail {

template <class T>
constexpr int bytes_of = has_values<T> ? static_cast<int>(sizeof(T)) : 0;

// Tell whether keys and values are moved in every pass. Larger ones cost less to gather once, by the order of their
// indices, and so may those whose copies are functions of their own.
template <class Key>
constexpr bool is_moved_key = is_plain<Key>&& bytes_of<Key> <= 32;
template <class Value>
constexpr bool is_moved_value = is_plain<Value>&& bytes_of<Value> <= 16;

template <class Tuning, class Default>
using tuning_or_default = std::conditional_t<std::is_void_v<Tuning>, Default, Tuning>;

}  // namespace mgpu::detail
