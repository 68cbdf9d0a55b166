// block_merge_sort is right for keys of many sizes, with and without indices.
#include <block/merge_sort_tiles.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(block_merge_sort_types, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class Key>
void check_type() {
  auto const counts = test::every_count_to(32 * 5);
  test::check_sorted_tiles<Key, int, 32, 5>(counts, 6, test::ascending{});
  test::check_sorted_tiles<Key, mgpu::detail::no_value, 32, 5>(counts, 6, test::ascending{});
}

}  // namespace

BOOST_AUTO_TEST_CASE(keys_of_1_byte) { check_type<std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(keys_of_2_bytes) { check_type<std::uint16_t>(); }
BOOST_AUTO_TEST_CASE(keys_of_4_bytes) { check_type<std::uint32_t>(); }
BOOST_AUTO_TEST_CASE(keys_of_8_bytes) { check_type<std::uint64_t>(); }
BOOST_AUTO_TEST_CASE(keys_of_16_bytes) { check_type<test::item<16, 16>>(); }
BOOST_AUTO_TEST_CASE(keys_of_32_bytes) { check_type<test::item<32, 4>>(); }

// Here the bytes of the keys show whether equal ones keep their order, over several warps too.
BOOST_AUTO_TEST_CASE(stable_without_indices) {
  using item = test::item<16, 8>;
  std::vector<int> const counts{1, 7, 31, 223, 224, 225, 441, 447, 448};
  test::check_sorted_tiles<item, mgpu::detail::no_value, 64, 7>(counts, 2, test::ascending{});
  test::check_sorted_tiles<item, mgpu::detail::no_value, 64, 7>(counts, 2, test::descending{});
}

BOOST_AUTO_TEST_SUITE_END()
