// std's function objects are host functions to nvcc. Their twins in libcu++, which run on both sides, are named here:
// those of comparators in this file, those of operators in operators.h.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/radix_key.h>
#if __has_include(<bits/stl_function.h>)
#include <bits/stl_function.h>  // the part of libstdc++'s <functional> that is needed here
#else
#include <functional>
#endif
#include <type_traits>

namespace mgpu::detail {

namespace impl {

// A program may specialise std's functions for types of its own, and a specialisation need not do what std's does. It
// may not do so for numbers or void.
template <class T>
constexpr bool is_number_or_void = std::is_void_v<T> || std::is_arithmetic_v<T> || is_integer<T> || is_ieee_float<T>;

// These tell whether a less or greater of T looks like that of int, which is std's: by its base class, which is
// deduced as its name differs from library to library, and by its signature. (libstdc++'s base class is deprecated.)
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
template <class T, template <class, class, class> class Base>
Base<T, T, bool> const* base_of_less(Base<int, int, bool> const*);
template <class T>
struct no_base const* base_of_less(void const*);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

template <class Comp, class T, class = void>
constexpr bool has_signature_of_less = false;
template <class Comp, class T>
inline constexpr bool has_signature_of_less<Comp, T, std::void_t<decltype(&Comp::operator())>> =
    std::is_same_v<decltype(&Comp::operator()), bool (Comp::*)(T const&, T const&) const>;
template <class Comp, class T>
inline constexpr bool has_signature_of_less<Comp, T*, void> =
    std::is_nothrow_invocable_v<Comp, T*, T*> == std::is_nothrow_invocable_v<std::less<int*>, int*, int*>;

template <class Comp, class T>
constexpr bool has_base_of_less =
    std::is_convertible_v<Comp const*, decltype(impl::base_of_less<T>(static_cast<std::less<int> const*>(nullptr)))>;

// A less or greater of an enumeration can be asked for its answers, as std's are constant expressions.
template <class Comp, class Twin, class T, class = void>
constexpr bool answers_like_stds = !std::is_enum_v<T>;
template <class Comp, class Twin, class T>
inline constexpr bool answers_like_stds<
    Comp, Twin, T,
    std::enable_if_t<Comp{}(T(0), T(1)) == Twin{}(T(0), T(1)) && Comp{}(T(1), T(0)) == Twin{}(T(1), T(0))>> = true;

// Tells whether a comparator is std's own, as far as that can be told. It can for types with ordered bits, which have
// said what their order is. For any other type, what looks like std's may be the program's.
template <class Comp, class Twin, class T>
constexpr bool is_stds_order = [] {
  if constexpr (has_ordered_bits<T> && has_signature_of_less<Comp, T> && has_base_of_less<Comp, T>) {
    return answers_like_stds<Comp, Twin, T>;
  } else {
    return false;
  }
}();

// The twin of std's own function objects; any other function is its own. So is one that may be the program's
// specialisation: if it is std's own after all, nvcc refuses it in kernels, unless --expt-relaxed-constexpr allows it.
template <class Function>
struct device_twin {
  using type = Function;
};
template <class Function, class Twin, class T>
using order_twin = std::conditional<is_number_or_void<T> || is_stds_order<Function, Twin, T>, Twin, Function>;
template <class T>
struct device_twin<std::less<T>> : order_twin<std::less<T>, cuda::std::less<T>, T> {};
template <class T>
struct device_twin<std::greater<T>> : order_twin<std::greater<T>, cuda::std::greater<T>, T> {};

}  // namespace impl

}  // namespace mgpu::detail
