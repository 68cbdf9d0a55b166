// Sorts are right for inputs of real size, on a GPU only: up to 2^28 keys, some more, and more than 2^32 of one byte. The CPU
// checks against the original input.
#include <support/device.h>
#include <mgpu/merge.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <thread>
#include <tuple>
#include <utility>
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

// Calls f(begin, end) for shares of so many items, by all of the CPU, and returns the sum of what it returns.
template <class F>
std::size_t sum_of_shares(std::size_t count, F f) {
  std::size_t const shares = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::size_t> results(shares);
  std::vector<std::thread> threads;
  for (std::size_t share = 0; share < shares; ++share) {
    threads.emplace_back([&, share] { results[share] = f(count * share / shares, count * (share + 1) / shares); });
  }
  for (std::thread& thread : threads) thread.join();
  return std::accumulate(results.begin(), results.end(), std::size_t{0});
}

// Item i follows from i alone.
template <class T, class F>
std::vector<T> make_items(std::size_t count, F make) {
  std::vector<T> items(count);
  sum_of_shares(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) items[i] = static_cast<T>(make(i));
    return 0;
  });
  return items;
}

template <class T>
std::vector<T> random_items(std::size_t count) {
  return make_items<T>(count, mix);
}

constexpr std::size_t beyond_32_bits = (std::size_t{1} << 32) + 12345;

struct odd_first {
  __host__ __device__ bool operator()(std::uint8_t a, std::uint8_t b) const {
    return a % 2 != b % 2 ? a % 2 > b % 2 : a < b;
  }
};

std::array<std::size_t, 256> histogram_of(std::vector<std::uint8_t> const& keys) {
  std::array<std::size_t, 256> histogram{};
  std::mutex one_by_one;
  sum_of_shares(keys.size(), [&](std::size_t begin, std::size_t end) {
    std::array<std::size_t, 256> of_share{};
    for (std::size_t i = begin; i < end; ++i) ++of_share[keys[i]];
    std::lock_guard<std::mutex> const guard(one_by_one);
    for (std::size_t key = 0; key < of_share.size(); ++key) histogram[key] += of_share[key];
    return 0;
  });
  return histogram;
}

// Tells whether so many of each key stand in that order.
template <class Comp>
void check_histogram(std::vector<std::uint8_t> const& got, std::array<std::size_t, 256> const& histogram, Comp comp) {
  std::array<std::uint8_t, 256> keys;
  std::iota(keys.begin(), keys.end(), std::uint8_t{0});
  std::sort(keys.begin(), keys.end(), comp);
  std::size_t place = 0;
  for (std::uint8_t const key : keys) {
    std::size_t const end = place + histogram[key];
    BOOST_REQUIRE(end <= got.size());
    std::size_t const wrong = sum_of_shares(histogram[key], [&, place](std::size_t first, std::size_t last) {
      return static_cast<std::size_t>(std::count_if(got.begin() + static_cast<std::ptrdiff_t>(place + first),
                                                    got.begin() + static_cast<std::ptrdiff_t>(place + last),
                                                    [&](std::uint8_t item) { return item != key; }));
    });
    BOOST_TEST(wrong == 0u);
    place = end;
  }
  BOOST_TEST(place == got.size());
}

// Returns how many of the items that ought to stand from `first` on, with the places that they came from, are wrong. The
// one right answer is the permutation under which equal keys keep their order: one in which each item, by its key and
// then by its place, is above the one before. `got` has the key before those, too, and `last_place` its place.
template <class Key, class Place, class Comp>
std::size_t count_wrong(std::vector<Key> const& keys, std::vector<Key> const& got, Place const* from,
                        std::size_t first, std::size_t count, Place last_place, Comp less) {
  return sum_of_shares(count, [&](std::size_t begin, std::size_t end) {
    std::size_t wrong = 0;
    for (std::size_t i = begin; i < end; ++i) {
      Key const key = got[first + i];
      wrong += from[i] >= keys.size() || key != keys[from[i]];
      if (first + i == 0) continue;
      Key const before = got[first + i - 1];
      Place const place_before = i > 0 ? from[i - 1] : last_place;
      wrong += less(key, before) || (!less(before, key) && place_before >= from[i]);
    }
    return wrong;
  });
}

}  // namespace

