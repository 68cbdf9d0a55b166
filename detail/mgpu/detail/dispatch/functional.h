// The device gets a twin of each comparator of the standard library here.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/dispatch/std_functions.h>

namespace mgpu::detail {

namespace impl {

// Returns the twin if the function is std's own, and else the function itself.
template <class Twin, bool is_stds_own, class Function>
auto twin_of(Function function) {
  if constexpr (is_stds_own) {
    return Twin{};
  } else {
    return function;
  }
}
template <class Twin, class T, class Comp>
auto order_twin(Comp comp) {
  constexpr bool is_stds_own = is_number_or_void<T> || is_stds_order<Comp, Twin, T>;
  return impl::twin_of<Twin, is_stds_own>(comp);
}

}  // namespace impl

// Returns the function that kernels call. std's function objects are host functions to nvcc; their twins in libcu++
// run on both sides. Any other function is called itself. So is one that may be the program's specialisation: if it
// is std's own after all, nvcc refuses it in kernels, unless --expt-relaxed-constexpr allows it.
template <class Function>
Function device_function(Function function) {
  return function;
}
template <class T>
auto device_function(std::less<T> function) {
  return impl::order_twin<cuda::std::less<T>, T>(function);
}
template <class T>
auto device_function(std::greater<T> function) {
  return impl::order_twin<cuda::std::greater<T>, T>(function);
}

}  // namespace mgpu::detail
