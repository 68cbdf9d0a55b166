// The host policy: sorting and merging on this machine's CPU, in the calling thread. std::stable_sort is not used:
// under a comparator that is no strict weak order, it may access memory outside its range.
#pragma once
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/plain_item.h>
#include <mgpu/detail/core/radix_key.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace mgpu::detail {

// A key with its value, if there are values.
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

// Appends the keys and values of a range to `items`.
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

// Writes the keys and values of all items.
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

// --- Sorts by comparisons. Whatever `less` answers, the range holds each of its items once afterwards.

// Items that own memory cost more to compare and to copy: they are sorted by insertion in shorter runs, and never by
// digits, which takes a second copy.
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

// Merges two neighbouring runs in place. The left run moves to `left_run`; then the output never overtakes the items
// of the right run that are still to be read.
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
  for (; left != left_end; ++first) *first = std::move(*left++);
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

// --- Sorts by digits, in the order of ordered_bits, by which the device sorts too; it also orders NaNs.

// Sorts by digits of 8 bits, the lowest first. There is at least one item; bits_of(item) has `bits` bits.
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

// Sorts in the way that suits the items: not at all if they are sorted, else by digits or by comparing their bits.
template <bool descending, class Key, class Value>
void host_sort_items_by_bits(std::vector<host_item<Key, Value>>& items) {
  constexpr int bits = radix_traits<Key>::bits;
  auto const bits_of = [](auto const& item) { return detail::directed_bits<descending>(item.key); };
  auto const less = [&](auto const& a, auto const& b) { return bits_of(a) < bits_of(b); };
  std::size_t num_sorted = 1;
  while (num_sorted < items.size() && !less(items[num_sorted], items[num_sorted - 1])) ++num_sorted;
  if (num_sorted >= items.size()) return;
  if (is_plain<host_item<Key, Value>> && items.size() >= 4 * bits) {  // for fewer, the counters cost too much
    detail::host_radix_sort<bits>(items, bits_of);
  } else {
    detail::host_merge_sort(items, less);
  }
}

// --- The functions below work on a copy, so any iterators will do, and the output may be the input. If the
// comparator, or the copying of an item, throws an exception, the output is left as it was.

template <class Problem, class SortItems>
void host_sort_copy(Problem const& problem, SortItems sort_items) {
  host_items<typename Problem::KeysIn, typename Problem::ValuesIn> items;
  items.reserve(static_cast<std::size_t>(problem.num_items));
  detail::read_items(items, problem.keys_in, problem.values_in, problem.num_items);
  sort_items(items);
  detail::write_items(items, problem.keys_out, problem.values_out);
}

template <class Problem, class Comp>
void host_sort(Problem const& problem, Comp comp) {
  detail::host_sort_copy(problem, [&](auto& items) { detail::host_merge_sort(items, detail::compare_keys(comp)); });
}

template <bool descending, class Problem>
void host_sort_by_bits(Problem const& problem) {
  detail::host_sort_copy(problem, [](auto& items) { detail::host_sort_items_by_bits<descending>(items); });
}

template <class Problem, class Comp>
void host_merge(Problem const& problem, Comp comp) {
  host_items<typename Problem::KeysA, typename Problem::ValuesA> items;
  items.reserve(static_cast<std::size_t>(problem.num_items()));
  detail::read_items(items, problem.keys_a, problem.values_a, problem.a_count);
  detail::read_items(items, problem.keys_b, problem.values_b, problem.b_count);
  auto* const first = items.data();
  decltype(items) left_run;
  detail::host_merge_runs(first, first + problem.a_count, first + items.size(), left_run, detail::compare_keys(comp));
  detail::write_items(items, problem.keys_out, problem.values_out);
}

}  // namespace mgpu::detail
