// Tests of the merge sort by a cluster share its calls.
#pragma once
#include <backend/radix_sorts.h>
#include <support/items.h>
#include <mgpu/detail/backend/merge_cluster/merge_cluster.cuh>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/sort_problem.h>
#include <mgpu/detail/runtime/run.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>
#if defined(MGPU_EMULATED)
#include <emulator/emulator.h>
#endif

namespace test {

template <int max_threads, int max_block_items, int max_small_cluster_items = 0,
          int max_ranked_items = 16 * max_threads>
struct merge_cluster_of {
  static constexpr int max_items = 16 * max_threads;
  __host__ __device__ static constexpr mgpu::detail::merge_cluster_tuning at(int) {
    return {max_threads, 1, max_block_items, max_small_cluster_items, max_ranked_items, max_items};
  }
};

using usual = mgpu::detail::merge_cluster_default_tuning<true, 4>;
using one_block = merge_cluster_of<1024, 1024>;
using of_8 = merge_cluster_of<64, 1, 512>;
using of_16 = merge_cluster_of<64, 1>;
// These merge by shares.
using shares_of_8 = merge_cluster_of<64, 1, 512, 0>;
using shares_of_16 = merge_cluster_of<64, 1, 0, 0>;
// Warps look for their part of each run where a block has more than 128 threads.
using wide = merge_cluster_of<256, 1>;
using wide_shares = merge_cluster_of<256, 1, 0, 0>;

// The last number orders such keys, of more than 8 bytes, or the first one does, as unsigned.
template <class Number, int numbers, int alignment>
struct alignas(alignment) long_key {
  Number of[numbers];
  __host__ __device__ explicit operator unsigned() const { return static_cast<unsigned>(of[0]); }
  __host__ __device__ friend bool operator<(long_key const& a, long_key const& b) {
    return a.of[numbers - 1] < b.of[numbers - 1];
  }
};

// Returns such keys. First numbers are below `bound`, and the last ones below twice of that.
template <class Key>
std::vector<Key> long_keys_of(std::vector<std::uint32_t> const& numbers, std::uint32_t bound) {
  std::vector<Key> keys(numbers.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    using number = std::decay_t<decltype(keys[i].of[0])>;
    for (auto& part : keys[i].of) part = static_cast<number>(numbers[i] + i);
    *std::begin(keys[i].of) = static_cast<number>(numbers[i] % bound);
    *std::rbegin(keys[i].of) = static_cast<number>(numbers[i] / 7 % (2 * bound));
  }
  return keys;
}

struct less {
  template <class T>
  __host__ __device__ bool operator()(T const& a, T const& b) const {
    return a < b;
  }
};

inline std::vector<std::uint32_t> keys_of(std::size_t count, std::uint32_t seed = 1) {
  return radix_keys<std::uint32_t>(count, 3 * seed + 1);
}

// Returns whether such a problem was sorted.
template <class Tuning, class Problem, class Policy, class Comp>
bool merge_cluster_sort(Policy const& policy, Problem const& problem, Comp const& comp) {
  bool is_sorted = false;
  mgpu::detail::run_on_device("merge_cluster", policy, problem.num_items, [&](mgpu::detail::device_call& call) {
    is_sorted = mgpu::detail::merge_cluster_sort<Tuning>(call, problem, comp);
  });
  return is_sorted;
}

// Sorts keys, and keys with their indices, in place.
template <class Tuning, class Key, class Comp>
void check_merge_cluster(std::vector<Key> const& keys, Comp const& comp) {
  namespace detail = mgpu::detail;
  auto const count = static_cast<std::int64_t>(keys.size());
  auto const order = test::stable_order<Key>(keys, comp);
  detail::no_values const none{};
  test::buffer<Key> sorted(keys);
  BOOST_TEST(merge_cluster_sort<Tuning>(mgpu::par, detail::sort_in_place(sorted.begin(), none, none, count), comp));
  BOOST_TEST(test::same_bytes(sorted.get(), test::permuted(keys, order)));

  auto const values = test::numbered<std::uint32_t>(keys.size());
  test::buffer<Key> with_values(keys);
  test::buffer<std::uint32_t> sorted_values(values);
  auto const problem =
      detail::sort_in_place(with_values.begin(), sorted_values.begin(), sorted_values.begin(), count);
  BOOST_TEST(merge_cluster_sort<Tuning>(mgpu::par, problem, comp));
  BOOST_TEST(test::same_bytes(with_values.get(), test::permuted(keys, order)));
  BOOST_TEST(test::same_bytes(sorted_values.get(), test::permuted(values, order)));
}

#if defined(MGPU_EMULATED)
// Sorts, and returns how many blocks the kernel of that name had, or 0 if another one ran, or several.
template <class Sort>
std::uint64_t blocks_of_kernel(char const* kernel, Sort sort) {
  mgpu::emulator::reset_stats();
  sort();
  bool const is_it = mgpu::emulator::last_kernel().find(kernel) != std::string::npos;
  return is_it && mgpu::emulator::total_stats().launches == 1 ? mgpu::emulator::total_stats().blocks : 0;
}
#endif

}  // namespace test
