// mgpu::merge is stable, with the first range's items before equal ones of the second, at the edges of tiles, and
// with either range empty or of another iterator type.
#include <mgpu/merge.h>
#include <support/items.h>
#include <support/tunings.h>
#include <thrust/iterator/counting_iterator.h>
#include <algorithm>
#include <cstdint>
#include <cuda/std/functional>
#include <iterator>
#include <vector>

BOOST_AUTO_TEST_SUITE(merge, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Returns items that are sorted by the key. Their numbers begin at first_id.
template <class T>
std::vector<T> sorted_items(test::pattern pattern, std::size_t count, std::uint32_t first_id) {
  auto places = test::fractions(pattern, count, first_id + 1);
  std::sort(places.begin(), places.end());
  std::vector<T> made(count);
  for (std::size_t i = 0; i < count; ++i) {
    made[i] = test::at_fraction<T>(places[i], first_id + static_cast<std::uint32_t>(i));
  }
  return made;
}

template <class T, class Comp>
std::vector<T> merged(std::vector<T> const& a, std::vector<T> const& b, Comp comp) {
  std::vector<T> result;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result), comp);
  return result;
}

template <class T, class Policy, class Comp>
void check(Policy const& policy, std::vector<T> const& a, std::vector<T> const& b, Comp comp) {
  BOOST_TEST_CONTEXT(a.size() << " and " << b.size() << " items of " << sizeof(T) << " bytes") {
    test::buffer<T> first(a, 1);
    test::buffer<T> second(b);
    test::buffer<T> out(a.size() + b.size(), 3);
    T const* const read_only = first.begin();
    T* const end =
        mgpu::merge(policy, read_only, read_only + a.size(), second.begin(), second.end(), out.begin(), comp);
    BOOST_TEST(end == out.end());
    BOOST_TEST(test::same_bytes(out.get(), merged(a, b, comp)));
    BOOST_TEST(test::same_bytes(first.get(), a));
    BOOST_TEST(test::same_bytes(second.get(), b));
  }
}

constexpr std::uint32_t second_ids = 1000000;

