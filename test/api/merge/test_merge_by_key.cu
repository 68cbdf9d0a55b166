// mgpu::merge_by_key moves values with their keys, and puts the first range's before those of the second for equal
// keys.
#include <mgpu/merge.h>
#include <support/items.h>
#include <support/tunings.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(merge_by_key, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class K, class V>
struct of {
  using key = K;
  using value = V;
};
using case_types =
    std::tuple<of<std::int32_t, std::uint8_t>, of<std::uint16_t, std::uint64_t>, of<double, test::item<200, 4>>,
               of<test::item<200, 4>, std::uint32_t>, of<test::item<33>, test::item<17>>>;

template <class K>
using comp_of = std::conditional_t<std::is_arithmetic_v<K>, cuda::std::less<>, test::by_key>;

// Returns the keys of both ranges, one range after the other, each sorted.
template <class K>
std::vector<K> two_runs(test::pattern pattern, std::size_t count1, std::size_t count2) {
  auto made = test::keys<K>(pattern, count1 + count2);
  auto const middle = made.begin() + static_cast<std::ptrdiff_t>(count1);
  std::stable_sort(made.begin(), middle, comp_of<K>{});
  std::stable_sort(middle, made.end(), comp_of<K>{});
  return made;
}

template <class K, class V>
void check(test::pattern pattern, std::size_t count1, std::size_t count2) {
  BOOST_TEST_CONTEXT(pattern << ", " << count1 << " and " << count2 << " items") {
    auto const key_input = two_runs<K>(pattern, count1, count2);
    auto const value_input = test::numbered<V>(count1 + count2);
    test::buffer<K> keys(key_input);
    test::buffer<V> values(value_input);
    test::buffer<K> keys_out(count1 + count2, 1);
    test::buffer<V> values_out(count1 + count2, 2);
    K const* const first = keys.begin();
    V const* const values_first = values.begin();
    auto const ends = mgpu::merge_by_key(test::tuned(test::small_merge{}), first, first + count1, first + count1,
                                         first + count1 + count2, values_first, values_first + count1,
                                         keys_out.begin(), values_out.begin(), comp_of<K>{});
    BOOST_TEST(ends.first == keys_out.end());
    BOOST_TEST(ends.second == values_out.end());
    // A stable sort of one run after the other is their merge.
    auto const order = test::stable_order<K>(key_input, comp_of<K>{});
    BOOST_TEST(test::same_bytes(keys_out.get(), test::permuted(key_input, order)));
    BOOST_TEST(test::same_bytes(values_out.get(), test::permuted(value_input, order)));
    BOOST_TEST(test::same_bytes(keys.get(), key_input));
    BOOST_TEST(test::same_bytes(values.get(), value_input));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(edges_of_tiles, Types, case_types) {
  constexpr std::size_t tile = test::small_merge::tile_items;
  for (std::size_t const count : test::sizes_around(tile, {1, 2, 3, 5})) {
    for (std::size_t const of_first : {std::size_t{0}, count / 3, count}) {
      for (test::pattern const pattern : {test::pattern::few_distinct, test::pattern::random}) {
        check<typename Types::key, typename Types::value>(pattern, of_first, count - of_first);
      }
    }
  }
  check<typename Types::key, typename Types::value>(test::pattern::all_equal, 500, 700);
}

BOOST_AUTO_TEST_CASE(usual_tuning_and_default_order) {
  auto const key_input = two_runs<std::int32_t>(test::pattern::few_distinct, 12345, 23456);
  auto const count = key_input.size();
  test::buffer<std::int32_t> keys(key_input);
  test::buffer<std::int32_t> keys_out(count);
  test::buffer<std::uint32_t> places(count);
  auto const numbers = thrust::make_counting_iterator(std::uint32_t{0});
  mgpu::merge_by_key(test::policy, keys.begin(), keys.begin() + 12345, keys.begin() + 12345, keys.end(), numbers,
                     numbers + 12345, keys_out.begin(), places.begin());
  auto const order = test::stable_order<std::int32_t>(key_input, std::less<>{});
  BOOST_TEST(test::same_bytes(keys_out.get(), test::permuted(key_input, order)));
  BOOST_TEST(test::same_bytes(places.get(), std::vector<std::uint32_t>(order.begin(), order.end())));
}

// The values come from two iterator types, which need not be those of the keys.
BOOST_AUTO_TEST_CASE(values_of_different_types) {
  auto const key_input = two_runs<std::int32_t>(test::pattern::few_distinct, 800, 900);
  auto const value_input = test::numbered<std::uint32_t>(800);
  test::buffer<std::int32_t> keys(key_input);
  test::buffer<std::uint32_t> values(value_input);
  test::buffer<std::int32_t> keys_out(1700);
  test::buffer<std::uint32_t> values_out(1700);
  mgpu::merge_by_key(test::tuned(test::small_merge{}), keys.begin(), keys.begin() + 800, keys.begin() + 800,
                     keys.end(), values.begin(), thrust::make_counting_iterator(std::uint32_t{5}), keys_out.begin(),
                     values_out.begin());
  auto all_values = value_input;
  for (std::uint32_t i = 0; i < 900; ++i) all_values.push_back(5 + i);
  auto const order = test::stable_order<std::int32_t>(key_input, std::less<>{});
  BOOST_TEST(test::same_bytes(keys_out.get(), test::permuted(key_input, order)));
  BOOST_TEST(test::same_bytes(values_out.get(), test::permuted(all_values, order)));
}

// Columns that are zipped are read and written through references to their items, keys and values alike.
BOOST_AUTO_TEST_CASE(zipped_columns) {
  for (std::size_t const count : {2, 190, 700, 1700}) {
    std::size_t const first = count * 2 / 5;
    auto const key_input = two_runs<std::int32_t>(test::pattern::few_distinct, first, count - first);
    std::vector<std::uint32_t> ids_input(count);
    std::iota(ids_input.begin(), ids_input.end(), 0u);
    auto const weights_input = test::numbered<std::uint64_t>(count);
    test::buffer<std::int32_t> keys(key_input), keys_out(count, 1);
    test::buffer<std::uint32_t> ids(ids_input), ids_out(count, 1), ranks_out(count, 1);
    test::buffer<std::uint64_t> weights(weights_input), weights_out(count, 1);
    auto const ranked = thrust::make_zip_iterator(keys.begin(), ids.begin());
    auto const rows = thrust::make_zip_iterator(ids.begin(), weights.begin());
    auto const middle = static_cast<std::ptrdiff_t>(first);
    auto const end = static_cast<std::ptrdiff_t>(count);
    mgpu::merge_by_key(test::tuned(test::small_merge{}), ranked, ranked + middle, ranked + middle, ranked + end, rows,
                       rows + middle, thrust::make_zip_iterator(keys_out.begin(), ranks_out.begin()),
                       thrust::make_zip_iterator(ids_out.begin(), weights_out.begin()));
    // As ids count up, the order of key and id is that of a stable sort by key.
    auto const order = test::stable_order<std::int32_t>(key_input, std::less<>{});
    BOOST_TEST_CONTEXT(count << " items") {
      BOOST_TEST(test::same_bytes(keys_out.get(), test::permuted(key_input, order)));
      BOOST_TEST(test::same_bytes(ranks_out.get(), test::permuted(ids_input, order)));
      BOOST_TEST(test::same_bytes(ids_out.get(), test::permuted(ids_input, order)));
      BOOST_TEST(test::same_bytes(weights_out.get(), test::permuted(weights_input, order)));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
