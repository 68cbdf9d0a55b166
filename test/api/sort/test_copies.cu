// mgpu::sort_copy, sort_by_key_copy and their stable twins leave the input, which may be read-only, as it is.
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <support/items.h>
#include <support/tunings.h>
#include <cstdint>
#include <cuda/std/functional>
#include <thrust/pair.h>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(copies, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class T, class Policy>
void check_keys(Policy const& policy, test::pattern pattern, std::size_t count) {
  auto const input = test::keys<T>(pattern, count);
  test::buffer<T> const_keys(input);
  T const* const first = const_keys.begin();
  test::buffer<T> out(count);
  T* const end = mgpu::sort_copy(policy, first, first + count, out.begin());
  BOOST_TEST(end == out.end());
  auto const expected = test::permuted(input, test::stable_order<T>(input, cuda::std::less<>{}));
  BOOST_TEST(test::same_bytes(out.get(), expected));
  BOOST_TEST(test::same_bytes(const_keys.get(), input));

  test::buffer<T> stable_out(count, 1);
  BOOST_TEST(mgpu::stable_sort_copy(policy, first, first + count, stable_out.begin()) == stable_out.end());
  BOOST_TEST(test::same_bytes(stable_out.get(), expected));
}

template <class K, class V, class Policy, class Comp>
void check_pairs(Policy const& policy, test::pattern pattern, std::size_t count, Comp comp) {
  auto const key_input = test::keys<K>(pattern, count);
  auto const value_input = test::numbered<V>(count);
  auto const order = test::stable_order<K>(key_input, comp);
  test::buffer<K> keys(key_input);
  test::buffer<V> values(value_input);
  K const* const first = keys.begin();
  V const* const values_first = values.begin();
  for (bool const stable : {false, true}) {
    test::buffer<K> keys_out(count, 1);
    test::buffer<V> values_out(count, 3);
    auto const ends = stable ? mgpu::stable_sort_by_key_copy(policy, first, first + count, values_first,
                                                             keys_out.begin(), values_out.begin(), comp)
                             : mgpu::sort_by_key_copy(policy, first, first + count, values_first, keys_out.begin(),
                                                      values_out.begin(), comp);
    BOOST_TEST(ends.first == keys_out.end());
    BOOST_TEST(ends.second == values_out.end());
    BOOST_TEST(test::same_bytes(keys_out.get(), test::permuted(key_input, order)));
    BOOST_TEST(test::same_bytes(values_out.get(), test::permuted(value_input, order)));
  }
  BOOST_TEST(test::same_bytes(keys.get(), key_input));
  BOOST_TEST(test::same_bytes(values.get(), value_input));
}

}  // namespace

BOOST_AUTO_TEST_CASE(keys) {
  auto const policy = test::tuned(test::small_sort{});
  for (std::size_t const count : test::sizes_around(test::small_sort::tile_items, {1, 2, 3, 5})) {
    BOOST_TEST_CONTEXT(count << " items") {
      check_keys<std::int32_t>(policy, test::pattern::few_distinct, count);
      check_keys<std::uint8_t>(policy, test::pattern::random, count);
      check_keys<double>(policy, test::pattern::random, count);
    }
  }
  for (test::pattern const pattern : test::all_patterns) {
    BOOST_TEST_CONTEXT(pattern) check_keys<std::int32_t>(policy, pattern, 2000);
  }
  check_keys<std::int32_t>(test::policy, test::pattern::random, 50000);
}

BOOST_AUTO_TEST_CASE(keys_and_values) {
  auto const policy = test::tuned(test::small_sort{});
  using large = test::item<200, 4>;
  for (std::size_t const count : test::sizes_around(test::small_sort::tile_items, {1, 2, 5})) {
    BOOST_TEST_CONTEXT(count << " items") {
      check_pairs<std::int32_t, std::uint8_t>(policy, test::pattern::few_distinct, count, cuda::std::less<>{});
      check_pairs<std::int32_t, large>(policy, test::pattern::few_distinct, count, cuda::std::less<>{});
      check_pairs<large, std::uint64_t>(policy, test::pattern::few_distinct, count, test::by_key{});
      check_pairs<large, large>(policy, test::pattern::few_distinct, count, test::by_key{});
    }
  }
}

BOOST_AUTO_TEST_CASE(large_keys) {
  auto const policy = test::tuned(test::small_sort{});
  using large = test::item<200, 4>;
  for (std::size_t const count : test::sizes_around(test::small_sort::tile_items, {1, 4})) {
    auto const input = test::keys<large>(test::pattern::few_distinct, count);
    test::buffer<large> keys(input);
    test::buffer<large> out(count);
    large const* const first = keys.begin();
    BOOST_TEST(mgpu::sort_copy(policy, first, first + count, out.begin(), test::by_key{}) == out.end());
    BOOST_TEST(test::same_bytes(out.get(), test::permuted(input, test::stable_order<large>(input, test::by_key{}))));
    BOOST_TEST(test::same_bytes(keys.get(), input));
  }
}

BOOST_AUTO_TEST_SUITE_END()
