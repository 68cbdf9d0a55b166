// Operators on numbers whose operands may be taken in any order, as nobody can tell: sums (of floats but for
// rounding), and the largest and the smallest of integers. They have an identity: op(x, identity) is x.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <cuda/std/limits>
#include <type_traits>
#if __has_include(<cuda/__functional/maximum.h>) && __has_include(<cuda/__functional/minimum.h>)
#include <cuda/__functional/maximum.h>
#include <cuda/__functional/minimum.h>
#else
#include <cuda/functional>
#endif

namespace mgpu::detail {

template <class Op, class T>
inline constexpr bool is_sum = std::is_arithmetic_v<T> && !std::is_same_v<T, bool> &&
                               (std::is_same_v<Op, cuda::std::plus<>> || std::is_same_v<Op, cuda::std::plus<T>>);
template <class Op, class T>
inline constexpr bool is_maximum = std::is_integral_v<T> &&
                                   (std::is_same_v<Op, cuda::maximum<>> || std::is_same_v<Op, cuda::maximum<T>>);
template <class Op, class T>
inline constexpr bool is_minimum = std::is_integral_v<T> &&
                                   (std::is_same_v<Op, cuda::minimum<>> || std::is_same_v<Op, cuda::minimum<T>>);

template <class Op, class T, class = void>
struct reorderable {
  static constexpr bool value = false;
};
template <class Op, class T>
struct reorderable<Op, T, std::enable_if_t<is_sum<Op, T>>> {
  static constexpr bool value = true;
  static constexpr T identity = static_cast<T>(-0.0f);  // adding -0.0 changes no float; as an integer it is 0
};
template <class Op, class T>
struct reorderable<Op, T, std::enable_if_t<is_maximum<Op, T>>> {
  static constexpr bool value = true;
  static constexpr T identity = cuda::std::numeric_limits<T>::lowest();
};
template <class Op, class T>
struct reorderable<Op, T, std::enable_if_t<is_minimum<Op, T>>> {
  static constexpr bool value = true;
  static constexpr T identity = cuda::std::numeric_limits<T>::max();
};

}  // namespace mgpu::detail
