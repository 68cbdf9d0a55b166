// mgpu::reduce and mgpu::reduce_into keep the order of operands: each item enters once and in its place, whatever the
// size, alignment and number of the items.
#include <support/reductions.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <set>
#include <tuple>

BOOST_AUTO_TEST_SUITE(reduce_order, *boost::unit_test::precondition(test::can_run{}))

namespace {

using interval_types = std::tuple<test::interval<8>, test::interval<8, 8>, test::interval<12>, test::interval<16, 16>,
                                  test::interval<16, 1>, test::interval<24, 8>, test::interval<64, 16>,
                                  test::interval<64, 8>, test::interval<33, 1>>;

// Returns sizes around rows, steps and blocks for any number of items a load.
std::set<std::size_t> sizes() {
  std::set<std::size_t> made{0, 1, 2, 3, 31, 32, 33, 63, 64, 65};
  for (std::size_t const edge : {128, 256, 512, 1024, 2048}) made.insert({edge - 1, edge, edge + 1});
  made.insert({3000, 5555});
  return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(in_order, T, interval_types) {
  for (std::size_t const count : sizes()) {
    for (std::size_t const shift : {0, 1, 3}) {
      test::check_intervals<T>(test::tuned(test::small_reduce{}), count, shift);
    }
    test::check_intervals<T>(test::tuned(test::clustered_reduce{}), count, 1);
  }
}

BOOST_AUTO_TEST_SUITE_END()
