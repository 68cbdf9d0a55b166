// Tests of sorts share keys and values of many types and sizes, inputs that are hard on a sort, and a comparison by
// bytes.
#pragma once
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <ostream>
#include <random>
#include <type_traits>
#include <vector>

namespace test {

// An item has a key, a number that tells items of one key apart, and bytes that follow from both, so that a torn item
// shows.
template <std::size_t Bytes, std::size_t Align = 1>
struct alignas(Align) item {
  static_assert(Bytes >= 8 && Bytes % Align == 0, "two words, and no padding");
  unsigned char bytes[Bytes];

  static item make(std::uint32_t key, std::uint32_t id) {
    item made;
    std::memcpy(made.bytes, &key, 4);
    std::memcpy(made.bytes + 4, &id, 4);
    for (std::size_t i = 8; i < Bytes; ++i) made.bytes[i] = static_cast<unsigned char>(key * 31 + id * 7 + i * 13);
    return made;
  }
  __host__ __device__ std::uint32_t key() const { return word(0); }
  __host__ __device__ std::uint32_t id() const { return word(4); }

 private:
  __host__ __device__ std::uint32_t word(int at) const {
    return bytes[at] | std::uint32_t{bytes[at + 1]} << 8 | std::uint32_t{bytes[at + 2]} << 16 |
           std::uint32_t{bytes[at + 3]} << 24;
  }
};

// This item is trivially copyable, but has no default constructor.
class sealed_item {
 public:
  __host__ __device__ constexpr sealed_item(std::uint32_t key, std::uint32_t id) : key_(key), id_(id) {}
  sealed_item() = delete;
  __host__ __device__ std::uint32_t key() const { return key_; }
  __host__ __device__ std::uint32_t id() const { return id_; }
  __host__ __device__ friend bool operator<(sealed_item const& a, sealed_item const& b) { return a.key_ < b.key_; }

 private:
  std::uint32_t key_;
  std::uint32_t id_;
};

// Orders by the key alone, so that items with different numbers are equal.
struct by_key {
  template <class T>
  __host__ __device__ bool operator()(T const& a, T const& b) const {
    return a.key() < b.key();
  }
};

// By this order many keys are alike.
struct by_low_digits {
  template <class Key>
  __host__ __device__ bool operator()(Key const& a, Key const& b) const {
    return static_cast<unsigned>(a) % 101 < static_cast<unsigned>(b) % 101;
  }
};

// A test keeps a T as this in a std::vector, where some types have no default constructor, or no data().
template <class T>
struct stored {
  using type = T;
};
template <>
struct stored<bool> {
  using type = unsigned char;
};
template <>
struct stored<sealed_item> {
  using type = item<8, 4>;
};
template <class T>
using stored_t = typename stored<T>::type;

// --- Inputs. A fraction of 2^32 stands for a place in the order of a type; mapping it to the type keeps the order.

enum class pattern { random, few_distinct, all_equal, sorted, reversed, min_max, organ_pipe, sawtooth };
constexpr pattern all_patterns[] = {pattern::random,   pattern::few_distinct, pattern::all_equal,  pattern::sorted,
                                    pattern::reversed, pattern::min_max,      pattern::organ_pipe, pattern::sawtooth};

inline std::ostream& operator<<(std::ostream& out, pattern which) {
  constexpr char const* names[] = {"random",   "few distinct", "all equal",  "sorted",
                                   "reversed", "min and max",  "organ pipe", "sawtooth"};
  return out << names[static_cast<int>(which)];
}

inline std::vector<std::uint32_t> fractions(pattern which, std::size_t count, std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> made(count);
  auto const share = [](std::size_t part, std::size_t whole) {
    return static_cast<std::uint32_t>((std::uint64_t{part} << 32) / (whole == 0 ? 1 : whole));
  };
  for (std::size_t i = 0; i < count; ++i) {
    auto const draw = static_cast<std::uint32_t>(random());
    switch (which) {
      case pattern::random:
        made[i] = draw;
        break;
      case pattern::few_distinct:
        made[i] = (draw % 5) * 0x33333333u;
        break;
      case pattern::all_equal:
        made[i] = 0x9ABCDEF0u;
        break;
      case pattern::sorted:
        made[i] = share(i, count);
        break;
      case pattern::reversed:
        made[i] = share(count - 1 - i, count);
        break;
      case pattern::min_max:
        made[i] = draw % 2 == 0 ? 0u : 0xFFFFFFFFu;
        break;
      case pattern::organ_pipe:
        made[i] = share(std::min(i, count - 1 - i), count);
        break;
      case pattern::sawtooth:
        made[i] = share(i % 37, 37);
        break;
    }
  }
  return made;
}

// Returns the T at that place in the order of its type, with this number if the type has room for one.
template <class T>
T at_fraction(std::uint32_t fraction, [[maybe_unused]] std::uint32_t id = 0) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>((fraction - 2147483648.0) * 1e-3);
  } else if constexpr (std::is_integral_v<T>) {
    using bits = std::make_unsigned_t<T>;
    std::uint64_t const wide = std::uint64_t{fraction} << 32 | fraction;
    auto const top = static_cast<bits>(wide >> (64 - 8 * sizeof(T)));
    auto const sign = static_cast<bits>(std::is_signed_v<T> ? bits{1} << (8 * sizeof(T) - 1) : bits{0});
    return static_cast<T>(static_cast<bits>(top ^ sign));
  } else {
    return T::make(fraction, id);
  }
}
template <>
inline sealed_item at_fraction<sealed_item>(std::uint32_t fraction, std::uint32_t id) {
  return {fraction, id};
}

