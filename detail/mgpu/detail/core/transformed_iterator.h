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
    Function f = function;  // the user's operator() may not be const
    auto const& item = *it;
    return static_cast<T>(f(item));
  }
};

// Reads an item, and makes a value of it, in two steps: what is read may have to be dropped before the user's
// function sees it. That is so for plain memory; what another iterator computes it computes when it reads.
template <class Iterator>
struct item_reader {
  using item = iterator_value_t<Iterator>;
  static __device__ item read(Iterator const& it, std::int64_t i) { return *(it + i); }
  static __device__ item const& convert(Iterator const&, item const& x) { return x; }
};
template <class T, class Item, class Function>
struct item_reader<transformed_iterator<T, Item*, Function>> {
  using item = std::remove_cv_t<Item>;
  static __device__ item read(transformed_iterator<T, Item*, Function> const& it, std::int64_t i) { return it.it[i]; }
  static __device__ T convert(transformed_iterator<T, Item*, Function> const& it, item const& x) {
    Function f = it.function;
    return static_cast<T>(f(x));
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
