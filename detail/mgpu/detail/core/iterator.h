// This file has what kernels ask of an iterator, and the few iterators that the library itself needs. A kernel reads
// with `T x = *(it + i)` and writes with `*(it + i) = x`: every random-access iterator can do that much, a fancy one
// included.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace mgpu::detail {

namespace impl {
template <class Iterator, class = void>
struct value_of_member {};
template <class Iterator>
struct value_of_member<Iterator, std::void_t<typename Iterator::value_type>>
    : std::remove_cv<typename Iterator::value_type> {};

// The value type comes from std::iterator_traits, or from the member value_type of the library's own iterators, which
// are no complete iterators, so that the traits know nothing of them.
template <class Iterator, class = void>
struct iterator_value : value_of_member<Iterator> {};
template <class Iterator>
struct iterator_value<Iterator, std::void_t<typename std::iterator_traits<Iterator>::value_type>>
    : std::remove_cv<typename std::iterator_traits<Iterator>::value_type> {};
}  // namespace impl

// The value type of an input. An output, which is only written to, may have none, or void.
template <class Iterator>
using iterator_value_t = typename impl::iterator_value<Iterator>::type;

namespace impl {
template <class Output, class = void>
struct output_value {
  using type = void;
};
template <class Output>
struct output_value<Output, std::void_t<iterator_value_t<Output>>> {
  using type = iterator_value_t<Output>;
};
}  // namespace impl

// The value type of an output, or void where it has none.
template <class Output>
using output_value_t = typename impl::output_value<Output>::type;
// The type of the indices that are written to an output.
template <class Output>
using index_t = std::conditional_t<std::is_void_v<output_value_t<Output>>, std::int64_t, output_value_t<Output>>;

// Returns how many items a range has; it is empty if its last is before its first.
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

// A range of no_value, of any length, which takes no memory.
struct no_values {
  using value_type = no_value;
  __host__ __device__ friend no_values operator+(no_values it, std::int64_t) { return it; }
  __host__ __device__ no_value operator*() const { return {}; }
};

// Tells whether a range was given at all.
template <class Iterator>
constexpr bool is_given = !std::is_same_v<Iterator, no_values>;

// The range first, first + 1, and so on.
template <class Index>
struct counting_iterator {
  using value_type = Index;
  Index first;
  __host__ __device__ friend counting_iterator operator+(counting_iterator it, std::int64_t distance) {
    return {static_cast<Index>(it.first + static_cast<Index>(distance))};
  }
  __host__ __device__ Index operator*() const { return first; }
};

// An output that drops what is written to it.
template <class T>
struct discard_iterator {
  using value_type = T;
  struct sink {
    __host__ __device__ void operator=(T const&) const {}
  };
  __host__ __device__ friend discard_iterator operator+(discard_iterator it, std::int64_t) { return it; }
  __host__ __device__ sink operator*() const { return {}; }
};

// The items of another iterator, as const ones, after `function` was applied to them and the result converted to T.
// operator* calls the user's function and is not compiled for the host: nvcc would only warn of a function that the
// device does not have.
template <class T, class Iterator, class Function>
struct transformed_iterator {
  using value_type = T;
  Iterator it;
  Function function;
  __host__ __device__ friend transformed_iterator operator+(transformed_iterator it, std::int64_t distance) {
    it.it = it.it + distance;
    return it;
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

// A function that returns an item as it is.
struct no_transform {
  template <class T>
  __host__ __device__ constexpr T const& operator()(T const& item) const {
    return item;
  }
};

// Tells whether each write moves a large item, so that many of them at a time would not fit into registers.
template <class Iterator>
constexpr bool writes_large_items = false;

template <class Iterator>
constexpr bool is_discard = false;
template <class T>
inline constexpr bool is_discard<discard_iterator<T>> = true;

}  // namespace mgpu::detail
