// A user's function as kernels call it.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/dispatch/std_functions.h>
#include <type_traits>

namespace mgpu::detail {

// Returns the function that kernels call: the twin of one that has any, else the function itself.
template <class Function>
auto device_function(Function function) {
  using twin = typename impl::device_twin<Function>::type;
  if constexpr (std::is_same_v<twin, Function>) {
    return function;
  } else {
    return twin{};
  }
}

}  // namespace mgpu::detail
