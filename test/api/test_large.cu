// Inputs of real size, on a GPU only: up to 2^28 keys, and more than 2^32 of one byte. Checked on the CPU against the
// original input.
#include <support/device.h>
#include <mgpu/sort.h>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace {

// Order that no backend can take for the natural one.
struct by_low_bits_then_high {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    return (a << 16 | a >> 16) < (b << 16 | b >> 16);
  }
};

std::uint64_t mix(std::uint64_t x) {  // the finaliser of SplitMix64
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

template <class T>
std::vector<T> random_items(std::size_t count) {
  std::vector<T> items(count);
  for (std::size_t i = 0; i < count; ++i) items[i] = static_cast<T>(mix(i));
  return items;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(large, *boost::unit_test::precondition(test::can_run{}))

// A permutation under which equal keys keep their order is the one right answer.
BOOST_DATA_TEST_CASE(stable_permutation,
                     boost::unit_test::data::make<std::size_t>({1u << 20, (1u << 24) + 12345, 100000007, 1u << 28}),
                     count) {
  std::vector<std::uint32_t> keys = random_items<std::uint32_t>(count);
  for (std::uint32_t& key : keys) key &= 0x00ffffff;  // so that keys repeat
  test::buffer<std::uint32_t> sorted(keys);
  test::buffer<std::uint32_t> places(count);
  mgpu::sort_with_indices(mgpu::par, sorted.begin(), sorted.end(), places.begin(), by_low_bits_then_high{});

  std::vector<std::uint32_t> const got = sorted.get();
  std::vector<std::uint32_t> const from = places.get();
  std::vector<bool> seen(count, false);
  by_low_bits_then_high const less;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bool const fresh = from[i] < count && !seen[from[i]];
    wrong += !fresh || got[i] != keys[from[i]];
    if (fresh) seen[from[i]] = true;
    if (i > 0) wrong += less(got[i], got[i - 1]) || (!less(got[i - 1], got[i]) && from[i - 1] >= from[i]);
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(keys_alone) {
  std::size_t const count = (1u << 26) + 1;
  std::vector<std::uint64_t> keys = random_items<std::uint64_t>(count);
  test::buffer<std::uint64_t> sorted(keys);
  mgpu::sort(mgpu::par, sorted.begin(), sorted.end());
  std::sort(keys.begin(), keys.end());
  BOOST_TEST((sorted.get() == keys));
}

BOOST_AUTO_TEST_CASE(beyond_32_bit_counts) {
  std::size_t const count = (std::size_t{1} << 32) + 12345;
  std::vector<std::uint8_t> const keys = random_items<std::uint8_t>(count);
  std::array<std::size_t, 256> histogram{};
  for (std::uint8_t const key : keys) ++histogram[key];

  test::buffer<std::uint8_t> sorted(keys);
  mgpu::sort(mgpu::par, sorted.begin(), sorted.end());
  mgpu::release_scratch();

  std::vector<std::uint8_t> const got = sorted.get();
  auto place = got.begin();
  for (std::size_t key = 0; key < histogram.size(); ++key) {
    auto const end = place + static_cast<std::ptrdiff_t>(histogram[key]);
    BOOST_TEST(std::all_of(place, end, [&](std::uint8_t item) { return item == key; }));
    place = end;
  }
}

BOOST_AUTO_TEST_SUITE_END()
