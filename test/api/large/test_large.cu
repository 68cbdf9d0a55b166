// Sorts are right for inputs of real size, on a GPU only: up to 2^28 keys, and more than 2^32 of one byte. The CPU
// checks against the original input.
#include <support/device.h>
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

BOOST_AUTO_TEST_SUITE(large, *boost::unit_test::precondition(test::can_run{}))

namespace {

// No backend can take this order for the natural one.
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

// Item i follows from i alone, so all of the CPU can make items.
template <class T>
std::vector<T> random_items(std::size_t count) {
  std::vector<T> items(count);
  std::size_t const shares = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t share = 0; share < shares; ++share) {
    threads.emplace_back([&items, begin = count * share / shares, end = count * (share + 1) / shares] {
      for (std::size_t i = begin; i < end; ++i) items[i] = static_cast<T>(mix(i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  return items;
}

constexpr std::size_t beyond_32_bits = (std::size_t{1} << 32) + 12345;

struct odd_first {
  __host__ __device__ bool operator()(std::uint8_t a, std::uint8_t b) const {
    return a % 2 != b % 2 ? a % 2 > b % 2 : a < b;
  }
};

std::array<std::size_t, 256> histogram_of(std::vector<std::uint8_t> const& keys) {
  std::array<std::size_t, 256> histogram{};
  for (std::uint8_t const key : keys) ++histogram[key];
  return histogram;
}

// Tells whether so many of each key stand in that order.
template <class Comp>
void check_histogram(std::vector<std::uint8_t> const& got, std::array<std::size_t, 256> const& histogram, Comp comp) {
  std::array<std::uint8_t, 256> keys;
  std::iota(keys.begin(), keys.end(), std::uint8_t{0});
  std::sort(keys.begin(), keys.end(), comp);
  auto place = got.begin();
  for (std::uint8_t const key : keys) {
    auto const end = place + static_cast<std::ptrdiff_t>(histogram[key]);
    BOOST_REQUIRE(end <= got.end());
    BOOST_TEST(std::all_of(place, end, [&](std::uint8_t item) { return item == key; }));
    place = end;
  }
  BOOST_TEST((place == got.end()));
}

}  // namespace

// The one right answer is the permutation under which equal keys keep their order.
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

// Many small keys are counted.
BOOST_AUTO_TEST_CASE(beyond_32_bits_by_counting) {
  std::vector<std::uint8_t> const keys = random_items<std::uint8_t>(beyond_32_bits);
  test::buffer<std::uint8_t> sorted(keys);
  mgpu::sort(mgpu::par, sorted.begin(), sorted.end());
  mgpu::release_scratch();
  check_histogram(sorted.get(), histogram_of(keys), cuda::std::less<>());
}

BOOST_AUTO_TEST_CASE(beyond_32_bits_by_comparisons) {
  std::vector<std::uint8_t> const keys = random_items<std::uint8_t>(beyond_32_bits);
  test::buffer<std::uint8_t> sorted(keys);
  mgpu::sort(mgpu::par, sorted.begin(), sorted.end(), odd_first{});
  mgpu::release_scratch();
  check_histogram(sorted.get(), histogram_of(keys), odd_first{});
}

// These keys are sorted by digits, in several launches a pass; their indices are the one right answer.
BOOST_AUTO_TEST_CASE(beyond_32_bits_with_indices) {
  std::vector<std::uint8_t> const keys = random_items<std::uint8_t>(beyond_32_bits);
  test::buffer<std::uint8_t> sorted(keys);
  test::buffer<std::uint64_t> places(keys.size());
  mgpu::sort_with_indices(mgpu::par, sorted.begin(), sorted.end(), places.begin());
  mgpu::release_scratch();

  std::vector<std::uint8_t> const got = sorted.get();
  std::vector<std::uint64_t> const from = places.get();
  auto const histogram = histogram_of(keys);
  std::array<std::size_t, 256> next{};
  for (std::size_t key = 1; key < next.size(); ++key) next[key] = next[key - 1] + histogram[key - 1];
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::size_t const place = next[keys[i]]++;
    wrong += got[place] != keys[i] || from[place] != i;
  }
  BOOST_TEST(wrong == 0u);
}

// Values are so large that a tile of them is more than 2^31 bytes; they are moved one by one.
struct huge_value {
  unsigned char bytes[700'001];
};

BOOST_AUTO_TEST_CASE(huge_values_merged) {
  std::size_t const count = 4000;  // more than a tile
  std::size_t const middle = count / 3;
  std::vector<std::uint32_t> keys(count);
  std::iota(keys.begin(), keys.begin() + middle, 7u);
  std::iota(keys.begin() + middle, keys.end(), 100u);
  std::vector<unsigned char> marks(count * sizeof(huge_value), 1);  // the first and the last byte tell the item
  auto const mark = [](std::size_t i) {
    return std::array<unsigned char, 2>{static_cast<unsigned char>(i * 31), static_cast<unsigned char>(i / 256)};
  };
  for (std::size_t i = 0; i < count; ++i) {
    marks[i * sizeof(huge_value)] = mark(i)[0];
    marks[(i + 1) * sizeof(huge_value) - 1] = mark(i)[1];
  }
  test::buffer<std::uint32_t> runs(keys), merged(count);
  test::buffer<unsigned char> values(marks), values_out(marks.size());
  auto* const first = reinterpret_cast<huge_value*>(values.begin());
  mgpu::merge_by_key(mgpu::par, runs.begin(), runs.begin() + middle, runs.begin() + middle, runs.end(), first,
                     first + middle, merged.begin(), reinterpret_cast<huge_value*>(values_out.begin()));
  mgpu::release_scratch();

  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  std::vector<unsigned char> const got = values_out.get();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    unsigned char const* const item = got.data() + i * sizeof(huge_value);
    wrong += item[0] != mark(order[i])[0] || item[sizeof(huge_value) - 1] != mark(order[i])[1] ||
             !std::all_of(item + 1, item + sizeof(huge_value) - 1, [](unsigned char byte) { return byte == 1; });
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(beyond_32_bits_merged) {
  std::vector<std::uint8_t> keys(beyond_32_bits);
  std::size_t const middle = beyond_32_bits / 2 + 7;
  for (std::size_t i = 0; i < middle; ++i) keys[i] = static_cast<std::uint8_t>(i / (middle / 200));
  for (std::size_t i = middle; i < keys.size(); ++i)
    keys[i] = static_cast<std::uint8_t>((i - middle) / (middle / 255));
  test::buffer<std::uint8_t> runs(keys), merged(keys.size());
  auto const split = runs.begin() + static_cast<std::ptrdiff_t>(middle);
  mgpu::merge(mgpu::par, runs.begin(), split, split, runs.end(), merged.begin());
  mgpu::release_scratch();
  check_histogram(merged.get(), histogram_of(keys), cuda::std::less<>());
}

BOOST_AUTO_TEST_SUITE_END()
