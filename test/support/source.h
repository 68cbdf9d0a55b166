// These stand around each test source in a translation unit of several. What it registers with Boost.Test goes into a
// suite of its own, by which ctest runs it alone. The source itself is compiled at global scope.
#pragma once
#include <boost/test/unit_test.hpp>

#define MGPU_TEST_SOURCE_BEGINS(suite) \
  BOOST_AUTO_TEST_SUITE(suite)         \
  }
#define MGPU_TEST_SOURCE_ENDS(suite) \
  namespace suite {                  \
  BOOST_AUTO_TEST_SUITE_END()
