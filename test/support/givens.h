// A test gives this to a function of the library, on the host, and the function's result follows from it.
#pragma once
#include <support/items.h>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

// Functions read and write these columns. `value` is what a call returned, if that is no iterator.
template <class Key, class Value>
struct columns {
  std::vector<Key> keys;
  std::vector<Value> values;
  std::vector<Key> out;
  std::vector<Value> values_out;
  std::vector<std::uint32_t> indices;
  std::vector<Key> total;
  std::vector<Key> value;
};

// These are the functions of a user. The defaults are the library's own.
template <class Comp = cuda::std::less<>, class Op = cuda::std::plus<>, class Unary = cuda::std::negate<>>
struct operators {
  Comp comp{};
  Op op{};
  Unary unary{};
};

// Holds the columns before a call, which has `count` items of them, and the call's functions. Tests ask for the
// stable order of the keys as often as they like.
template <class Key, class Value, class Operators>
class given_columns {
 public:
  using key = Key;
  using positions = std::vector<std::size_t>;

  columns<Key, Value> before;
  std::size_t count = 0;
  Key init{};
  Operators use{};

  std::vector<Key> items() const {
    return {before.keys.begin(), before.keys.begin() + static_cast<std::ptrdiff_t>(count)};
  }
  positions const& order() const {
    if (order_.size() != count) order_ = stable_order<Key>(items(), use.comp);
    return order_;
  }
  positions order_by_less() const { return stable_order<Key>(items(), cuda::std::less<>{}); }

 private:
  mutable positions order_;
};

// Overwrites the first items of a column.
template <class T, class Source>
void write_first(std::vector<T>& column, std::vector<Source> const& items) {
  for (std::size_t i = 0; i < items.size(); ++i) column[i] = static_cast<T>(items[i]);
}
template <class T>
void write_permuted(std::vector<T>& column, std::vector<T> const& from, std::vector<std::size_t> const& order) {
  for (std::size_t i = 0; i < order.size(); ++i) column[i] = from[order[i]];
}

}  // namespace test
