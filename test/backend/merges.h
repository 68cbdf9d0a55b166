// Runs the merges of the public interface with a tuning of the test's, and compares with a merge step by step.
#pragma once
#include <support/items.h>
#include <support/tunings.h>
#include <backend/sorts.h>
#include <mgpu/merge.h>
#include <support/device.h>
#include <support/guarded.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

// A case has two sorted runs with values, and knows what their stable merge is.
template <class Key, class Value, class Order>
struct merge_case {
  std::vector<Key> a, b, keys;
  std::vector<Value> a_values, b_values, values;

  merge_case(std::size_t a_count, std::size_t b_count, std::uint32_t num_distinct, std::uint32_t seed, Order by)
      : a(run(a_count, num_distinct, seed, by)), b(run(b_count, num_distinct, seed + 1, by)) {
    std::vector<Value> const all_values = numbered<Value>(a_count + b_count);
    auto const middle = all_values.begin() + static_cast<std::ptrdiff_t>(a_count);
    a_values.assign(all_values.begin(), middle);
    b_values.assign(middle, all_values.end());
    std::size_t i = 0, j = 0;
    for (bool const from_a : merge_steps(a, b, by)) {
      keys.push_back(from_a ? a[i] : b[j]);
      values.push_back(from_a ? a_values[i] : b_values[j]);
      ++(from_a ? i : j);
    }
  }

 private:
  static std::vector<Key> run(std::size_t count, std::uint32_t num_distinct, std::uint32_t seed, Order by) {
    std::vector<Key> made = random_keys<Key>(count, num_distinct, seed);
    std::stable_sort(made.begin(), made.end(),
                     [&](Key const& x, Key const& y) { return by(number_of(x), number_of(y)); });
    return made;
  }
};

// Merges keys alone and with values. The inputs must stay as they are.
template <class Selector, class Key, class Value, class Order>
void check_merge(Selector selector, merge_case<Key, Value, Order> const& merge) {
  stranger_flag strangers;
  buffer<Key> a(merge.a), b(merge.b), keys(merge.keys.size()), keys_again(merge.keys.size());
  buffer<Value> a_values(merge.a_values), b_values(merge.b_values), values(merge.keys.size());
  Key const* const first_a = a.begin();
  Key const* const first_b = b.begin();
  Value const* const first_a_value = a_values.begin();
  Value const* const first_b_value = b_values.begin();
  mgpu::merge(tuned(selector), first_a, first_a + a.size(), first_b, first_b + b.size(), keys.begin(),
              strangers.comparator(Order{}));
  mgpu::merge_by_key(tuned(selector), first_a, first_a + a.size(), first_b, first_b + b.size(), first_a_value,
                     first_b_value, keys_again.begin(), values.begin(), strangers.comparator(Order{}));
  BOOST_TEST(same_bytes(keys.get(), merge.keys));
  BOOST_TEST(same_bytes(keys_again.get(), merge.keys));
  BOOST_TEST(same_bytes(values.get(), merge.values));
  BOOST_TEST(same_bytes(a.get(), merge.a));
  BOOST_TEST(same_bytes(b.get(), merge.b));
  BOOST_TEST(!strangers.raised());
}

// Merges where the second run is of another type than the first, and the output is no plain memory.
template <class Selector, class Key, class Value, class Order>
void check_fancy_merge(Selector selector, merge_case<Key, Value, Order> const& merge) {
  stranger_flag strangers;
  buffer<Key> a(merge.a), b(reversed(merge.b)), keys(merge.keys.size());
  buffer<Value> a_values(merge.a_values), b_values(reversed(merge.b_values)), values(merge.keys.size());
  auto const first_b = backwards_read_only(b);
  mgpu::merge_by_key(tuned(selector), a.begin(), a.end(), first_b, first_b + static_cast<std::ptrdiff_t>(b.size()),
                     a_values.begin(), backwards_read_only(b_values), backwards(keys), backwards(values),
                     strangers.comparator(Order{}));
  BOOST_TEST(same_bytes(keys.get(), reversed(merge.keys)));
  BOOST_TEST(same_bytes(values.get(), reversed(merge.values)));
  BOOST_TEST(!strangers.raised());
}

}  // namespace test
