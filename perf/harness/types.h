// These are the types of keys, values and comparators, their names in rows, random bits for them, and what makes an
// output of them right, item by item, on host and device.
#pragma once
#include <cuda_runtime_api.h>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace perf {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using f32 = float;
using f64 = double;

// This key has a payload of its own, as it is ordered by `order` alone.
struct s16 {
  u64 order;
  u64 id;
};

// This maps x to scale * x + shift. Doing one map after another is a product that does not commute.
struct affine {
  u32 scale;
  u32 shift;
};

__host__ __device__ constexpr bool operator==(s16 const& a, s16 const& b) {
  return a.order == b.order && a.id == b.id;
}
__host__ __device__ constexpr bool operator==(affine const& a, affine const& b) {
  return a.scale == b.scale && a.shift == b.shift;
}

// This is too large to travel through every pass of a sort. As a key it is compared word by word.
template <int bytes>
struct blob {
  u32 words[bytes / 4];
};
using b32 = blob<32>;
using b64 = blob<64>;
using b200 = blob<200>;

struct none {};  // is the type of values where there are none

template <class T>
constexpr std::size_t bytes_of = std::is_same_v<T, none> ? 0 : sizeof(T);

// This is the order of keys, as a functor that no library knows, so that comparing is all it can do. Rows named
// `natural` make the call without a comparator, so that a radix sort may be chosen.
struct custom {
  template <class Key>
  __host__ __device__ constexpr bool operator()(Key const& a, Key const& b) const {
    return a < b;
  }
  __host__ __device__ constexpr bool operator()(s16 const& a, s16 const& b) const { return a.order < b.order; }
  template <int bytes>
  __host__ __device__ constexpr bool operator()(blob<bytes> const& a, blob<bytes> const& b) const {
    int i = 0;
    while (i + 1 < bytes / 4 && a.words[i] == b.words[i]) ++i;
    return a.words[i] < b.words[i];
  }
};

// Returns a type's name in rows.
template <class Number>
std::string name_of(Number) {
  static_assert(std::is_arithmetic_v<Number>, "this type needs a name_of of its own");
  return (std::is_floating_point_v<Number> ? "f" : "u") + std::to_string(8 * sizeof(Number));
}
template <int bytes>
std::string name_of(blob<bytes>) {
  return "b" + std::to_string(bytes);
}
inline std::string name_of(s16) { return "s16"; }
inline std::string name_of(affine) { return "affine"; }
inline std::string name_of(none) { return "none"; }

// --- Random bits depend on a counter alone, so that any item of any input can be had by itself
// This is the finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014) after one step of its golden-ratio counter.
__host__ __device__ constexpr u64 mix(u64 x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Returns one of the eight words that each item has.
__host__ __device__ constexpr u64 random_word(u64 index, u64 word) {
  constexpr u64 seed = 0x6d677075;
  return mix((index * 8 + word) ^ (seed << 32));
}

// Returns the value of the item that is number `index` in the input. It begins with that number, so that it shows
// whether a sort is stable.
template <class Value>
__host__ __device__ Value value_of(u64 index) {
  cuda::std::array<u32, sizeof(Value) / sizeof(u32)> words = {static_cast<u32>(index)};
  for (u64 i = 1; i < words.size(); ++i) words[i] = mix(index * words.size() + i);
  return cuda::std::bit_cast<Value>(words);
}
template <class Value>
__host__ __device__ u32 index_of(Value const& value) {
  u32 index = 0;
  memcpy(&index, &value, sizeof(index));
  return index;
}

// --- What makes an output right: it is in order, stable, and the same multiset of items
template <class T>
__host__ __device__ u64 hash_of_bytes(T const& item) {
  u64 hash = 0;
  if constexpr (!std::is_same_v<T, none>) {
    u32 words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, &item, sizeof(T));
    for (u32 const word : words) hash = mix(hash ^ word);
  }
  return hash;
}

// Sums of these over all items, modulo 2^64, are equal for equal multisets of items, and hardly for others.
template <class Key, class Value>
__host__ __device__ u64 hash_of_item(Key const& key, Value const& value) {
  return mix(hash_of_bytes(key) + 3 * hash_of_bytes(value));
}

// Returns whether two neighbours of an output are in order, which among equals is the order of the input.
template <class Key, class Value, class Less = custom>
__host__ __device__ bool in_order(Key const& key, [[maybe_unused]] Value const& value, Key const& next_key,
                                  [[maybe_unused]] Value const& next_value, Less less = {}) {
  if (less(key, next_key)) return true;
  if (less(next_key, key)) return false;
  if constexpr (std::is_same_v<Key, s16>) {
    if (key.id >= next_key.id) return false;
  }
  if constexpr (!std::is_same_v<Value, none>) {
    if (index_of(value) >= index_of(next_value)) return false;
  }
  return true;
}

}  // namespace perf