// Returns `count` keys of type T in the given pattern, as they are stored. The numbers of items count up.
template <class T>
std::vector<stored_t<T>> keys(pattern which, std::size_t count, std::uint32_t seed = 1) {
  std::vector<std::uint32_t> const places = fractions(which, count, seed);
  std::vector<stored_t<T>> made(count);
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<T, bool>) {
      made[i] = static_cast<unsigned char>(places[i] >> 31);
    } else {
      T const key = at_fraction<T>(places[i], static_cast<std::uint32_t>(i));
      std::memcpy(static_cast<void*>(&made[i]), &key, sizeof(T));
    }
  }
  return made;
}

// Returns values that all differ where the type has room for it.
template <class V>
std::vector<V> numbered(std::size_t count) {
  std::vector<V> made(count);
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_arithmetic_v<V>) {
      made[i] = static_cast<V>(i * 0x9E3779B97F4A7C15u >> 3);
    } else {
      made[i] = V::make(static_cast<std::uint32_t>(i * 2654435761u), static_cast<std::uint32_t>(i));
    }
  }
  return made;
}

// --- Results.

// Compares by bytes, which tells -0.0 from 0.0, and equal keys from one another.
template <class T>
boost::test_tools::assertion_result same_bytes(std::vector<T> const& result, std::vector<T> const& expected) {
  boost::test_tools::assertion_result same(result.size() == expected.size());
  if (!same) {
    same.message() << result.size() << " items instead of " << expected.size();
    return same;
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (std::memcmp(result.data() + i, expected.data() + i, sizeof(T)) != 0) {
      boost::test_tools::assertion_result differs(false);
      differs.message() << "item " << i << " of " << result.size() << " differs";
      return differs;
    }
  }
  return same;
}

// Returns the stable order of so many items, where `before` compares two of them by their positions. It is one
// function for all types of items, since each std::stable_sort costs a compiler much.
inline std::vector<std::size_t> stable_order(std::size_t count,
                                             std::function<bool(std::size_t, std::size_t)> const& before) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return before(a, b); });
  return order;
}

// Returns the order that a stable sort of these keys must give, as the place that each item comes from.
template <class T, class Comp>
std::vector<std::size_t> stable_order(std::vector<stored_t<T>> const& input, Comp comp) {
  auto const* const items = reinterpret_cast<T const*>(input.data());
  return stable_order(input.size(), [&](std::size_t a, std::size_t b) { return comp(items[a], items[b]); });
}

template <class V>
std::vector<V> permuted(std::vector<V> const& input, std::vector<std::size_t> const& order) {
  std::vector<V> result;
  result.reserve(order.size());
  for (std::size_t const from : order) result.push_back(input[from]);
  return result;
}

}  // namespace test
