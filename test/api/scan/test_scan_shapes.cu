// Scans are right for every size at which an edge shows, at every alignment, in place and not, by both kernels.
#include <support/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <tuple>

BOOST_AUTO_TEST_SUITE(scan_shapes, *boost::unit_test::precondition(test::can_run{}))

namespace {

using tunings = std::tuple<test::plain_scan, test::pipelined_scan, test::clustered_scan>;
// The tunings are one warp and one item; the pipeline at its least; and a tile of many warps.
using odd_tunings = std::tuple<test::scan_tuning<1, 1, 1, 1>, test::scan_tuning<1, 1, 2, 1>,
                               test::scan_tuning<5, 4, 4, 3, 1, 1, 1>, test::scan_tuning<8, 2, 2, 2, 2, 6, 3>>;

template <class Selector, class T, class Op>
void check_sizes(T const& init, Op op) {
  auto const policy = test::tuned(Selector{});
  for (std::size_t const count : test::scan_sizes(Selector::tile_items)) {
    auto const items = test::make_items<T>(count);
    test::check_scans(policy, items, init, op);
    test::check_scan_without_init(policy, items, op);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(sizes, Selector, tunings) {
  check_sizes<Selector>(std::int32_t{-5}, cuda::std::plus<>{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(odd_tiles, Selector, odd_tunings) {
  check_sizes<Selector>(std::uint32_t{5}, cuda::std::plus<>{});
}

// There are more tiles than one turn of the look-back reads, and than blocks.
BOOST_AUTO_TEST_CASE_TEMPLATE(many_tiles, Selector, tunings) {
  auto const policy = test::tuned(Selector{});
  for (std::size_t const tiles : {31, 32, 33, 64, 65, 70, 129}) {
    auto const items = test::make_items<std::uint32_t>(tiles * Selector::tile_items - 7);
    test::check_scans(policy, items, std::uint32_t{9}, cuda::std::plus<>{});
    test::check_scan_without_init(policy, items, cuda::std::plus<>{});
  }
}

using alignment_types = std::tuple<std::uint8_t, std::int32_t, std::uint64_t>;
BOOST_AUTO_TEST_CASE_TEMPLATE(alignments, T, alignment_types) {
  auto const check = [](auto selector) {
    for (std::size_t shift = 1; shift <= 17; ++shift) {
      auto const items = test::make_items<T>(2 * selector.tile_items + 5 * shift);
      test::check_scans(test::tuned(selector), items, T{3}, cuda::std::plus<>{}, shift);
    }
  };
  check(test::plain_scan{});
  check(test::pipelined_scan{});
}

BOOST_AUTO_TEST_SUITE_END()
