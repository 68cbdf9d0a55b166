// block_merge_sort is right in several shapes, with every number of valid items.
#include <block/merge_sort_tiles.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(block_merge_sort_shapes, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <int threads, int items>
void check_shape() {
  auto const counts = test::every_count_to(threads * items);
  test::check_sorted_tiles<std::uint32_t, int, threads, items>(counts, test::key_bound, test::ascending{});
  test::check_sorted_tiles<std::uint32_t, int, threads, items>(counts, 3, test::ascending{});
  test::check_sorted_tiles<std::uint32_t, int, threads, items>(counts, 1, test::ascending{});
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_item_a_thread) { check_shape<32, 1>(); }
BOOST_AUTO_TEST_CASE(one_warp) { check_shape<32, 5>(); }
BOOST_AUTO_TEST_CASE(two_warps) { check_shape<64, 7>(); }
BOOST_AUTO_TEST_CASE(even_number_of_items) { check_shape<128, 4>(); }
BOOST_AUTO_TEST_CASE(eight_warps) { check_shape<256, 3>(); }

BOOST_AUTO_TEST_SUITE_END()
