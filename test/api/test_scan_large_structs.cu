// Scans of structs of 64 bytes by an operator that does not commute.
#include <grid/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <tuple>

namespace {

using tunings = std::tuple<test::plain_scan, test::pipelined_scan, test::clustered_scan>;

}  // namespace

BOOST_AUTO_TEST_SUITE(scan_large_structs, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE_TEMPLATE(sixty_four_bytes, Selector, tunings) {
  test::check_scans_around_tiles<Selector>(test::matrix<4>::make(999), test::multiply{});
}

BOOST_AUTO_TEST_SUITE_END()
