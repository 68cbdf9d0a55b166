// Sorts work in place through iterators that are no pointers: zip, reverse, permutation; values may be a zip of
// columns.
#include <mgpu/sort.h>
#include <support/items.h>
#include <support/tunings.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(fancy_in_place, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr std::size_t sizes[] = {0, 1, 2, 319, 320, 321, 1601, 3000};

// Orders by the second column, downwards.
struct by_second {
  template <class Tuple>
  __host__ __device__ bool operator()(Tuple const& a, Tuple const& b) const {
    return thrust::get<1>(a) > thrust::get<1>(b);
  }
};

struct columns {
  std::vector<std::int32_t> first;
  std::vector<std::uint8_t> second;

  explicit columns(std::size_t count)
      : first(test::keys<std::int32_t>(test::pattern::few_distinct, count)),
        second(test::keys<std::uint8_t>(test::pattern::random, count)) {}

  template <class Less>  // less(row, other row)
  std::vector<std::size_t> order(Less less) const {
    std::vector<std::size_t> rows(first.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::stable_sort(rows.begin(), rows.end(), less);
    return rows;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(zip_of_keys) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      columns const input(count);
      test::buffer<std::int32_t> first(input.first);
      test::buffer<std::uint8_t> second(input.second);
      auto const rows = thrust::make_zip_iterator(first.begin(), second.begin());

      mgpu::sort(policy, rows, rows + count);
      auto order = input.order([&](std::size_t a, std::size_t b) {
        return std::pair(input.first[a], input.second[a]) < std::pair(input.first[b], input.second[b]);
      });
      BOOST_TEST(test::same_bytes(first.get(), test::permuted(input.first, order)));
      BOOST_TEST(test::same_bytes(second.get(), test::permuted(input.second, order)));

      first.set(input.first);
      second.set(input.second);
      mgpu::stable_sort(policy, rows, rows + count, by_second{});
      order = input.order([&](std::size_t a, std::size_t b) { return input.second[a] > input.second[b]; });
      BOOST_TEST(test::same_bytes(first.get(), test::permuted(input.first, order)));
      BOOST_TEST(test::same_bytes(second.get(), test::permuted(input.second, order)));
    }
  }
}

BOOST_AUTO_TEST_CASE(zip_of_values) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const key_input = test::keys<std::uint32_t>(test::pattern::few_distinct, count);
      columns const input(count);
      test::buffer<std::uint32_t> keys(key_input);
      test::buffer<std::int32_t> first(input.first);
      test::buffer<std::uint8_t> second(input.second);
      mgpu::sort_by_key(policy, keys.begin(), keys.end(), thrust::make_zip_iterator(first.begin(), second.begin()));
      auto const order = test::stable_order<std::uint32_t>(key_input, std::less<>{});
      BOOST_TEST(test::same_bytes(keys.get(), test::permuted(key_input, order)));
      BOOST_TEST(test::same_bytes(first.get(), test::permuted(input.first, order)));
      BOOST_TEST(test::same_bytes(second.get(), test::permuted(input.second, order)));
    }
  }
}

BOOST_AUTO_TEST_CASE(zip_with_a_large_column) {
  auto const policy = test::tuned(test::small_sort{});
  using large = test::item<64, 4>;
  for (std::size_t const count : {1, 320, 321, 1601}) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const key_input = test::keys<std::uint32_t>(test::pattern::few_distinct, count);
      auto const large_input = test::numbered<large>(count);
      test::buffer<std::uint32_t> keys(key_input);
      test::buffer<large> values(large_input);
      test::buffer<std::uint32_t> more(key_input);
      mgpu::sort_by_key(policy, keys.begin(), keys.end(), thrust::make_zip_iterator(values.begin(), more.begin()));
      auto const order = test::stable_order<std::uint32_t>(key_input, std::less<>{});
      BOOST_TEST(test::same_bytes(keys.get(), test::permuted(key_input, order)));
      BOOST_TEST(test::same_bytes(values.get(), test::permuted(large_input, order)));
      BOOST_TEST(test::same_bytes(more.get(), test::permuted(key_input, order)));
    }
  }
}

BOOST_AUTO_TEST_CASE(reverse) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const key_input = test::keys<std::int32_t>(test::pattern::few_distinct, count);
      auto const value_input = test::numbered<std::uint32_t>(count);
      test::buffer<std::int32_t> keys(key_input);
      test::buffer<std::uint32_t> values(value_input);
      mgpu::sort_by_key(policy, thrust::make_reverse_iterator(keys.end()),
                        thrust::make_reverse_iterator(keys.begin()), thrust::make_reverse_iterator(values.end()));
      // Seen from behind, the last of equal items is the first.
      auto const from_behind = [](auto items) {
        std::reverse(items.begin(), items.end());
        return items;
      };
      auto const order = test::stable_order<std::int32_t>(from_behind(key_input), std::less<>{});
      BOOST_TEST(test::same_bytes(from_behind(keys.get()), test::permuted(from_behind(key_input), order)));
      BOOST_TEST(test::same_bytes(from_behind(values.get()), test::permuted(from_behind(value_input), order)));
    }
  }
}

// Sorts every second place, in a random order of places; the other places stay.
BOOST_AUTO_TEST_CASE(permutation) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : sizes) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const input = test::keys<std::int32_t>(test::pattern::random, 2 * count);
      std::vector<std::uint32_t> places(count);
      for (std::size_t i = 0; i < count; ++i) places[i] = static_cast<std::uint32_t>(2 * i);
      std::shuffle(places.begin(), places.end(), std::mt19937(7));

      std::vector<std::int32_t> chosen;
      for (std::uint32_t const place : places) chosen.push_back(input[place]);
      std::stable_sort(chosen.begin(), chosen.end());
      auto expected = input;
      for (std::size_t i = 0; i < count; ++i) expected[places[i]] = chosen[i];

      test::buffer<std::int32_t> keys(input);
      test::buffer<std::uint32_t> map(places);
      auto const first = thrust::make_permutation_iterator(keys.begin(), map.begin());
      mgpu::sort(policy, first, first + count);
      BOOST_TEST(test::same_bytes(keys.get(), expected));
      BOOST_TEST(test::same_bytes(map.get(), places));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
