// The host policy: reducing on this machine's CPU, in the calling thread.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>
#include <utility>

namespace mgpu::detail {

// From left to right, every item as T, which need only be movable.
template <class T, class Input, class Unary, class Op>
T host_reduce(Input first, std::int64_t num_items, Unary unary, T init, Op op) {
  for (std::int64_t i = 0; i < num_items; ++i) {
    init = static_cast<T>(op(std::move(init), static_cast<T>(unary(*(first + i)))));
  }
  return init;
}

}  // namespace mgpu::detail
