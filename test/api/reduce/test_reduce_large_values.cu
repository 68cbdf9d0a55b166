// Reductions are right for values of hundreds of bytes.
#include <support/reductions.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>

BOOST_AUTO_TEST_SUITE(reduce_large_values, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(in_order) {
  using T = test::interval<600, 8>;
  for (std::size_t const count : {0, 1, 40, 100, 32 * 32 * 28 + 5}) {
    test::check_intervals<T>(test::tuned(test::tiny_reduce{}), count);
  }
}

BOOST_AUTO_TEST_SUITE_END()
