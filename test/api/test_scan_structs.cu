// Scans of structs of 8 and 16 bytes by operators that do not commute; one has no default constructor.
#include <grid/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <tuple>

namespace {

using tunings = std::tuple<test::plain_scan, test::pipelined_scan, test::clustered_scan>;

}  // namespace

BOOST_AUTO_TEST_SUITE(scan_structs, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE_TEMPLATE(without_default_constructor, Selector, tunings) {
  test::check_scans_around_tiles<Selector>(test::affine(3, 5), test::compose{});
}
BOOST_AUTO_TEST_CASE_TEMPLATE(sixteen_bytes, Selector, tunings) {
  test::check_scans_around_tiles<Selector>(test::matrix<2>::make(999), test::multiply{});
}

BOOST_AUTO_TEST_SUITE_END()
