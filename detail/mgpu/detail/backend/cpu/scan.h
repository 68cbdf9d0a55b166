// The host policy: scanning on this machine's CPU, by the C++ standard library.
#pragma once
#include <mgpu/detail/core/scan_problem.h>
#include <numeric>

namespace mgpu::detail {

// Scans the items, each transformed and converted to T. There is at least one, and the output may be the input.
template <class Problem, class Unary, class Op>
void host_scan(Problem const& problem, Unary unary, Op op) {
  using T = typename Problem::T;
  auto const in = problem.in;
  auto const out = problem.out;
  if constexpr (Problem::has_init) {
    if constexpr (Problem::has_total) {  // the total is found first, as the scan may overwrite its input
      *problem.total =
          std::accumulate(in, in + problem.num_items, static_cast<T>(problem.init),
                          [&](T const& sum, auto const& item) -> T { return op(sum, static_cast<T>(unary(item))); });
    }
    auto const as_t = [&](auto const& item) -> T { return static_cast<T>(unary(item)); };
    if constexpr (Problem::inclusive) {
      std::transform_inclusive_scan(in, in + problem.num_items, out, op, as_t, static_cast<T>(problem.init));
    } else {
      std::transform_exclusive_scan(in, in + problem.num_items, out, static_cast<T>(problem.init), op, as_t);
    }
  } else {
    auto const& item = *in;
    T const first = static_cast<T>(unary(item));
    if (problem.num_items > 1) {
      detail::host_scan(
          detail::scan_of<Problem::inclusive, T>(in + 1, out + 1, problem.total, problem.num_items - 1, first), unary,
          op);
    }
    *out = first;
    if constexpr (Problem::has_total) {
      if (problem.num_items == 1) *problem.total = first;
    }
  }
}

}  // namespace mgpu::detail
