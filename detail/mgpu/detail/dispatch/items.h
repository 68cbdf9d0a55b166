// The dispatch of every algorithm asks here how large its items are.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/no_values.h>
#include <type_traits>

namespace mgpu::detail {

// Items larger than these cost less to gather once than to move in every pass.
constexpr int max_moved_key_bytes = 32;
constexpr int max_moved_value_bytes = 16;

template <class T>
constexpr int bytes_of = has_values<T> ? static_cast<int>(sizeof(T)) : 0;

template <class Tuning, class Default>
using tuning_or_default = std::conditional_t<std::is_void_v<Tuning>, Default, Tuning>;

}  // namespace mgpu::detail
