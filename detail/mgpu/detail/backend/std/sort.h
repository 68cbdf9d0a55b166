// The host policy: sorting and merging on this machine's CPU, in the calling thread. std::stable_sort will not do: by a
// comparator that is no order it leaves its range.
#pragma once
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/radix_key.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace mgpu::detail {

template <class Key, class Value>
struct host_item {
  Key key;
  Value value;
};
template <class Key>
struct host_item<Key, no_value> {
  Key key;
};

template <class Keys, class Values>
using host_items = std::vector<host_item<iterator_value_t<Keys>, iterator_value_t<Values>>>;

// Appends them to `items`.
template <class Key, class Value, class Keys, class Values>
void read_items(std::vector<host_item<Key, Value>>& items, Keys keys, Values values, std::int64_t num_items) {
  for (std::int64_t i = 0; i < num_items; ++i) {
    if constexpr (has_values<Value>) {
      items.push_back({static_cast<Key>(*(keys + i)), static_cast<Value>(*(values + i))});
    } else {
      items.push_back({static_cast<Key>(*(keys + i))});
    }
  }
}

template <class Key, class Value, class Keys, class Values>
void write_items(std::vector<host_item<Key, Value>>& items, Keys keys, Values values) {
  std::int64_t i = 0;
  for (auto& item : items) {
    *(keys + i) = std::move(item.key);
    if constexpr (has_values<Value>) *(values + i) = std::move(item.value);
    ++i;
  }
}

template <class Comp>
auto compare_keys(Comp& comp) {
  return [&comp](auto const& a, auto const& b) -> bool { return comp(a.key, b.key); };
}

// --- By comparisons. Whatever `less` answers, each item stays within the range and is there once.

// What owns memory costs more to compare and to copy: shorter runs by insertion, and no second copy.
template <class Item>
constexpr bool is_plain = std::is_trivially_copy_constructible_v<Item>;
template <class Item>
constexpr std::ptrdiff_t host_run_items = is_plain<Item> ? 24 : 8;

template <class Item, class Less>
void host_insertion_sort(Item* first, Item* last, Less less) {
  for (Item* it = first; it != last; ++it) {
    if (it == first || !less(*it, it[-1])) continue;
    Item item = std::move(*it);
    Item* to = it;
    do {
      *to = std::move(to[-1]);
      --to;
    } while (to != first && less(item, to[-1]));
    *to = std::move(item);
  }
}

// The left run moves to `left_run`; what is written stays behind what is read of the right one.
template <class Item, class Less>
void host_merge_runs(Item* first, Item* middle, Item* last, std::vector<Item>& left_run, Less less) {
  if (first == middle || middle == last || !less(*middle, middle[-1])) return;
  left_run.assign(std::make_move_iterator(first), std::make_move_iterator(middle));
  Item* left = left_run.data();
  Item* const left_end = left + left_run.size();
  Item* right = middle;
  for (; left != left_end && right != last; ++first) {
    if (less(*right, *left)) {
      *first = std::move(*right++);
    } else {
      *first = std::move(*left++);
    }
  }
  std::move(left, left_end, first);
}

template <class Item, class Less>
void host_merge_sort(Item* first, Item* last, std::vector<Item>& left_run, Less less) {
  if (last - first <= host_run_items<Item>) return detail::host_insertion_sort(first, last, less);
  Item* const middle = first + (last - first) / 2;
  detail::host_merge_sort(first, middle, left_run, less);
  detail::host_merge_sort(middle, last, left_run, less);
  detail::host_merge_runs(first, middle, last, left_run, less);
}

template <class Item, class Less>
void host_merge_sort(std::vector<Item>& items, Less less) {
  std::vector<Item> left_run;
  left_run.reserve(items.size() / 2);
  detail::host_merge_sort(items.data(), items.data() + items.size(), left_run, less);
}

// --- By digits, in the order of ordered_bits, as the device sorts: an order of NaNs too.

// The lowest digit first. bits_of(item) has that many bits.
template <int bits, class Item, class BitsOf>
void host_radix_sort(std::vector<Item>& items, BitsOf bits_of) {
  std::vector<Item> sorted(items);
  for (int shift = 0; shift < bits; shift += 8) {
    auto const digit = [&](Item const& item) { return static_cast<std::size_t>(bits_of(item) >> shift & 255); };
    std::size_t places[257] = {};
    for (Item const& item : items) ++places[digit(item) + 1];
    if (places[digit(items.front()) + 1] == items.size()) continue;
    for (int i = 0; i < 256; ++i) places[i + 1] += places[i];
    for (Item& item : items) sorted[places[digit(item)]++] = std::move(item);
    items.swap(sorted);
  }
}

template <bool descending, class Key, class Value>
void host_sort_items_by_bits(std::vector<host_item<Key, Value>>& items) {
  constexpr int bits = radix_traits<Key>::bits;
  auto const bits_of = [](auto const& item) { return detail::directed_bits<descending>(item.key); };
  auto const less = [&](auto const& a, auto const& b) { return bits_of(a) < bits_of(b); };
  if (std::is_sorted(items.begin(), items.end(), less)) return;
  if (is_plain<host_item<Key, Value>> && items.size() >= 4 * bits) {  // fewer do not pay for the counters
    detail::host_radix_sort<bits>(items, bits_of);
  } else {
    detail::host_merge_sort(items, less);
  }
}

// --- All work on a copy, so any iterators will do, and the output may be the input. An exception, of a comparator too,
// leaves the output as it was.

template <class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class SortItems>
void host_sort_copy(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                    std::int64_t num_items, SortItems sort_items) {
  host_items<KeysIn, ValuesIn> items;
  items.reserve(static_cast<std::size_t>(num_items));
  detail::read_items(items, keys_in, values_in, num_items);
  sort_items(items);
  detail::write_items(items, keys_out, values_out);
}

template <class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
void host_sort(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out, std::int64_t num_items,
               Comp comp) {
  detail::host_sort_copy(keys_in, values_in, keys_out, values_out, num_items,
                         [&](auto& items) { detail::host_merge_sort(items, detail::compare_keys(comp)); });
}

template <bool descending, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
void host_sort_by_bits(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                       std::int64_t num_items) {
  detail::host_sort_copy(keys_in, values_in, keys_out, values_out, num_items,
                         [](auto& items) { detail::host_sort_items_by_bits<descending>(items); });
}

template <class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut, class ValuesOut, class Comp>
void host_merge(KeysA keys_a, ValuesA values_a, std::int64_t a_count, KeysB keys_b, ValuesB values_b,
                std::int64_t b_count, KeysOut keys_out, ValuesOut values_out, Comp comp) {
  host_items<KeysA, ValuesA> items;
  items.reserve(static_cast<std::size_t>(a_count + b_count));
  detail::read_items(items, keys_a, values_a, a_count);
  detail::read_items(items, keys_b, values_b, b_count);
  auto* const first = items.data();
  host_items<KeysA, ValuesA> left_run;
  detail::host_merge_runs(first, first + a_count, first + items.size(), left_run, detail::compare_keys(comp));
  detail::write_items(items, keys_out, values_out);
}

}  // namespace mgpu::detail
