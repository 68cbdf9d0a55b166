// These are the items that inputs consist of, on host and device: the types of keys, values and comparators, their
// names in rows, the distributions of keys, the lines of a text, and what makes an output right, item by item.
#pragma once
#include <cuda_runtime_api.h>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cmath>
#include <cuda/std/limits>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace perf {

// --- Types
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
// --- Distributions: key i of n depends on the distribution, i and n alone
// The order is that of their names below.
enum class distribution {
  uniform,  // has random bits
  // These have so much entropy per bit of key, as they are the AND of 3, of 5, of infinitely many random words
  // (Thearling and Smith, "An improved supercomputer sorting benchmark", SC 1992).
  entropy_0_544,
  entropy_0_201,
  entropy_0,
  sorted,       // rises over the whole range of the type
  reversed,     // falls likewise
  distinct_16,  // has 16 values, spread over the range
  disturbed_1,  // is sorted, with a random key in one place of a hundred
  low_half,     // has random bits in the lower half of the type and none above
  long_runs,    // has 2^14 times each random key in a row, so that tiles have one digit
  sorted_runs,  // is 16 sorted runs of one length, over the whole range each
  zipf,         // has 2^20 values, of which the one at rank k comes about 1/k as often as the first
  // These are floats as programs have them: their highest bits are far from random. Other keys have random bits.
  fractions,  // lie evenly in [0, 1)
  normal,     // have a mean of 0 and a variance of 1, as the sum of 12 fractions less 6
  // For merging, these are two sorted runs, [0, n/2) and [n/2, n).
  mixed_runs,        // has both over the whole range, so that they interleave at random
  apart_runs,        // has all of the first below all of the second
  distinct_16_runs,  // has 16 values in each
  // For reducing and scanning, bits are random, but floats are whole numbers from 0 on, so small that their sum is
  // exact whatever the order of adding.
  summands,
};

inline char const* name_of(distribution which) {
  constexpr char const* names[] = {
      "uniform",     "entropy_0.544", "entropy_0.201", "entropy_0",  "sorted",           "reversed",
      "distinct_16", "disturbed_1",   "low_half",      "long_runs",  "sorted_runs",      "zipf",
      "fractions",   "normal",        "mixed_runs",    "apart_runs", "distinct_16_runs", "summands"};
  return names[static_cast<int>(which)];
}

// Makes a key of random bits. Floats are neither NaN nor infinite, as no exponent gets all its bits.
template <class Key>
__host__ __device__ Key key_of_bits(u64 bits, u64 index) {
  if constexpr (std::is_same_v<Key, s16>) {
    return {bits, index};
  } else if constexpr (std::is_same_v<Key, b64>) {
    return {{static_cast<u32>(bits >> 32), static_cast<u32>(bits)}};  // with zeros behind
  } else if constexpr (std::is_same_v<Key, affine>) {
    return {static_cast<u32>(bits) | 1, static_cast<u32>(bits >> 32)};  // is odd to lose nothing of what comes before
  } else if constexpr (std::is_floating_point_v<Key>) {
    using word = std::conditional_t<sizeof(Key) == 4, u32, u64>;
    constexpr word exponent_bit = word{1} << (cuda::std::numeric_limits<Key>::digits - 1);
    word const pattern = static_cast<word>(bits);
    auto const key = cuda::std::bit_cast<Key>(pattern);
    return cuda::std::isfinite(key) ? key : cuda::std::bit_cast<Key>(pattern ^ exponent_bit);
  } else {
    return static_cast<Key>(bits);
  }
}

// Makes the key at `place`, a 64-bit fraction of the type's range, which rises with it.
template <class Key>
__host__ __device__ Key key_at_place(u64 place, u64 index) {
  if constexpr (std::is_floating_point_v<Key>) {
    return static_cast<Key>(static_cast<std::int64_t>(place >> 1) - (std::int64_t{1} << 62));
  } else if constexpr (std::is_integral_v<Key>) {
    return static_cast<Key>(place >> (64 - 8 * sizeof(Key)));
  } else {
    return key_of_bits<Key>(place, index);  // of affine maps there is no order
  }
}

// Makes one of n keys that are to be added up. Those of a type of 24 digits are numbers below 2^24 / n, rounded up or
// down at random, so their mean is 2^23 / n.
template <class Key>
__host__ __device__ Key summand_of_bits(u64 bits, u64 index, u64 n) {
  if constexpr (std::is_same_v<Key, f32>) {
    constexpr u64 mask = (u64{1} << 24) - 1;
    return static_cast<Key>((((bits & mask) << 24) / n + (bits >> 40)) >> 24);
  } else if constexpr (std::is_same_v<Key, f64>) {
    return static_cast<Key>(bits >> 40);  // for 53 digits, up to 2^29 of these
  } else {
    return key_of_bits<Key>(bits, index);
  }
}

// Makes a float of the sum of so many fractions, less their mean where they are several.
template <class Key>
__host__ __device__ Key key_of_fractions(u64 i, int num_fractions) {
  constexpr int digits = cuda::std::numeric_limits<Key>::digits;
  std::int64_t sum = num_fractions == 1 ? 0 : -(std::int64_t{num_fractions} << (digits - 1));
  for (int part = 0; part < num_fractions; ++part) {
    sum += static_cast<std::int64_t>(random_word(i, part) >> (64 - digits));
  }
  return static_cast<Key>(sum) / static_cast<Key>(std::int64_t{1} << digits);
}

