// The host policy: sorting and merging on this machine's CPU, by the C++ standard library.
#pragma once
#include <mgpu/detail/core/iterator.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace mgpu::detail {

template <class Key, class Value>
struct host_item {
  Key key;
  Value value;
};

template <class Keys, class Values>
using host_items = std::vector<host_item<iterator_value_t<Keys>, iterator_value_t<Values>>>;

// Appends them to `items`.
template <class Items, class Keys, class Values>
void read_items(Items& items, Keys keys, Values values, std::int64_t num_items) {
  using item = typename Items::value_type;
  for (std::int64_t i = 0; i < num_items; ++i) {
    items.push_back(
        {static_cast<decltype(item::key)>(*(keys + i)), static_cast<decltype(item::value)>(*(values + i))});
  }
}

template <class Items, class Keys, class Values>
void write_items(Items const& items, Keys keys, Values values) {
  std::int64_t i = 0;
  for (auto const& item : items) {
    *(keys + i) = item.key;
    *(values + i) = item.value;
    ++i;
  }
}

template <class Comp>
auto compare_keys(Comp& comp) {
  return [&comp](auto const& a, auto const& b) -> bool { return comp(a.key, b.key); };
}

// Sorts through a copy, so any iterators will do, and the output may be the input. An exception, of a comparator too,
// leaves the output as it was.
template <class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
void host_sort(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out, std::int64_t num_items,
               Comp comp) {
  host_items<KeysIn, ValuesIn> items;
  items.reserve(static_cast<std::size_t>(num_items));
  read_items(items, keys_in, values_in, num_items);
  std::stable_sort(items.begin(), items.end(), compare_keys(comp));
  write_items(items, keys_out, values_out);
}

template <class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut, class ValuesOut, class Comp>
void host_merge(KeysA keys_a, ValuesA values_a, std::int64_t a_count, KeysB keys_b, ValuesB values_b,
                std::int64_t b_count, KeysOut keys_out, ValuesOut values_out, Comp comp) {
  host_items<KeysA, ValuesA> items;
  items.reserve(static_cast<std::size_t>(a_count + b_count));
  read_items(items, keys_a, values_a, a_count);
  read_items(items, keys_b, values_b, b_count);
  std::inplace_merge(items.begin(), items.begin() + a_count, items.end(), compare_keys(comp));
  write_items(items, keys_out, values_out);
}

}  // namespace mgpu::detail
