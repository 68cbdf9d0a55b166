// The host policy: reducing on this machine's CPU, in the calling thread.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>
#include <utility>

namespace mgpu::detail {

// Returns the reduction of the items from left to right, each transformed and converted to T. T need only be movable.
template <class Problem, class Unary, class Op>
typename Problem::T host_reduce(Problem problem, Unary unary, Op op) {
  using T = typename Problem::T;
  for (std::int64_t i = 0; i < problem.num_items; ++i) {
    auto const& item = *(problem.in + i);
    problem.init = static_cast<T>(op(std::move(problem.init), static_cast<T>(unary(item))));
  }
  return std::move(problem.init);
}

}  // namespace mgpu::detail