// Returns key i of n.
template <class Key>
__host__ __device__ Key key_at(distribution from, u64 i, u64 n) {
  using by = distribution;
  auto const of_bits = [i](u64 bits) { return key_of_bits<Key>(bits, i); };
  auto const at_place = [i](u64 place) { return key_at_place<Key>(place, i); };
  u64 const word = random_word(i, 0);
  // Makes the key at that index of a sorted run, which has the whole range and steps of random length.
  auto const in_sorted_run = [&](u64 index, u64 run_items) {
    u64 const step_of_run = ~u64{0} / run_items;
    return at_place(index * step_of_run + word % step_of_run);
  };
  u64 const step = ~u64{0} / n;  // lies between neighbours of n keys in order
  u64 const run_of_16 = (n + 15) / 16;
  u64 const octave = u64{1} << word % 20;  // each octave of ranks has as many keys
  // This is the one of two runs that the key is in, and its place there.
  u64 const run = i < n / 2 ? n / 2 : n - n / 2;
  u64 const in_run = i < n / 2 ? i : i - n / 2;

  u64 const word_and_2_more = word & random_word(i, 1) & random_word(i, 2);
  if (from == by::uniform) return of_bits(word);
  if (from == by::entropy_0_544) return of_bits(word_and_2_more);
  if (from == by::entropy_0_201) return of_bits(word_and_2_more & random_word(i, 3) & random_word(i, 4));
  if (from == by::entropy_0) return of_bits(0);
  if (from == by::sorted || from == by::apart_runs) return at_place(i * step);
  if (from == by::reversed) return at_place((n - 1 - i) * step);
  if (from == by::distinct_16) return of_bits(mix(word % 16));
  if (from == by::disturbed_1) return at_place(word % 100 == 0 ? random_word(i, 1) : i * step);
  if (from == by::low_half) return of_bits(word >> (64 - 4 * (sizeof(Key) < 16 ? sizeof(Key) : 16)));
  if (from == by::long_runs) return of_bits(random_word(i >> 14, 0));
  if (from == by::sorted_runs) return in_sorted_run(i % run_of_16, run_of_16);
  if (from == by::zipf) return of_bits(mix(octave + random_word(i, 1) % octave));
  if constexpr (std::is_floating_point_v<Key>) {
    if (from == by::fractions) return key_of_fractions<Key>(i, 1);
    if (from == by::normal) return key_of_fractions<Key>(i, 12);
  }
  if (from == by::mixed_runs) return in_sorted_run(in_run, run);
  if (from == by::distinct_16_runs) return at_place((in_run * 16 / run) << 60);
  return summand_of_bits<Key>(word, i, n);
}

// --- Lines of a text: a line depends on its number and on how many there are alone
constexpr int bytes_of_slot = 64;  // in which a line begins, and ends

// Writes line i of n. It has up to ten words, behind spaces where it is indented, as programs are. Words have 2 to 9
// letters; of 4,096 the one at rank k comes about 1/k as often as the first. A quarter of the lines come some 16
// times each.
__host__ __device__ inline void write_line(unsigned char* slot, u64 i, u64 n) {
  u64 const line = i % 4 == 0 ? n + mix(i) % (n / 64 + 1) : i;
  u64 const kind = random_word(line, 0);
  int length = 0;
  for (u64 indent = kind % 8; indent > 3; --indent) slot[length++] = ' ', slot[length++] = ' ';
  for (u64 word = 0; word <= kind / 8 % 10; ++word) {
    u64 const random = mix(random_word(line, 1) + word);
    u64 const octave = u64{1} << random % 12;  // each octave of ranks comes as often
    u64 letters = mix(octave + (random >> 32) % octave);
    int const num_letters = 2 + static_cast<int>(letters >> 61);
    if (length + 1 + num_letters >= bytes_of_slot) break;
    if (word > 0) slot[length++] = ' ';
    for (int letter = 0; letter < num_letters; ++letter, letters /= 26) {
      slot[length++] = static_cast<unsigned char>('a' + letters % 26);
    }
  }
  slot[length] = '\n';
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

template <class Value>
__host__ __device__ u32 index_of(Value const& value) {
  return cuda::std::bit_cast<cuda::std::array<u32, sizeof(Value) / sizeof(u32)>>(value)[0];
}

// Returns whether two neighbours of an output are in order, which among equals is the order of the input.
template <class Key, class Value, class Less = custom>
__host__ __device__ bool in_order(Key const& key, [[maybe_unused]] Value const& value, Key const& next_key,
                                  [[maybe_unused]] Value const& next_value, Less less = {}) {
  if (less(key, next_key) || less(next_key, key)) return less(key, next_key);
  bool is_stable = true;
  if constexpr (std::is_same_v<Key, s16>) is_stable = key.id < next_key.id;
  if constexpr (!std::is_same_v<Value, none>) is_stable = is_stable && index_of(value) < index_of(next_value);
  return is_stable;
}

}  // namespace perf
