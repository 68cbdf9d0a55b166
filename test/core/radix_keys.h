// Here are keys that are hard on their ordered bits, and the order that these must have, found without them.
#pragma once
#include <mgpu/detail/core/radix_key.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace test {

using mgpu::detail::int128;
using mgpu::detail::uint128;

// std::vector<bool> has no bools.
template <class Key>
struct held {
  Key key;
};
template <class Key>
using keys_list = std::vector<held<Key>>;

// --- The order.

template <class Key>
constexpr int mantissa_bits = 0;
template <>
inline constexpr int mantissa_bits<float> = 23;
template <>
inline constexpr int mantissa_bits<double> = 52;
template <>
inline constexpr int mantissa_bits<__half> = 10;
template <>
inline constexpr int mantissa_bits<__nv_bfloat16> = 7;
template <class Key>
constexpr bool is_float = mantissa_bits<Key> != 0;

template <class Key>
constexpr std::size_t num_elements = 0;
template <class First, class Second>
inline constexpr std::size_t num_elements<std::pair<First, Second>> = 2;
template <class First, class Second>
inline constexpr std::size_t num_elements<cuda::std::pair<First, Second>> = 2;
template <class... Elements>
inline constexpr std::size_t num_elements<std::tuple<Elements...>> = sizeof...(Elements);
template <class... Elements>
inline constexpr std::size_t num_elements<cuda::std::tuple<Elements...>> = sizeof...(Elements);

inline double number_of(double key) { return key; }
inline double number_of(float key) { return key; }
inline double number_of(__half key) { return __half2float(key); }
inline double number_of(__nv_bfloat16 key) { return __bfloat162float(key); }

template <class Key>
std::uint64_t raw_bits(Key key) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &key, sizeof(key));
  return bits;
}

// Returns -1 for NaNs with a sign, 1 for those without. The bits tell, as a conversion to double may make all NaNs
// one.
template <class Float>
int side_of_numbers(Float key) {
  if (!std::isnan(number_of(key))) return 0;
  return raw_bits(key) >> (8 * sizeof(key) - 1) != 0 ? -1 : 1;
}

// NaNs come after all numbers, or before them when the sign is set, further out the larger their bits.
template <class Float>
bool float_before(Float a, Float b) {
  int const side = side_of_numbers(a);
  if (side != side_of_numbers(b)) return side < side_of_numbers(b);
  if (side == 0) return number_of(a) < number_of(b);
  return side > 0 ? raw_bits(a) < raw_bits(b) : raw_bits(b) < raw_bits(a);
}

// Orders by operator<, and pairs and tuples by elements, so that NaNs have a place there, too.
template <std::size_t i = 0, class Key>
bool before(Key const& a, Key const& b) {
  if constexpr (is_float<Key>) {
    return float_before(a, b);
  } else if constexpr (i < num_elements<Key>) {
    using cuda::std::get;
    using std::get;
    if (before(get<i>(a), get<i>(b))) return true;
    if (before(get<i>(b), get<i>(a))) return false;
    return before<i + 1>(a, b);
  } else if constexpr (num_elements<Key> > 0) {
    return false;
  } else {
    // A pointer to a function has no operator< that all compilers take without a warning.
    return std::less<Key>{}(a, b);
  }
}

// --- The keys.

template <class Key, class Bits>
Key from_bits(Bits bits) {
  Key key;
  static_assert(sizeof(key) == sizeof(bits));
  std::memcpy(static_cast<void*>(&key), &bits, sizeof(key));
  return key;
}

// Returns the patterns around which the order of integers turns, and random ones.
template <class Bits>
std::vector<Bits> hard_bits() {
  constexpr Bits top = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  std::vector<Bits> made;
  for (Bits const around : {Bits{0}, top, static_cast<Bits>(top >> 1)}) {
    for (int const step : {-2, -1, 0, 1, 2}) made.push_back(static_cast<Bits>(around + static_cast<Bits>(step)));
  }
  std::mt19937_64 random(8 * sizeof(Bits));
  for (int i = 0; i < 40; ++i) {
    uint128 const high = random();
    made.push_back(static_cast<Bits>((high << 64 | random()) >> random() % (8 * sizeof(Bits))));
  }
  return made;
}

// Returns zeros, denormal and normal numbers at their ends, one, infinities and NaNs, all of both signs.
template <class Bits>
std::vector<Bits> hard_float_bits(int mantissa) {
  int const width = 8 * sizeof(Bits);
  Bits const sign = static_cast<Bits>(Bits{1} << (width - 1));
  Bits const infinity = static_cast<Bits>(sign - (Bits{1} << mantissa));
  Bits const one = static_cast<Bits>((sign >> 1) - (Bits{1} << mantissa));
  std::vector<Bits> made = hard_bits<Bits>();
  for (Bits const around : {static_cast<Bits>(Bits{1} << mantissa), one, infinity,
                            static_cast<Bits>(infinity | Bits{1} << (mantissa - 1))}) {
    for (int const step : {-1, 0, 1}) made.push_back(static_cast<Bits>(around + static_cast<Bits>(step)));
  }
  std::size_t const count = made.size();
  for (std::size_t i = 0; i < count; ++i) made.push_back(static_cast<Bits>(made[i] ^ sign));
  return made;
}

template <class Key>
keys_list<Key> hard_keys() {
  keys_list<Key> made;
  using Bits = mgpu::detail::smallest_unsigned<8 * sizeof(Key)>;
  if constexpr (std::is_same_v<Key, bool>) {
    made = {{false}, {true}};
  } else if constexpr (is_float<Key>) {
    for (Bits const bits : hard_float_bits<Bits>(mantissa_bits<Key>)) made.push_back({from_bits<Key>(bits)});
  } else {
    for (Bits const bits : hard_bits<Bits>()) made.push_back({from_bits<Key>(bits)});
  }
  return made;
}

// Returns every key of a type of 8 or 16 bits.
template <class Key>
keys_list<Key> all_keys() {
  using Bits = mgpu::detail::smallest_unsigned<8 * sizeof(Key)>;
  keys_list<Key> made;
  for (std::uint32_t bits = 0; bits >> 8 * sizeof(Key) == 0; ++bits) {
    made.push_back({from_bits<Key>(static_cast<Bits>(bits))});
  }
  return made;
}

}  // namespace test
