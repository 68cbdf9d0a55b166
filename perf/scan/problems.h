// The kinds of scan that are measured, per item type.
#pragma once
#include <harness/cases.h>
#include <harness/operations.h>

namespace perf {

template <bool inclusive_, class Op_, class Access_>
struct scan_of {
  static constexpr bool inclusive = inclusive_;
  using Op = Op_;
  using Access = Access_;
};
template <class Op, class Access = direct>
using exclusive = scan_of<false, Op, Access>;
template <class Op, class Access = direct>
using inclusive = scan_of<true, Op, Access>;

template <>
inline constexpr char const* name_of<exclusive<plus>> = "exclusive_plus";
template <>
inline constexpr char const* name_of<exclusive<plus, unaligned>> = "exclusive_plus_unaligned";
template <>
inline constexpr char const* name_of<exclusive<plus, computed>> = "exclusive_plus_computed";
template <>
inline constexpr char const* name_of<exclusive<plus_128>> = "exclusive_plus_128";
template <>
inline constexpr char const* name_of<inclusive<plus>> = "inclusive_plus";
template <>
inline constexpr char const* name_of<inclusive<maximum>> = "inclusive_max";
template <>
inline constexpr char const* name_of<inclusive<compose>> = "inclusive_compose";

template <class Key>
struct scan_problems;
template <>
struct scan_problems<u32> {
  using all =
      problems<operation<exclusive<plus>>, operation<exclusive<plus, unaligned>>,
               operation<exclusive<plus, computed>>, operation<inclusive<plus>>, operation<inclusive<maximum>>>;
};
template <>
struct scan_problems<u64> {
  using all = problems<operation<exclusive<plus>>>;
};
template <>
struct scan_problems<f32> {
  using all = problems<operation<exclusive<plus>>>;
};
template <>
struct scan_problems<s16> {
  using all = problems<operation<exclusive<plus_128>>>;
};
template <>
struct scan_problems<affine> {
  using all = problems<operation<inclusive<compose>>>;
};

}  // namespace perf
