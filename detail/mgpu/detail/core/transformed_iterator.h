// The items of a range after a function was applied to them.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_transform.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// The items of another iterator, as const ones, after `function` was applied to them and the result converted to T.
// operator* calls the user's function and is not compiled for the host: nvcc would only warn of a function that the
// device does not have.
template <class T, class Iterator, class Function>
struct transformed_iterator {
  using value_type = T;
  Iterator it;
  Function function;
  __host__ __device__ friend transformed_iterator operator+(transformed_iterator moved, std::int64_t distance) {
    moved.it = moved.it + distance;
    return moved;
  }
  __device__ T operator*() const {
    Function f = function;  // the user's operators may not be const
    Iterator from = it;
    auto const& item = *from;
    return static_cast<T>(f(item));
  }
};

// Returns an iterator over items of T: `in` itself where it needs no conversion, else an iterator that makes T of its
// items.
template <class T, class In, class Unary>
auto as_items(In in, Unary unary) {
  if constexpr (std::is_same_v<Unary, no_transform> && std::is_same_v<iterator_value_t<In>, T>) {
    return in;
  } else {
    return transformed_iterator<T, In, Unary>{in, unary};
  }
}

}  // namespace mgpu::detail
