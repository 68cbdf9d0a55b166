// Kernels read from an iterator by `T x = *(it + i)` and write by `*(it + i) = x`, which fancy ones can do, too.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>
#include <type_traits>
#include <utility>
#if __has_include(<bits/stl_iterator_base_types.h>)
#include <bits/stl_iterator_base_types.h>  // the part of libstdc++'s <iterator> that is needed here
#else
#include <iterator>
#endif

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
namespace impl {
template <class Output>
constexpr bool takes_int64 =
    std::is_assignable_v<decltype(*(std::declval<Output&>() + std::int64_t{})), std::int64_t>;
}  // namespace impl

// The type of the indices that are written to an output, which converts them where its items are no numbers.
template <class Output>
using index_t = std::conditional_t<std::is_void_v<output_value_t<Output>> ||
                                       (!std::is_arithmetic_v<output_value_t<Output>> && impl::takes_int64<Output>),
                                   std::int64_t, output_value_t<Output>>;

// Tells whether what *it refers to stays there: an iterator that is no pointer may refer to something of its own.
template <class Iterator>
constexpr bool refers_to_memory = std::is_pointer_v<Iterator>;

// The type of *it for one that reads an item where it is: the item is copied only if it is not in memory.
template <class Iterator, class T = iterator_value_t<Iterator>>
using operand_t = std::conditional_t<refers_to_memory<Iterator>, T const&, T const>;

// Tells whether each write moves a large item, so that many of them at a time would not fit into registers.
template <class Iterator>
constexpr bool writes_large_items = false;

}  // namespace mgpu::detail
