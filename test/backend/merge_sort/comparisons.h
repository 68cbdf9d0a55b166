// Counts what a sort by a comparator asks, over the emulator, where the comparator runs on the host.
#pragma once
#include <mgpu/sort.h>
#include <support/device.h>
#include <support/guarded.h>
#include <support/items.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <vector>

namespace test {

inline std::size_t num_comparisons = 0;
struct counting_less {
  template <class Key>
  __device__ bool operator()(Key const& a, Key const& b) const {
    ++num_comparisons;
    return number_of(a) < number_of(b);
  }
};

// This comparator has state, but no room for a pointer.
struct counting_less_of_flag {
  bool flag = true;
  template <class Key>
  __device__ bool operator()(Key const& a, Key const& b) const {
    return counting_less{}(a, b) == flag;
  }
};
// This comparator holds a pointer, as one does that looks keys up elsewhere.
struct counting_less_elsewhere {
  std::size_t* count = &num_comparisons;
  template <class Key>
  __device__ bool operator()(Key const& a, Key const& b) const {
    ++*count;
    return number_of(a) < number_of(b);
  }
};

// Returns how many comparisons a sort in place makes, which it checks.
template <class Policy, class Key, class Comp = counting_less>
std::size_t comparisons(Policy const& policy, std::vector<Key> const& input, Comp comp = {}) {
  buffer<Key> keys(input);
  num_comparisons = 0;
  mgpu::stable_sort(policy, keys.begin(), keys.end(), comp);
  auto const order = stable_order<Key>(input, [](Key const& a, Key const& b) { return number_of(a) < number_of(b); });
  BOOST_TEST(same_bytes(keys.get(), permuted(input, order)));
  return num_comparisons;
}

}  // namespace test