BOOST_DATA_TEST_CASE(stable_permutation,
                     boost::unit_test::data::make<std::size_t>({1u << 20, (1u << 24) + 12345, 100000007, 1u << 28}),
                     count) {
  std::vector<std::uint32_t> keys = random_items<std::uint32_t>(count);
  for (std::uint32_t& key : keys) key &= 0x00ffffff;  // so that keys repeat
  test::buffer<std::uint32_t> sorted(keys);
  test::buffer<std::uint32_t> places(count);
  mgpu::sort_with_indices(mgpu::par, sorted.begin(), sorted.end(), places.begin(), by_low_bits_then_high{});

  std::vector<std::uint32_t> const from = places.get();
  BOOST_TEST(count_wrong(keys, sorted.get(), from.data(), 0, count, 0u, by_low_bits_then_high{}) == 0u);
}

BOOST_AUTO_TEST_CASE(keys_alone) {
  std::size_t const count = (1u << 26) + 1;
  std::vector<std::uint64_t> keys = random_items<std::uint64_t>(count);
  test::buffer<std::uint64_t> sorted(keys);
  mgpu::sort(mgpu::par, sorted.begin(), sorted.end());
  std::sort(keys.begin(), keys.end());
  BOOST_TEST((sorted.get() == keys));
}

// The numbers of keys lie around what buckets of the usual size hold, and those of twice the size. What must come out
// ascends, and is the same keys: a sum over them of what each is mixed to tells.
using radix_types = std::tuple<std::uint32_t, std::uint64_t, std::int32_t>;
BOOST_AUTO_TEST_CASE_TEMPLATE(around_the_most_of_buckets, Key, radix_types) {
  constexpr auto tuning = mgpu::detail::msd_radix_default_tuning<sizeof(Key), false>::at(90);
  constexpr auto usual = static_cast<std::size_t>(tuning.max_items(false));
  constexpr auto doubled = static_cast<std::size_t>(tuning.max_items(true));
  using maker = Key (*)(std::size_t i);
  maker const uniform = [](std::size_t i) { return static_cast<Key>(mix(i)); };
  std::vector<std::pair<std::size_t, maker>> const cases{
      {usual, uniform},
      {usual + 1, uniform},
      {doubled, uniform},
      {doubled + 1, uniform},
      {usual + 1,
       [](std::size_t i) { return static_cast<Key>(i % 4 == 0 ? mix(i) : mix(i) >> (64 - 4 * sizeof(Key))); }},
      {usual + 1, [](std::size_t i) { return static_cast<Key>(mix(mix(i) % 16)); }},
      {usual + 1, [](std::size_t i) { return static_cast<Key>(mix(mix(i) % (1 << 22))); }},
      {usual + 1, [](std::size_t i) { return static_cast<Key>(i << 2); }},
      {usual + 1, [](std::size_t i) { return static_cast<Key>(mix(i >> 14)); }}};
  for (auto const& [count, make] : cases) {
    BOOST_TEST_CONTEXT(count << " keys from " << make(0) << ", " << make(1)) {
      std::vector<Key> keys = make_items<Key>(count, make);
      auto const sum_of_keys = [&keys = keys] {
        return sum_of_shares(keys.size(), [&](std::size_t begin, std::size_t end) {
          std::size_t sum = 0;
          for (std::size_t i = begin; i < end; ++i) sum += mix(static_cast<std::uint64_t>(keys[i]));
          return sum;
        });
      };
      std::size_t const expected = sum_of_keys();
      test::buffer<Key> sorted(keys);
      mgpu::sort(mgpu::par, sorted.begin(), sorted.end());
      mgpu::release_scratch();
      keys = sorted.get();
      BOOST_TEST(sum_of_keys() == expected);
      BOOST_TEST(std::is_sorted(keys.begin(), keys.end()));
    }
  }
}

