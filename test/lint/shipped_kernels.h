// The units that list shipped kernels have this in common.
#pragma once
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <cstddef>
#include <cstdint>

namespace shipped {

template <std::size_t Bytes>
struct alignas(8) record {
  std::uint64_t first, second;
  unsigned char rest[Bytes - 16];
};
template <>
struct alignas(8) record<16> {
  std::uint64_t first, second;
};

// Users write such a comparator for the types that have no order of their own.
struct by_both_words {
  template <class Record>
  __device__ bool operator()(Record const& a, Record const& b) const {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  }
};

template <class Key>
struct usual_order {
  using type = cuda::std::less<>;
};
template <std::size_t Bytes>
struct usual_order<record<Bytes>> {
  using type = by_both_words;
};
template <class Key>
constexpr typename usual_order<Key>::type order{};

// Returns an address that the compiler does not know.
template <class T>
T* somewhere() {
  static T* volatile unknown = nullptr;
  return unknown;
}
std::ptrdiff_t volatile some_count = 0;

template <class Key, class Value>
void pairs() {
  Key* const keys = somewhere<Key>();
  mgpu::sort_by_key(mgpu::par, keys, keys + some_count, somewhere<Value>(), order<Key>);
}

template <class Key>
void sorts() {
  Key* const keys = somewhere<Key>();
  mgpu::sort(mgpu::par, keys, keys + some_count, order<Key>);
  pairs<Key, std::uint32_t>();
  pairs<Key, std::uint64_t>();
  pairs<Key, record<16>>();
}

template <class Key>
void copies() {
  Key const* const keys = somewhere<Key>();
  mgpu::sort_copy(mgpu::par, keys, keys + some_count, somewhere<Key>(), order<Key>);
  mgpu::argsort(mgpu::par, keys, keys + some_count, somewhere<std::uint32_t>(), order<Key>);
}

}  // namespace shipped