template <class T>
void check_edges(std::size_t most_tiles) {
  auto const policy = test::tuned(test::small_merge{});
  for (std::size_t const count : test::sizes_around(test::small_merge::tile_items, {1, 2, most_tiles})) {
    for (std::size_t const of_first : {std::size_t{0}, std::size_t{1}, count / 2, count - 1, count}) {
      if (of_first > count) continue;
      for (test::pattern const pattern :
           {test::pattern::few_distinct, test::pattern::all_equal, test::pattern::random}) {
        check(policy, sorted_items<T>(pattern, of_first, 0), sorted_items<T>(pattern, count - of_first, second_ids),
              test::by_key{});
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(edges_of_tiles) { check_edges<test::item<8, 4>>(7); }
BOOST_AUTO_TEST_CASE(large_items) { check_edges<test::item<200, 4>>(3); }

BOOST_AUTO_TEST_CASE(one_range_before_the_other) {
  auto const policy = test::tuned(test::small_merge{});
  using item = test::item<8, 4>;
  for (std::size_t const count : {5, 192, 1000}) {
    auto const low = test::keys<item>(test::pattern::sorted, count);
    std::vector<item> high;
    for (std::size_t i = 0; i < count + 77; ++i) {
      high.push_back(item::make(0xFFFFFFFFu, second_ids + static_cast<std::uint32_t>(i)));
    }
    check(policy, low, high, test::by_key{});
    check(policy, high, low, test::by_key{});
  }
}

BOOST_AUTO_TEST_CASE(interleaved) {
  auto const policy = test::tuned(test::small_merge{});
  for (std::size_t const stride : {1, 2, 63, 64, 65}) {
    std::vector<std::int32_t> even;
    std::vector<std::int32_t> odd;
    for (std::size_t i = 0; i < 3000; ++i) {
      (i / stride % 2 == 0 ? even : odd).push_back(static_cast<std::int32_t>(i) - 1500);
    }
    check(policy, even, odd, cuda::std::less<>{});
    check(policy, odd, even, cuda::std::less<>{});
  }
}

BOOST_AUTO_TEST_CASE(very_different_sizes) {
  auto const policy = test::tuned(test::small_merge{});
  using item = test::item<8, 4>;
  auto const many = sorted_items<item>(test::pattern::random, 5000, 0);
  for (std::size_t const few : {1, 2, 33}) {
    auto const some = sorted_items<item>(test::pattern::random, few, second_ids);
    check(policy, many, some, test::by_key{});
    check(policy, some, many, test::by_key{});
  }
}

// A tile has 1,280 items of 8 bytes before 9.0, and 4,352 from there on.
BOOST_AUTO_TEST_CASE(usual_tuning) {
  for (std::size_t const tile : {1280, 4352}) {
    for (std::size_t const count : {tile - 1, tile, tile + 1, 5 * tile + 1}) {
      check(test::policy, sorted_items<std::int64_t>(test::pattern::random, count / 3, 0),
            sorted_items<std::int64_t>(test::pattern::random, count - count / 3, 0), cuda::std::less<>{});
    }
  }
}

BOOST_AUTO_TEST_CASE(default_order_and_descending) {
  auto const policy = test::tuned(test::small_merge{});
  auto a = sorted_items<std::int32_t>(test::pattern::random, 700, 0);
  auto b = sorted_items<std::int32_t>(test::pattern::few_distinct, 900, second_ids);
  test::buffer<std::int32_t> first(a);
  test::buffer<std::int32_t> second(b);
  test::buffer<std::int32_t> out(1600);
  mgpu::merge(policy, first.begin(), first.end(), second.begin(), second.end(), out.begin());
  BOOST_TEST(test::same_bytes(out.get(), merged(a, b, cuda::std::less<>{})));

  std::reverse(a.begin(), a.end());
  std::reverse(b.begin(), b.end());
  check(policy, a, b, cuda::std::greater<>{});
}

BOOST_AUTO_TEST_CASE(ranges_of_different_types) {
  auto const policy = test::tuned(test::small_merge{});
  for (std::size_t const count : {0, 1, 192, 1500}) {
    auto const a = sorted_items<std::int32_t>(test::pattern::few_distinct, count, 0);
    std::vector<std::int32_t> b(500);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<std::int32_t>(i) - 250;
    auto const numbers = thrust::make_counting_iterator(std::int32_t{-250});
    test::buffer<std::int32_t> items(a);
    test::buffer<std::int32_t> out(a.size() + b.size());
    auto* end = mgpu::merge(policy, items.begin(), items.end(), numbers, numbers + b.size(), out.begin());
    BOOST_TEST(end == out.end());
    BOOST_TEST(test::same_bytes(out.get(), merged(a, b, cuda::std::less<>{})));
    end = mgpu::merge(policy, numbers, numbers + b.size(), items.begin(), items.end(), out.begin());
    BOOST_TEST(end == out.end());
    BOOST_TEST(test::same_bytes(out.get(), merged(b, a, cuda::std::less<>{})));
  }
}

// Keys are compared as the first range's type: as unsigned ones, the negative ones would be the largest.
BOOST_AUTO_TEST_CASE(keys_of_different_types) {
  auto const a = sorted_items<std::int32_t>(test::pattern::random, 1500, 0);
  std::vector<std::int32_t> b(500);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<std::int32_t>(i) * 1000;
  test::buffer<std::int32_t> first(a);
  test::buffer<std::uint32_t> second(std::vector<std::uint32_t>(b.begin(), b.end()));
  test::buffer<std::int32_t> out(a.size() + b.size());
  mgpu::merge(test::tuned(test::small_merge{}), first.begin(), first.end(), second.begin(), second.end(),
              out.begin());
  BOOST_TEST(test::same_bytes(out.get(), merged(a, b, cuda::std::less<>{})));
}

BOOST_AUTO_TEST_SUITE_END()
