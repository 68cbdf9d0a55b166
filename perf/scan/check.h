// What makes a scan's result right, item by item, on host and device.
#pragma once
#include <harness/distributions.h>
#include <harness/operations.h>

namespace perf {

// Whether the result at i is that of the items 0 to i, given that the one before it is right. The operators are exact
// on what the distribution gives, floats included, so if this holds everywhere, all results are those of a scan from
// left to right. The items are computed again, not read where the library could have altered them.
template <class Scan, class Key>
__host__ __device__ bool follows(Key const* results, distribution from, u64 i, u64 n) {
  using Access = typename Scan::Access;
  auto const item = [&](u64 at) { return through<Access>(key_at<Key>(from, at, n)); };
  auto const result = [&](u64 at) { return through<Access>(results[at]); };
  typename Scan::Op const op{};
  if constexpr (Scan::inclusive) {
    return result(i) == (i == 0 ? item(0) : op(result(i - 1), item(i)));
  } else {
    return result(i) == (i == 0 ? initial<Key>() : op(result(i - 1), item(i - 1)));
  }
}

}  // namespace perf
