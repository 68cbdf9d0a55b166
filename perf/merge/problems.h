// The kinds of merge that are measured, per key type.
#pragma once
#include <harness/cases.h>

namespace perf {

template <class Key>
struct merge_problems;
template <>
struct merge_problems<u32> {
  using all = problems<problem<none, natural>, problem<u32, natural>, problem<b200, natural>>;
};
template <>
struct merge_problems<u64> {
  using all = problems<problem<none, natural>, problem<u64, natural>>;
};
template <>
struct merge_problems<f32> {
  using all = problems<problem<none, natural>>;
};
template <>
struct merge_problems<s16> {
  using all = problems<problem<none, custom>, problem<u32, custom>>;
};

}  // namespace perf
