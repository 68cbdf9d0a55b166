// The ordered_bits of every type that has them order as the keys do, on the host and on the device.
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/radix_key.h>
#include <core/radix_keys.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/simt/simt.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cuda/std/cstddef>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace test {

enum class signed_scoped : std::int16_t {};
enum unsigned_unscoped : std::uint64_t {};

// Parcels are ordered by weight, heavy ones first, then by name; the rest does not count.
struct parcel {
  std::uint64_t ignored;
  std::uint8_t name;
  float weight;
};
__host__ __device__ inline bool operator<(parcel const& a, parcel const& b) {
  return b.weight < a.weight || (b.weight == a.weight && a.name < b.name);
}
struct shelf {
  parcel first;
};
__host__ __device__ inline bool operator<(shelf const& a, shelf const& b) { return a.first < b.first; }

}  // namespace test

template <>
struct mgpu::radix_key<test::parcel> {
  __host__ __device__ static cuda::std::pair<float, std::uint8_t> of(test::parcel const& p) {
    return {-p.weight, p.name};
  }
};
template <>
struct mgpu::radix_key<test::shelf> {
  __host__ __device__ static auto of(test::shelf const& s) { return cuda::std::tie(s.first); }
};

namespace {

using mgpu::detail::has_ordered_bits;
using mgpu::detail::ordered_bits;
using mgpu::detail::ordered_bits_t;
using mgpu::detail::radix_traits;
using test::int128;
using test::keys_list;
using test::uint128;

#if MGPU_HAS_DEVICE
template <class Key>
__global__ void ordered_bits_kernel(test::held<Key> const* keys, int num_keys, ordered_bits_t<Key>* bits) {
  for (int i = static_cast<int>(mgpu::detail::simt::thread_rank()); i < num_keys; i += 64) {
    bits[i] = ordered_bits(keys[i].key);
  }
}

template <class Key>
void check_on_device(keys_list<Key> const& keys, std::vector<ordered_bits_t<Key>> const& expected) {
  if (!test::has_device()) return;
  test::buffer<test::held<Key>> input(keys);
  test::buffer<ordered_bits_t<Key>> bits(keys.size());
  test::run_kernel(ordered_bits_kernel<Key>, 1, 64, 0, input.begin(), static_cast<int>(keys.size()), bits.begin());
  BOOST_TEST((bits.get() == expected), "bits on the device");
}
#else
template <class Key>
void check_on_device(keys_list<Key> const&, std::vector<ordered_bits_t<Key>> const&) {}
#endif

template <class Key>
std::vector<ordered_bits_t<Key>> bits_of(keys_list<Key> const& keys) {
  std::vector<ordered_bits_t<Key>> bits;
  for (auto const& item : keys) bits.push_back(ordered_bits(item.key));
  return bits;
}

template <class Key>
bool within_width(std::vector<ordered_bits_t<Key>> const& bits) {
  return std::all_of(bits.begin(), bits.end(), [](uint128 x) {
    return radix_traits<Key>::bits == 128 || x >> radix_traits<Key>::bits % 128 == 0;
  });
}

// Compares every key with every other.
template <class Key>
void check_all_pairs(keys_list<Key> const& keys) {
  auto const bits = bits_of(keys);
  BOOST_TEST(within_width<Key>(bits));
  int num_wrong = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = 0; j < keys.size(); ++j) {
      num_wrong += (bits[i] < bits[j]) != test::before(keys[i].key, keys[j].key);
    }
  }
  BOOST_TEST(num_wrong == 0);
  check_on_device(keys, bits);
}

// Compares neighbours, which is enough for a type with too many pairs: neighbours by bits are neighbours by order,
// and equal together.
template <class Key>
void check_neighbours(keys_list<Key> keys) {
  auto const by_bits = [](auto const& a, auto const& b) { return ordered_bits(a.key) < ordered_bits(b.key); };
  std::sort(keys.begin(), keys.end(), by_bits);
  int num_wrong = 0;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    num_wrong += by_bits(keys[i - 1], keys[i]) != test::before(keys[i - 1].key, keys[i].key);
    num_wrong += test::before(keys[i].key, keys[i - 1].key);
  }
  BOOST_TEST(num_wrong == 0);
  check_on_device(keys, bits_of(keys));
}

// Returns all combinations of a few keys of each element.
template <class Key>
keys_list<Key> few_keys() {
  auto const hard = test::hard_keys<Key>();
  keys_list<Key> made;
  for (std::size_t i = 0; i < hard.size(); i += hard.size() / 8 + 1) made.push_back(hard[i]);
  if constexpr (test::is_float<Key>) made.insert(made.end(), {{Key(0.0f)}, {Key(-0.0f)}});
  return made;
}
template <class Product, class First, class Second>
keys_list<Product> combinations(keys_list<First> const& firsts, keys_list<Second> const& seconds) {
  keys_list<Product> made;
  for (auto const& a : firsts) {
    for (auto const& b : seconds) made.push_back({Product(a.key, b.key)});
  }
  return made;
}
template <class Product, class First, class Second>
void check_combinations() {
  check_all_pairs(combinations<Product>(few_keys<First>(), few_keys<Second>()));
}

