// The kinds of sort that are measured, per key type.
#pragma once
#include <harness/cases.h>

namespace perf {

template <class Key>
struct sort_problems;
template <>
struct sort_problems<u8> {
  using all = problems<problem<none, natural>>;
};
template <>
struct sort_problems<u16> {
  using all = problems<problem<none, natural>>;
};
template <>
struct sort_problems<u32> {
  using all = problems<problem<none, natural>, problem<none, custom>, problem<u32, natural>, problem<u32, custom>,
                       problem<u64, natural>, problem<b32, natural>, problem<b32, custom>, problem<b200, natural>,
                       problem<b200, custom>>;
};
template <>
struct sort_problems<u64> {
  using all = problems<problem<none, natural>, problem<none, custom>, problem<u32, natural>, problem<u64, natural>,
                       problem<u64, custom>>;
};
template <>
struct sort_problems<f32> {
  using all = problems<problem<none, natural>, problem<none, custom>, problem<u32, natural>>;
};
template <>
struct sort_problems<f64> {
  using all = problems<problem<none, natural>, problem<none, custom>>;
};
template <>
struct sort_problems<s16> {
  using all = problems<problem<none, custom>, problem<u32, custom>>;
};

}  // namespace perf
