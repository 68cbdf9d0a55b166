// The scans that are measured, and what makes their results right, on host and device.
#pragma once
#include <harness/distributions.h>
#include <harness/operations.h>
#include <string>

namespace perf {

template <bool inclusive_, class Key_, class Op_, class Access_>
struct scan_of {
  static constexpr bool inclusive = inclusive_;
  using Key = Key_;
  using Op = Op_;
  using Access = Access_;
  static std::string name() {
    return std::string(inclusive ? "inclusive_" : "exclusive_") + name_of(Op{}) + suffix_of(Access{});
  }
};
template <class Key, class Op, class Access = direct>
using exclusive = scan_of<false, Key, Op, Access>;
template <class Key, class Op, class Access = direct>
using inclusive = scan_of<true, Key, Op, Access>;

using scans = list<exclusive<u32, plus>, exclusive<u32, plus, unaligned>, exclusive<u32, plus, computed>,
                   inclusive<u32, plus>, inclusive<u32, maximum>, exclusive<u64, plus>, exclusive<f32, plus>,
                   exclusive<s16, plus_128>, inclusive<affine, compose>>;

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
