// The host policy: scanning on this machine's CPU, by the C++ standard library.
#pragma once
#include <mgpu/detail/core/iterator.h>
#include <cstdint>
#include <numeric>

namespace mgpu::detail {

// T is the type that is accumulated in; Init is T, or no_value. num_items > 0, and the output may be the input.
template <bool inclusive, class T, class In, class Out, class Total, class Unary, class Init, class Op>
void host_scan(In in, Out out, Total total, std::int64_t num_items, Unary unary, Init init, Op op) {
  if constexpr (has_values<Init>) {
    if constexpr (has_values<iterator_value_t<Total>>) {  // first: the scan may overwrite its input
      *total = std::accumulate(in, in + num_items, static_cast<T>(init), [&](T const& sum, auto const& item) -> T {
        return op(sum, static_cast<T>(unary(item)));
      });
    }
    auto const as_t = [&](auto const& item) -> T { return static_cast<T>(unary(item)); };
    if constexpr (inclusive) {
      std::transform_inclusive_scan(in, in + num_items, out, op, as_t, static_cast<T>(init));
    } else {
      std::transform_exclusive_scan(in, in + num_items, out, static_cast<T>(init), op, as_t);
    }
  } else {
    T const first = static_cast<T>(unary(*in));
    if (num_items > 1) host_scan<inclusive, T>(in + 1, out + 1, total, num_items - 1, unary, first, op);
    *out = first;
    if constexpr (has_values<iterator_value_t<Total>>) {
      if (num_items == 1) *total = first;
    }
  }
}

}  // namespace mgpu::detail