// Keys with values, whose order is stable, are put into usual buckets, into twice as large ones, or are too many for both.
BOOST_AUTO_TEST_CASE(pairs_around_the_most_of_buckets) {
  using pairs_tuning = mgpu::detail::msd_pairs_default_tuning<4, 4, false>;
  constexpr auto tuning = mgpu::detail::msd_tuning_of_pairs<pairs_tuning>::at(90);
  constexpr auto usual = static_cast<std::size_t>(tuning.max_items(false));
  constexpr auto doubled = static_cast<std::size_t>(tuning.max_items(true));
  using maker = std::uint32_t (*)(std::size_t i);
  maker const uniform = [](std::size_t i) { return static_cast<std::uint32_t>(mix(i)); };
  maker const alike = [](std::size_t i) { return static_cast<std::uint32_t>(mix(mix(i) % 16)); };
  maker const uneven = [](std::size_t i) {
    return static_cast<std::uint32_t>(i % 1000 == 0 ? mix(i) >> 38 : mix(i));
  };
  for (auto const& [count, make] : std::vector<std::pair<std::size_t, maker>>{{usual, uniform},
                                                                              {usual + 1, uniform},
                                                                              {doubled, uniform},
                                                                              {doubled + 1, uniform},
                                                                              {usual + 1, alike},
                                                                              {usual + 1, uneven}}) {
    BOOST_TEST_CONTEXT(count << " pairs from " << make(0) << ", " << make(1)) {
      std::vector<std::uint32_t> const keys = make_items<std::uint32_t>(count, make);
      test::buffer<std::uint32_t> sorted(keys);
      test::buffer<std::uint32_t> places(
          make_items<std::uint32_t>(count, [](std::size_t i) { return static_cast<std::uint32_t>(i); }));
      mgpu::stable_sort_by_key(mgpu::par, sorted.begin(), sorted.end(), places.begin());
      mgpu::release_scratch();
      std::vector<std::uint32_t> const from = places.get();
      BOOST_TEST(count_wrong(keys, sorted.get(), from.data(), 0, count, 0u, std::less<>{}) == 0u);
    }
  }
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

  // The places are more than the CPU looks at in one piece without losing time.
  std::vector<std::uint8_t> const got = sorted.get();
  std::vector<std::uint64_t> from(std::size_t{1} << 26);
  std::uint64_t last_place = 0;
  for (std::size_t first = 0; first < got.size(); first += from.size()) {
    std::size_t const count = std::min(from.size(), got.size() - first);
    test::require(
        cudaMemcpy(from.data(), places.begin() + first, count * sizeof(std::uint64_t), cudaMemcpyDeviceToHost));
    BOOST_REQUIRE(count_wrong(keys, got, from.data(), first, count, last_place, cuda::std::less<>()) == 0u);
    last_place = from[count - 1];
  }
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
  std::size_t const wrong = sum_of_shares(count, [&](std::size_t begin, std::size_t end) {
    std::size_t of_share = 0;
    for (std::size_t i = begin; i < end; ++i) {
      unsigned char const* const item = got.data() + i * sizeof(huge_value);
      of_share += item[0] != mark(order[i])[0] || item[sizeof(huge_value) - 1] != mark(order[i])[1] ||
                  !std::all_of(item + 1, item + sizeof(huge_value) - 1, [](unsigned char byte) { return byte == 1; });
    }
    return of_share;
  });
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(beyond_32_bits_merged) {
  std::size_t const middle = beyond_32_bits / 2 + 7;
  std::vector<std::uint8_t> const keys = make_items<std::uint8_t>(
      beyond_32_bits, [&](std::size_t i) { return i < middle ? i / (middle / 200) : (i - middle) / (middle / 255); });
  test::buffer<std::uint8_t> runs(keys), merged(keys.size());
  auto const split = runs.begin() + static_cast<std::ptrdiff_t>(middle);
  mgpu::merge(mgpu::par, runs.begin(), split, split, runs.end(), merged.begin());
  mgpu::release_scratch();
  check_histogram(merged.get(), histogram_of(keys), cuda::std::less<>());
}

BOOST_AUTO_TEST_SUITE_END()
