// These are the kernels that users get: the public interface with the usual tuning on the usual types. They never
// run, but are compiled for the assembler's report on each of them.
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <cstddef>
#include <cstdint>

namespace {

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

// These numbers have an order of the user's own, so they are merged.
struct own_order {
  template <class Key>
  __device__ bool operator()(Key a, Key b) const {
    return a < b;
  }
};

template <class Key>
void own_sorts() {
  Key* const keys = somewhere<Key>();
  mgpu::sort(mgpu::par, keys, keys + some_count, own_order{});
  mgpu::sort_by_key(mgpu::par, keys, keys + some_count, somewhere<Key>(), own_order{});
}

template <class Key>
void copies() {
  Key const* const keys = somewhere<Key>();
  mgpu::sort_copy(mgpu::par, keys, keys + some_count, somewhere<Key>(), order<Key>);
  mgpu::argsort(mgpu::par, keys, keys + some_count, somewhere<std::uint32_t>(), order<Key>);
}

template <class Key, class Value>
void merge_pairs() {
  Key const* const keys = somewhere<Key>();
  Value const* const values = somewhere<Value>();
  mgpu::merge_by_key(mgpu::par, keys, keys + some_count, keys, keys + some_count, values, values, somewhere<Key>(),
                     somewhere<Value>(), order<Key>);
}

template <class Key>
void merges() {
  Key const* const keys = somewhere<Key>();
  mgpu::merge(mgpu::par, keys, keys + some_count, keys, keys + some_count, somewhere<Key>(), order<Key>);
  merge_pairs<Key, std::uint32_t>();
  merge_pairs<Key, record<16>>();
}

}  // namespace

void shipped_sorts() {
  own_sorts<std::uint8_t>();
  own_sorts<std::uint16_t>();
  own_sorts<std::uint32_t>();
  own_sorts<std::uint64_t>();
  sorts<std::uint8_t>();
  sorts<std::uint16_t>();
  sorts<std::uint32_t>();
  sorts<std::uint64_t>();
  sorts<float>();
  sorts<double>();
  sorts<record<16>>();
  sorts<record<32>>();
}

void shipped_copies() {
  copies<std::uint32_t>();
  copies<std::uint64_t>();
  copies<float>();
  copies<record<16>>();
}

void shipped_merges() {
  merges<std::uint32_t>();
  merges<std::uint64_t>();
  merges<float>();
  merges<record<16>>();
}

void shipped_large_items() {
  pairs<std::uint32_t, record<200>>();
  pairs<std::uint64_t, record<200>>();
  pairs<record<200>, std::uint32_t>();
  copies<record<200>>();
  merge_pairs<std::uint32_t, record<200>>();
  merge_pairs<record<200>, record<200>>();
}
