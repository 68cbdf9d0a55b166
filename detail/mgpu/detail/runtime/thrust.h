// The library declares what it names of Thrust, and does not define it. A file that gives a call something of
// Thrust's has included its header; any other does without Thrust's headers, which take a compiler longer than this
// library.
#pragma once
#include <mgpu/detail/core/config.h>
#include <thrust/detail/execution_policy.h>
#include <type_traits>
#include <utility>
#include <vector>

THRUST_NAMESPACE_BEGIN
struct any_system_tag;
template <class Iterator>
struct iterator_system;
template <class Iterator>
struct proclaim_contiguous_iterator;
namespace cuda_cub {
struct tag;
template <class Derived>
struct execution_policy;
}  // namespace cuda_cub
THRUST_NAMESPACE_END

// A program may keep Thrust in a namespace of its own (THRUST_CUB_WRAPPED_NAMESPACE).
namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {
namespace thrust = THRUST_NS_QUALIFIER;
}
}  // namespace mgpu

namespace mgpu::detail {

// defined_elsewhere is T, which a template may use before it is defined, as long as the template is not instantiated.
template <class T, class>
struct dependent {
  using type = T;
};
template <class T, class Argument>
using defined_elsewhere = typename dependent<T, Argument>::type;

// Returns the address in a pointer, which may be one of Thrust's.
template <class T>
T* raw_pointer(T* pointer) {
  return pointer;
}
template <class Pointer>
auto raw_pointer(Pointer const& pointer) -> decltype(raw_pointer(pointer.get())) {
  return detail::raw_pointer(pointer.get());
}

// --- Iterators are contiguous if Thrust says so, and if they are a vector's.

template <class Iterator, class = void>
constexpr bool is_proclaimed_contiguous = false;
template <class Iterator>
inline constexpr bool is_proclaimed_contiguous<
    Iterator, std::enable_if_t<sizeof(thrust::proclaim_contiguous_iterator<Iterator>) != 0>> =
    thrust::proclaim_contiguous_iterator<Iterator>::value;

template <class Iterator, class = void>
constexpr bool is_thrust_pointer = false;
template <class Iterator>
inline constexpr bool is_thrust_pointer<Iterator, std::void_t<typename Iterator::raw_pointer>> = true;

template <class Iterator>
constexpr bool is_vector_iterator = false;
#if defined(__GLIBCXX__)
template <class Pointer, class Container>
inline constexpr bool is_vector_iterator<__gnu_cxx::__normal_iterator<Pointer, Container>> = true;
#elif defined(_LIBCPP_VERSION)
template <class Pointer>
inline constexpr bool is_vector_iterator<std::__wrap_iter<Pointer>> = true;
#endif

template <class Iterator>
constexpr bool is_contiguous =
#if defined(__cpp_lib_concepts)
    std::contiguous_iterator<Iterator> ||
#endif
    is_thrust_pointer<Iterator> || is_vector_iterator<Iterator> || is_proclaimed_contiguous<Iterator>;

// --- The system of an iterator is void, which means the host, where Thrust knows nothing of it, and for plain
// pointers.

template <class Iterator, class = void>
struct iterator_system {
  using type = void;
};
template <class Iterator>
struct iterator_system<Iterator, std::void_t<typename thrust::iterator_system<Iterator>::type>> {
  using type = typename thrust::iterator_system<Iterator>::type;
};
template <class T>
struct iterator_system<T*, void> {
  using type = void;
};

}  // namespace mgpu::detail
