// Scans of structs of 8 and 16 bytes by operators that do not commute; one has no default constructor.
#include <grid/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <tuple>

namespace {

using tunings = std::tuple<test::plain_scan, test::pipelined_scan, test::clustered_scan>;

template <class Selector, class T, class Op>
void check_type(T const& init, Op op) {
  auto const policy = test::scan_policy(Selector{});
  for (std::size_t const count : test::scan_sizes(Selector::tile_items)) {
    auto const items = test::make_items<T>(count);
    test::check_scans(policy, items, init, op, count % 3);
    test::check_scan_without_init(policy, items, op, 1);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scan_structs, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE_TEMPLATE(without_default_constructor, Selector, tunings) {
  check_type<Selector>(test::affine(3, 5), test::compose{});
}
BOOST_AUTO_TEST_CASE_TEMPLATE(sixteen_bytes, Selector, tunings) {
  check_type<Selector>(test::matrix<2>::make(999), test::multiply{});
}

BOOST_AUTO_TEST_SUITE_END()
