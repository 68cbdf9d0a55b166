// Runs the sorts of the public interface with a tuning of the test's, and compares with std::stable_sort.
#pragma once
#include <support/items.h>
#include <support/tunings.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <support/device.h>
#include <support/guarded.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/pair.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

template <class Key, class Value, class Order>
struct sort_case {
  std::vector<Key> keys;
  std::vector<Value> values;
  std::vector<std::size_t> order;
  std::vector<Key> sorted_keys;
  std::vector<Value> sorted_values;
  std::uint64_t bound = 0;  // the number of a key is less

  sort_case(std::size_t count, std::uint32_t num_distinct, std::uint32_t seed, Order by)
      : sort_case(random_keys<Key>(count, num_distinct, seed), by) {}
  sort_case(std::vector<Key> given, Order by)
      : keys(given),
        values(numbered<Value>(given.size())),
        order(stable_order<Key>(keys, [&](Key const& a, Key const& b) { return by(number_of(a), number_of(b)); })),
        sorted_keys(permuted(keys, order)),
        sorted_values(permuted(values, order)) {
    for (Key const& key : keys) bound = std::max(bound, number_of(key) + 1);
  }
};

template <class T>
std::vector<T> reversed(std::vector<T> items) {
  std::reverse(items.begin(), items.end());
  return items;
}
template <class T>
auto backwards(buffer<T>& items) {
  return thrust::make_reverse_iterator(items.end());
}
template <class T>
auto backwards_read_only(buffer<T>& items) {
  return thrust::make_reverse_iterator(static_cast<T const*>(items.end()));
}

// Sorts in place, keys alone and with values.
template <class Selector, class Key, class Value, class Order>
void check_in_place(Selector selector, sort_case<Key, Value, Order> const& sort) {
  stranger_flag strangers;
  buffer<Key> keys(sort.keys);
  mgpu::stable_sort(tuned(selector), keys.begin(), keys.end(), strangers.comparator(Order{}, sort.bound));
  BOOST_TEST(same_bytes(keys.get(), sort.sorted_keys));

  keys.set(sort.keys);
  buffer<Value> values(sort.values);
  mgpu::stable_sort_by_key(tuned(selector), keys.begin(), keys.end(), values.begin(),
                           strangers.comparator(Order{}, sort.bound));
  BOOST_TEST(same_bytes(keys.get(), sort.sorted_keys));
  BOOST_TEST(same_bytes(values.get(), sort.sorted_values));
  BOOST_TEST(!strangers.raised());
}

// Sorts to other memory. The input must stay as it is.
template <class Selector, class Key, class Value, class Order>
void check_copy(Selector selector, sort_case<Key, Value, Order> const& sort) {
  stranger_flag strangers;
  buffer<Key> keys(sort.keys), keys_out(sort.keys.size());
  buffer<Value> values(sort.values), values_out(sort.values.size());
  Key const* const first = keys.begin();
  Value const* const first_value = values.begin();
  mgpu::stable_sort_copy(tuned(selector), first, first + keys.size(), keys_out.begin(),
                         strangers.comparator(Order{}, sort.bound));
  BOOST_TEST(same_bytes(keys_out.get(), sort.sorted_keys));

  keys_out.set(sort.keys);
  mgpu::stable_sort_by_key_copy(tuned(selector), first, first + keys.size(), first_value, keys_out.begin(),
                                values_out.begin(), strangers.comparator(Order{}, sort.bound));
  BOOST_TEST(same_bytes(keys_out.get(), sort.sorted_keys));
  BOOST_TEST(same_bytes(values_out.get(), sort.sorted_values));
  BOOST_TEST(same_bytes(keys.get(), sort.keys));
  BOOST_TEST(same_bytes(values.get(), sort.values));
  BOOST_TEST(!strangers.raised());
}

// Sorts from and to iterators that are no pointers, so that no pass can use the output as its buffer.
template <class Selector, class Key, class Value, class Order>
void check_fancy(Selector selector, sort_case<Key, Value, Order> const& sort) {
  stranger_flag strangers;
  auto const count = static_cast<std::ptrdiff_t>(sort.keys.size());
  buffer<Key> keys(reversed(sort.keys)), keys_out(sort.keys.size());
  buffer<Value> values(reversed(sort.values)), values_out(sort.values.size());
  auto const first = backwards_read_only(keys);
  mgpu::stable_sort_by_key_copy(tuned(selector), first, first + count, backwards_read_only(values),
                                backwards(keys_out), backwards(values_out),
                                strangers.comparator(Order{}, sort.bound));
  BOOST_TEST(same_bytes(keys_out.get(), reversed(sort.sorted_keys)));
  BOOST_TEST(same_bytes(values_out.get(), reversed(sort.sorted_values)));

  auto const in_place = backwards(keys);
  mgpu::stable_sort_by_key(tuned(selector), in_place, in_place + count, backwards(values),
                           strangers.comparator(Order{}, sort.bound));
  BOOST_TEST(same_bytes(keys.get(), reversed(sort.sorted_keys)));
  BOOST_TEST(same_bytes(values.get(), reversed(sort.sorted_values)));
  BOOST_TEST(!strangers.raised());
}

}  // namespace test
