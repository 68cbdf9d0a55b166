// Sorts by index read and write iterators that are no pointers; argsort and sort_with_indices sort large keys by
// index, too.
#include <backend/indexed_sort/indexed_sorts.h>
#include <backend/sorts.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(indexed_sort_outputs, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(fancy) {
  test::for_some_counts<test::item<200, 4>, test::item<24, 4>>(
      [](auto const& sort) { test::check_fancy(test::indexed_selector{}, sort); });
  test::for_some_counts<std::uint16_t, test::item<40>>(
      [](auto const& sort) { test::check_fancy(test::indexed_selector{}, sort); });
}

BOOST_AUTO_TEST_CASE(indices_of_large_keys) {
  test::for_some_counts<test::item<200, 8>, std::uint32_t>([](auto const& sort) {
    using key = test::item<200, 8>;
    std::vector<std::uint32_t> const expected(sort.order.begin(), sort.order.end());
    test::buffer<key> keys(sort.keys);
    test::buffer<std::uint32_t> indices(sort.keys.size());
    mgpu::argsort(test::tuned(test::indexed_selector{}), static_cast<key const*>(keys.begin()),
                  static_cast<key const*>(keys.end()), indices.begin(), test::by_key{});
    BOOST_TEST(test::same_bytes(indices.get(), expected));
    BOOST_TEST(test::same_bytes(keys.get(), sort.keys));

    test::buffer<std::uint32_t> again(sort.keys.size());
    mgpu::sort_with_indices(test::tuned(test::indexed_selector{}), keys.begin(), keys.end(), again.begin(),
                            test::by_key{});
    BOOST_TEST(test::same_bytes(again.get(), expected));
    BOOST_TEST(test::same_bytes(keys.get(), sort.sorted_keys));
  });
}

BOOST_AUTO_TEST_SUITE_END()
