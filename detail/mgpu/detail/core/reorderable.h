// An operator on numbers is reorderable if its operands may be taken in any order, as nobody can tell. Which ones are is
// said in core/reorderable_operators.h, which sorts do without, as it takes a compiler long.
#pragma once
#include <mgpu/detail/core/config.h>

namespace mgpu::detail {

enum class reorderable_kind { none, sum, maximum, minimum };

// Specialisations have an identity: op(x, identity) is x.
template <class Op, class T, class = void>
struct reorderable {
  static constexpr reorderable_kind kind = reorderable_kind::none;
};
template <class Op, class T>
constexpr bool is_reorderable = reorderable<Op, T>::kind != reorderable_kind::none;
template <class Op, class T>
constexpr bool is_sum = reorderable<Op, T>::kind == reorderable_kind::sum;

}  // namespace mgpu::detail
