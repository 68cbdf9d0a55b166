// block_merge is right with keys and values of many sizes.
#include <block/merge_tiles.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(block_merge_values, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class Key, class Value>
void check() {
  test::check_merged_tiles<Key, Value, 32, 3>(test::splits_of({1, 50, 95, 96}), 10, test::ascending{});
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_of_1_byte) { check<std::uint32_t, std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(values_of_2_bytes) { check<std::uint8_t, std::uint16_t>(); }
BOOST_AUTO_TEST_CASE(values_of_8_bytes) { check<std::uint16_t, std::uint64_t>(); }
BOOST_AUTO_TEST_CASE(values_of_16_bytes) { check<std::uint64_t, test::item<16, 16>>(); }
BOOST_AUTO_TEST_CASE(values_of_17_bytes) { check<test::item<32, 8>, test::item<17>>(); }
BOOST_AUTO_TEST_CASE(values_of_200_bytes) { check<std::uint32_t, test::item<200, 8>>(); }

// These values have so many pieces that all threads move one at a time.
BOOST_AUTO_TEST_CASE(values_of_many_pieces) {
  auto const splits = test::splits_of({1, 7});
  test::check_merged_tiles<std::uint32_t, test::item<257>, 32, 3>(splits, 10, test::ascending{});
  test::check_merged_tiles<std::uint32_t, test::item<16 * 300, 16>, 32, 3>(splits, 10, test::ascending{});
}

BOOST_AUTO_TEST_SUITE_END()
