// Scans are right for numbers of 1 to 8 bytes.
#include <support/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <tuple>

BOOST_AUTO_TEST_SUITE(scan_types, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class T, class Op>
void check_type(T const& init, Op op) {
  auto const check = [&](auto selector) {
    auto const policy = test::tuned(selector);
    std::size_t const tile = selector.tile_items;
    for (std::size_t const count : {std::size_t{1}, std::size_t{33}, tile - 1, tile, tile + 1, 7 * tile + 100}) {
      auto const items = test::make_items<T>(count);
      test::check_scans(policy, items, init, op, count % 3);
      test::check_scan_without_init(policy, items, op, 1);
    }
  };
  check(test::scan_tuning<2, 3, 1, 1>{});
  check(test::scan_tuning<2, 4, 3, 2>{});  // pieces of 16 bytes, for items of 4 and more
}

}  // namespace

using numbers = std::tuple<std::uint8_t, std::int16_t, std::int32_t, std::uint64_t, float, double>;
BOOST_AUTO_TEST_CASE_TEMPLATE(sums, T, numbers) { check_type(T{3}, cuda::std::plus<T>{}); }

BOOST_AUTO_TEST_SUITE_END()