using scalar_types =
    std::tuple<bool, char, signed char, unsigned char, wchar_t, char16_t, char32_t, std::byte, cuda::std::byte,
               std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, long, unsigned long, long long,
               unsigned long long, int128, uint128, float, double, __half, __nv_bfloat16, test::signed_scoped,
               test::unsigned_unscoped, void*, std::int32_t const*, void (*)()>;
using small_types = std::tuple<char, signed char, unsigned char, std::byte, std::int16_t, std::uint16_t, char16_t,
                               test::signed_scoped, __half, __nv_bfloat16>;

}  // namespace

BOOST_AUTO_TEST_SUITE(radix_key)

BOOST_AUTO_TEST_CASE_TEMPLATE(hard_keys, Key, scalar_types) { check_all_pairs(test::hard_keys<Key>()); }

BOOST_AUTO_TEST_CASE_TEMPLATE(every_key, Key, small_types) { check_neighbours(test::all_keys<Key>()); }

BOOST_AUTO_TEST_CASE_TEMPLATE(both_zeros, Key, decltype(std::tuple<float, double, __half, __nv_bfloat16>{})) {
  BOOST_TEST((ordered_bits(Key(0.0f)) == ordered_bits(Key(-0.0f))));
}

BOOST_AUTO_TEST_CASE(pairs) {
  check_combinations<std::pair<std::int8_t, std::int8_t>, std::int8_t, std::int8_t>();
  check_combinations<cuda::std::pair<float, std::int16_t>, float, std::int16_t>();
  check_combinations<std::pair<std::uint8_t, double>, std::uint8_t, double>();
  check_combinations<cuda::std::pair<__half, __nv_bfloat16>, __half, __nv_bfloat16>();
  check_combinations<cuda::std::pair<double, std::int64_t>, double, std::int64_t>();
  check_combinations<std::pair<test::signed_scoped, bool>, test::signed_scoped, bool>();
}

BOOST_AUTO_TEST_CASE(tuples) {
  check_combinations<cuda::std::tuple<std::int32_t, float>, std::int32_t, float>();
  check_combinations<cuda::std::tuple<std::uint64_t, void*>, std::uint64_t, void*>();
  check_all_pairs<cuda::std::tuple<float>>({{-1.0f}, {-0.0f}, {0.0f}, {1.0f}});
  check_all_pairs<cuda::std::tuple<int128>>({{int128{-1}}, {int128{0}}, {int128{1} << 100}});
#if !defined(__CUDACC__)
  check_combinations<std::tuple<std::int32_t, float>, std::int32_t, float>();
#endif
}

BOOST_AUTO_TEST_CASE(nested) {
  using inner = cuda::std::tuple<std::int8_t, float>;
  using outer = std::pair<inner, cuda::std::pair<std::uint16_t, bool>>;
  auto const left = combinations<inner>(few_keys<std::int8_t>(), few_keys<float>());
  auto const right = combinations<cuda::std::pair<std::uint16_t, bool>>(few_keys<std::uint16_t>(), few_keys<bool>());
  check_all_pairs(combinations<outer>(left, right));
}

// Nothing of an element spills into its neighbours, where the sum of the bits is no type's width.
BOOST_AUTO_TEST_CASE(places_of_elements) {
  using key = cuda::std::tuple<std::uint8_t, std::uint16_t, cuda::std::pair<std::int8_t, std::uint64_t>>;
  BOOST_TEST(radix_traits<key>::bits == 96);
  auto const bits = ordered_bits(key{0x12, 0x3456, {-128, 0x789abcdef0123456}});
  BOOST_TEST((bits == (uint128{0x12345600} << 64 | 0x789abcdef0123456)));
}

BOOST_AUTO_TEST_CASE(declared) {
  keys_list<test::parcel> parcels;
  keys_list<test::shelf> shelves;
  for (auto const& weight : few_keys<float>()) {
    if (weight.key != weight.key) continue;
    for (std::uint8_t const name : {0, 1, 255}) {
      parcels.push_back({{parcels.size(), name, weight.key}});
      shelves.push_back({{{parcels.size(), name, weight.key}}});
    }
  }
  check_all_pairs(parcels);
  check_all_pairs(shelves);
  check_all_pairs(combinations<cuda::std::pair<bool, test::parcel>>(few_keys<bool>(), parcels));
}

BOOST_AUTO_TEST_SUITE_END()
