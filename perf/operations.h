// These are the scans and reductions that are measured, and what makes their results right. They differ in the type
// of the items, the operator, and how the items are reached.
#pragma once
#include <harness/items.h>
#include <cuda/functional>
#include <cuda/std/functional>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <algorithm>
#include <future>
#include <thread>
#include <tuple>
#include <vector>

namespace perf {

// --- Operators, of which every library is given the same
using plus = cuda::std::plus<>;
using maximum = cuda::maximum<>;

// Makes the map that does `first`, then `second`.
struct compose {
  __host__ __device__ constexpr affine operator()(affine const& first, affine const& second) const {
    return {second.scale * first.scale, second.scale * first.shift + second.shift};
  }
};

// Adds integers of 128 bits whose low half is `order`. This is a user's own operator on a user's own struct.
struct plus_128 {
  __host__ __device__ constexpr s16 operator()(s16 const& a, s16 const& b) const {
    u64 const low = a.order + b.order;
    return {low, a.id + b.id + (low < a.order ? 1 : 0)};
  }
};

inline std::string name_of(plus) { return "plus"; }
inline std::string name_of(maximum) { return "max"; }
inline std::string name_of(compose) { return "compose"; }
inline std::string name_of(plus_128) { return "plus_128"; }

template <class Op>
constexpr bool commutes = !std::is_same_v<Op, compose>;

// Returns the operators' neutral element, which a scan or reduction with an init begins with.
template <class T>
__host__ __device__ constexpr T initial() {
  if constexpr (std::is_same_v<T, affine>) {
    return {1, 0};
  } else {
    return {};
  }
}

// --- How items are reached, and what rows append to the operator's name
struct direct {  // takes pointers
  static constexpr char const* suffix = "";
};
struct unaligned {  // takes pointers to one item after where memory is aligned, which inputs see to
  static constexpr char const* suffix = "_unaligned";
};
struct computed {  // takes iterators that compute
  static constexpr char const* suffix = "_computed";
};

// The iterators compute this on the way in and out. It is its own inverse, and for integers not a minus sign, since
// two of those, before and after a sum, cancel.
template <class T>
using opposite = std::conditional_t<std::is_floating_point_v<T>, cuda::std::negate<>, cuda::std::bit_not<>>;

// Returns an iterator over items in memory, to read them if they are const, else to write results.
template <class Access, class T>
__host__ __device__ auto iterator_over(T* items) {
  if constexpr (!std::is_same_v<Access, computed>) {
    return items;
  } else if constexpr (std::is_const_v<T>) {
    return thrust::make_transform_iterator(items, opposite<T>{});
  } else {
    return thrust::make_transform_output_iterator(items, opposite<T>{});
  }
}

// This accumulates items of type Key in a Sum.
template <class Key_, class Op_, class Access_ = direct, class Sum_ = Key_>
struct operation {
  using Key = Key_;
  using Op = Op_;
  using Access = Access_;
  using Sum = Sum_;

  static std::string name() {
    return name_of(Op{}) + Access::suffix + (std::is_same_v<Sum, Key> ? "" : "_in_" + name_of(Sum{}));
  }

  // Returns item i of n as the operator sees it. It is computed again, as a library could have altered it in memory.
  __host__ __device__ static Key item(distribution from, u64 i, u64 n) {
    Key const in_memory = key_at<Key>(from, i, n);
    return *iterator_over<Access>(&in_memory);
  }
};

// --- Scans
template <bool inclusive_, class Key, class Op, class Access>
struct scan_of : operation<Key, Op, Access> {
  static constexpr bool inclusive = inclusive_;
  static std::string name() { return (inclusive ? "inclusive_" : "exclusive_") + operation<Key, Op, Access>::name(); }
};
template <class Key, class Op, class Access = direct>
using exclusive = scan_of<false, Key, Op, Access>;
template <class Key, class Op, class Access = direct>
using inclusive = scan_of<true, Key, Op, Access>;

using scans = std::tuple<exclusive<u32, plus>, exclusive<u32, plus, unaligned>, exclusive<u32, plus, computed>,
                         inclusive<u32, plus>, inclusive<u32, maximum>, exclusive<u64, plus>, exclusive<f32, plus>,
                         exclusive<s16, plus_128>, inclusive<affine, compose>>;

// Returns whether the result at i is that of the items 0 to i, given that the one before it is right. The operators
// are exact on what the distribution gives, floats included, so if this holds everywhere, all results are those of a
// scan from left to right.
template <class Scan, class Key>
__host__ __device__ bool follows(Key const* results, distribution from, u64 i, u64 n) {
  auto const result = iterator_over<typename Scan::Access>(results);
  typename Scan::Op const op{};
  if constexpr (Scan::inclusive) {
    Key const item = Scan::item(from, i, n);
    return result[i] == (i == 0 ? item : op(result[i - 1], item));
  } else {
    return result[i] == (i == 0 ? initial<Key>() : op(result[i - 1], Scan::item(from, i - 1, n)));
  }
}

// --- Reductions
template <class Key, class Op, class Access = direct, class Sum = Key>
using reduction = operation<Key, Op, Access, Sum>;

using reductions = std::tuple<reduction<u32, plus>, reduction<u32, maximum>, reduction<u8, plus, direct, u32>,
                              reduction<u64, plus>, reduction<f32, plus>, reduction<f32, plus, computed>,
                              reduction<f64, plus>, reduction<affine, compose>>;

// Returns what the init and all n items come to, from the first to the last. Several threads take a part each, which
// changes nothing, since the init is neutral, and the operators are exact on what the distribution gives, floats
// included.
template <class Reduction>
auto reference(distribution from, std::int64_t n, int threads = std::max(std::thread::hardware_concurrency(), 1u)) {
  using Sum = typename Reduction::Sum;
  typename Reduction::Op const op{};
  auto const reduce = [=](int part) {
    Sum sum = initial<Sum>();
    std::int64_t const last = n * (part + 1) / threads;
    for (std::int64_t i = n * part / threads; i < last; ++i)
      sum = op(sum, static_cast<Sum>(Reduction::item(from, i, n)));
    return sum;
  };
  std::vector<std::future<Sum>> parts;
  for (int part = 0; part < threads; ++part) parts.push_back(std::async(std::launch::async, reduce, part));
  Sum sum = initial<Sum>();
  for (auto& each : parts) sum = op(sum, each.get());
  return sum;
}

// Returns whether a result is right as far as the order of the items has no influence on it.
inline bool equal_but_for_order(affine a, affine b) { return a.scale == b.scale; }
template <class Sum>
bool equal_but_for_order(Sum const& a, Sum const& b) {
  return a == b;
}

}  // namespace perf
