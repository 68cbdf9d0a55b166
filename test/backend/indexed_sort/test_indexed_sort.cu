// Large keys and large values are sorted by index and moved once.
#include <backend/indexed_sort/indexed_sorts.h>
#include <backend/sorts.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(indexed_sort, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class Key, class Value>
void check() {
  test::for_some_counts<Key, Value>([](auto const& sort) { test::check_in_place(test::indexed_selector{}, sort); });
  test::for_some_counts<Key, Value>([](auto const& sort) { test::check_copy(test::indexed_selector{}, sort); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(large_keys) { check<test::item<200, 8>, std::uint32_t>(); }
BOOST_AUTO_TEST_CASE(keys_just_too_large) { check<test::item<36, 4>, std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(large_values) { check<std::uint32_t, test::item<200>>(); }
BOOST_AUTO_TEST_CASE(values_just_too_large) { check<std::uint64_t, test::item<24, 8>>(); }
BOOST_AUTO_TEST_CASE(both_large) { check<test::item<64, 32>, test::item<48, 16>>(); }

BOOST_AUTO_TEST_SUITE_END()
