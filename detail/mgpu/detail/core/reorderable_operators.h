// These operators are reorderable: sums (of floats but for rounding), and the largest and the smallest of integers.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/reorderable.h>
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
struct reorderable<
    Op, T,
    std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<T, bool> &&
                     (std::is_same_v<Op, cuda::std::plus<>> || std::is_same_v<Op, cuda::std::plus<T>>)>> {
  static constexpr reorderable_kind kind = reorderable_kind::sum;
  static constexpr T identity = static_cast<T>(-0.0f);  // adding -0.0 changes no float; as an integer it is 0
};
template <class Op, class T>
struct reorderable<Op, T,
                   std::enable_if_t<std::is_integral_v<T> &&
                                    (std::is_same_v<Op, cuda::maximum<>> || std::is_same_v<Op, cuda::maximum<T>>)>> {
  static constexpr reorderable_kind kind = reorderable_kind::maximum;
  static constexpr T identity = cuda::std::numeric_limits<T>::lowest();
};
template <class Op, class T>
struct reorderable<Op, T,
                   std::enable_if_t<std::is_integral_v<T> &&
                                    (std::is_same_v<Op, cuda::minimum<>> || std::is_same_v<Op, cuda::minimum<T>>)>> {
  static constexpr reorderable_kind kind = reorderable_kind::minimum;
  static constexpr T identity = cuda::std::numeric_limits<T>::max();
};

}  // namespace mgpu::detail
