// The reductions that are measured, and what their results have to be, computed on the CPU.
#pragma once
#include <harness/distributions.h>
#include <harness/operations.h>
#include <algorithm>
#include <cstdint>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace perf {

// Items of type Key are accumulated in a Sum.
template <class Key_, class Op_, class Access_ = direct, class Sum_ = Key_>
struct reduction {
  using Key = Key_;
  using Op = Op_;
  using Access = Access_;
  using Sum = Sum_;
  static std::string name() {
    std::string const of_items = std::string(name_of(Op{})) + suffix_of(Access{});
    return std::is_same_v<Sum, Key> ? of_items : of_items + "_in_" + name_of(Sum{});
  }
};

using reductions =
    list<reduction<u32, plus>, reduction<u32, maximum>, reduction<u8, plus, direct, u32>, reduction<u64, plus>,
         reduction<f32, plus>, reduction<f32, plus, computed>, reduction<f64, plus>, reduction<affine, compose>>;

// The init and all n items, from the first to the last. Several threads take a part each; that changes nothing, since
// the operators are exact on what the distribution gives, floats included.
template <class Reduction>
auto reference(distribution from, std::int64_t n, std::int64_t threads = std::thread::hardware_concurrency()) {
  using Sum = typename Reduction::Sum;
  typename Reduction::Op const op{};
  auto const reduce = [=](std::int64_t first, std::int64_t last) {
    Sum sum = initial<Sum>();
    for (std::int64_t i = first; i < last; ++i) {
      auto const key = key_at<typename Reduction::Key>(from, static_cast<u64>(i), static_cast<u64>(n));
      sum = op(sum, static_cast<Sum>(through<typename Reduction::Access>(key)));
    }
    return sum;
  };

  std::int64_t const part = n / std::clamp<std::int64_t>(threads, 1, 1 + n / 4096) + 1;
  std::vector<std::future<Sum>> parts;
  for (std::int64_t first = 0; first < n; first += part) {
    parts.push_back(std::async(std::launch::async, reduce, first, std::min(first + part, n)));
  }
  Sum sum = initial<Sum>();
  for (auto& each : parts) sum = op(sum, each.get());
  return sum;
}

// Whether a result is right as far as the order of the items has no influence on it.
template <class Sum>
bool equal_but_for_order(Sum const& a, Sum const& b) {
  if constexpr (std::is_same_v<Sum, affine>) {
    return a.scale == b.scale;
  } else {
    return a == b;
  }
}

}  // namespace perf
