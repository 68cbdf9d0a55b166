// The kinds of reduction that are measured, per item type.
#pragma once
#include <harness/cases.h>
#include <harness/operations.h>

namespace perf {

// Accumulated is in Sum, or if that is none, in the items' own type.
template <class Op_, class Access_ = direct, class Sum_ = none>
struct reduction {
  using Op = Op_;
  using Access = Access_;
  template <class Key>
  using Sum = std::conditional_t<std::is_same_v<Sum_, none>, Key, Sum_>;
};

template <>
inline constexpr char const* name_of<reduction<plus>> = "plus";
template <>
inline constexpr char const* name_of<reduction<plus, computed>> = "plus_computed";
template <>
inline constexpr char const* name_of<reduction<plus, direct, u32>> = "plus_in_u32";
template <>
inline constexpr char const* name_of<reduction<maximum>> = "max";
template <>
inline constexpr char const* name_of<reduction<compose>> = "compose";

template <class Key>
struct reduce_problems {
  using all = problems<operation<reduction<plus>>>;
};
template <>
struct reduce_problems<u8> {
  using all = problems<operation<reduction<plus, direct, u32>>>;
};
template <>
struct reduce_problems<u32> {
  using all = problems<operation<reduction<plus>>, operation<reduction<maximum>>>;
};
template <>
struct reduce_problems<f32> {
  using all = problems<operation<reduction<plus>>, operation<reduction<plus, computed>>>;
};
template <>
struct reduce_problems<affine> {
  using all = problems<operation<reduction<compose>>>;
};

}  // namespace perf
