// block_merge is right in several shapes, over all splits of a tile and of less than a tile.
#include <block/merge_tiles.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(block_merge_splits, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <int threads, int items, class Order>
void check_shape(std::vector<int> const& counts, Order order) {
  auto const splits = test::splits_of(counts);
  test::check_merged_tiles<std::uint32_t, std::uint32_t, threads, items>(splits, test::key_bound, order);
  test::check_merged_tiles<std::uint32_t, std::uint32_t, threads, items>(splits, 3, order);
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_item_a_thread) {
  std::vector<int> counts;
  for (int count = 0; count <= 32; ++count) counts.push_back(count);
  check_shape<32, 1>(counts, test::ascending{});
}
BOOST_AUTO_TEST_CASE(one_warp) { check_shape<32, 5>({1, 5, 6, 100, 159, 160}, test::ascending{}); }
BOOST_AUTO_TEST_CASE(two_warps) { check_shape<64, 7>({447, 448}, test::ascending{}); }
BOOST_AUTO_TEST_CASE(eight_warps) { check_shape<256, 3>({700, 768}, test::ascending{}); }
BOOST_AUTO_TEST_CASE(descending) { check_shape<64, 2>({127, 128}, test::descending{}); }

BOOST_AUTO_TEST_CASE(no_values) {
  using key = test::item<16, 4>;
  auto const splits = test::splits_of({0, 1, 159, 160});
  test::check_merged_tiles<key, mgpu::detail::no_value, 32, 5>(splits, 3, test::ascending{});
}

BOOST_AUTO_TEST_CASE(runs_of_two_types) {
  auto const splits = test::splits_of({159, 160});
  test::check_merged_tiles<std::uint32_t, std::uint32_t, 32, 5, test::ascending, false>(splits, 3, {});
}

BOOST_AUTO_TEST_SUITE_END()
