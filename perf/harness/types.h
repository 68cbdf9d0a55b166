// The key, value and comparator types of the rows, and their names there.
#pragma once
#include <harness/random.h>
#include <cuda_runtime_api.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace perf {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using f32 = float;
using f64 = double;

// A key with a payload of its own: ordered by `order` alone.
struct s16 {
  u64 order;
  u64 id;
};

// x -> scale * x + shift. Doing one map after another is a product that does not commute.
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

// Values too large to travel through every pass of a sort.
template <int bytes>
struct blob {
  u32 words[bytes / 4];
};
using b32 = blob<32>;
using b200 = blob<200>;

struct none {};  // no values

template <class T>
constexpr std::size_t bytes_of = std::is_same_v<T, none> ? 0 : sizeof(T);

template <class T>
constexpr char const* name_of = nullptr;
template <>
inline constexpr char const* name_of<u8> = "u8";
template <>
inline constexpr char const* name_of<u16> = "u16";
template <>
inline constexpr char const* name_of<u32> = "u32";
template <>
inline constexpr char const* name_of<u64> = "u64";
template <>
inline constexpr char const* name_of<f32> = "f32";
template <>
inline constexpr char const* name_of<f64> = "f64";
template <>
inline constexpr char const* name_of<s16> = "s16";
template <>
inline constexpr char const* name_of<affine> = "affine";
template <>
inline constexpr char const* name_of<none> = "none";
template <>
inline constexpr char const* name_of<b32> = "b32";
template <>
inline constexpr char const* name_of<b200> = "b200";

// The order of the rows' keys, whatever comparator a library is given.
template <class Key>
__host__ __device__ constexpr bool comes_before(Key const& a, Key const& b) {
  if constexpr (std::is_same_v<Key, s16>) {
    return a.order < b.order;
  } else {
    return a < b;
  }
}

// Comparators. Natural: the call without one, which is where a radix sort may be chosen. Custom: the same order as
// a functor that no library knows, so that comparing is all it can do.
struct natural {};
struct custom {
  template <class Key>
  __host__ __device__ constexpr bool operator()(Key const& a, Key const& b) const {
    return comes_before(a, b);
  }
};
template <>
inline constexpr char const* name_of<natural> = "natural";
template <>
inline constexpr char const* name_of<custom> = "custom";

// The value that belongs to the item that was number `index` in the input, and back. That is how stability shows.
template <class Value>
__host__ __device__ constexpr Value value_of(u64 index) {
  if constexpr (std::is_integral_v<Value>) {
    return static_cast<Value>(index);
  } else {
    Value value{};
    constexpr int words = sizeof(Value) / 4;
    for (int i = 0; i < words; ++i) value.words[i] = static_cast<u32>(mix(index * words + static_cast<u64>(i)));
    value.words[0] = static_cast<u32>(index);
    return value;
  }
}
template <class Value>
__host__ __device__ constexpr u64 index_of(Value const& value) {
  if constexpr (std::is_integral_v<Value>) {
    return value;
  } else {
    return value.words[0];
  }
}

}  // namespace perf
