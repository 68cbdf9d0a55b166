// The fallback of a scan reads by this the input of a tile whose block may meanwhile overwrite it.
#pragma once
#include <mgpu/detail/core/item_image.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/transformed_iterator.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Reads an item, and makes a value of it, in two steps: what is read may have to be dropped before a function of the
// user's sees it, be it the item's own copy constructor. That is so for plain memory; another iterator computes its
// items when it reads.
template <class Iterator>
struct item_reader {
  using item = iterator_value_t<Iterator>;
  static __device__ item read(Iterator const& it, std::int64_t i) { return *(it + i); }
  static __device__ item const& convert(Iterator const&, item const& x) { return x; }
};
template <class T, class Item, class Function>
struct item_reader<transformed_iterator<T, Item*, Function>> {
  using item = item_image<std::remove_cv_t<Item>>;
  static __device__ item read(transformed_iterator<T, Item*, Function> const& it, std::int64_t i) {
    return item::at(it.it + i);
  }
  static __device__ T convert(transformed_iterator<T, Item*, Function> const& it, item const& x) {
    Function f = it.function;
    return static_cast<T>(f(x.item()));
  }
};

}  // namespace mgpu::detail
