// What kernels ask of an iterator, and the few iterators that the library itself needs.
// A kernel reads with `T x = *(it + i)` and writes with `*(it + i) = x`: that much every random-access
// iterator can do, a fancy one included.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

namespace impl {
template <class Iterator>
struct iterator_value : std::remove_cv<typename Iterator::value_type> {};
template <class T>
struct iterator_value<T*> : std::remove_cv<T> {};
}  // namespace impl

template <class Iterator>
using iterator_value_t = typename impl::iterator_value<Iterator>::type;

// What is in a range. A last before the first makes it empty.
template <class Iterator>
std::int64_t num_items_in(Iterator first, Iterator last) {
  auto const distance = static_cast<std::int64_t>(last - first);
  return distance > 0 ? distance : 0;
}

// The value of a call without values, and the index of a kernel that tracks none.
// Moving it compiles to nothing, so kernels with and without values are one and the same.
struct no_value {
  no_value() = default;
  template <class T>
  __host__ __device__ constexpr explicit no_value(T) {}
  __host__ __device__ constexpr explicit operator int() const { return 0; }
};

template <class Value>
constexpr bool has_values = true;
template <>
inline constexpr bool has_values<no_value> = false;

// A range of no_value of any length, in no memory.
struct no_values {
  using value_type = no_value;
  __host__ __device__ friend no_values operator+(no_values it, std::int64_t) { return it; }
  __host__ __device__ no_value operator*() const { return {}; }
};

// first, first + 1, ...
template <class Index>
struct counting_iterator {
  using value_type = Index;
  Index first;
  __host__ __device__ friend counting_iterator operator+(counting_iterator it, std::int64_t distance) {
    return {static_cast<Index>(it.first + static_cast<Index>(distance))};
  }
  __host__ __device__ Index operator*() const { return first; }
};

// Where output goes that nobody wants.
template <class T>
struct discard_iterator {
  using value_type = T;
  struct sink {
    __host__ __device__ void operator=(T const&) const {}
  };
  __host__ __device__ friend discard_iterator operator+(discard_iterator it, std::int64_t) { return it; }
  __host__ __device__ sink operator*() const { return {}; }
};

// The items of another iterator as T, after `function` was applied to them.
template <class T, class Iterator, class Function>
struct transformed_iterator {
  using value_type = T;
  Iterator it;
  Function function;
  __host__ __device__ friend transformed_iterator operator+(transformed_iterator it, std::int64_t distance) {
    it.it = it.it + distance;
    return it;
  }
  __host__ __device__ T operator*() const {
    Function f = function;  // which may not be const
    return static_cast<T>(f(*it));
  }
};

// Reading an item and making a value of it, apart: what is read may have to be dropped, unseen by the function. Of
// plain memory, that is; what another iterator computes it computes when it reads.
template <class Iterator>
struct item_reader {
  using item = iterator_value_t<Iterator>;
  static __host__ __device__ item read(Iterator const& it, std::int64_t i) { return *(it + i); }
  static __host__ __device__ item const& convert(Iterator const&, item const& x) { return x; }
};
template <class T, class Item, class Function>
struct item_reader<transformed_iterator<T, Item*, Function>> {
  using item = std::remove_cv_t<Item>;
  static __host__ __device__ item read(transformed_iterator<T, Item*, Function> const& it, std::int64_t i) {
    return it.it[i];
  }
  static __host__ __device__ T convert(transformed_iterator<T, Item*, Function> const& it, item const& x) {
    Function f = it.function;
    return static_cast<T>(f(x));
  }
};

// The function that leaves an item as it is.
struct no_transform {
  template <class T>
  __host__ __device__ constexpr T const& operator()(T const& item) const {
    return item;
  }
};

// Whether each write moves a large item, so that many of them at a time would not fit into registers.
template <class Iterator>
constexpr bool writes_large_items = false;

template <class Iterator>
constexpr bool is_discard = false;
template <class T>
inline constexpr bool is_discard<discard_iterator<T>> = true;

}  // namespace mgpu::detail
