// mgpu::reduce and mgpu::reduce_into keep the order of operands: each item enters once and in its place, for items of
// every size and alignment, any number of them, and any tuning.
#include <api/reductions.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <set>
#include <tuple>

namespace {

using interval_types = std::tuple<test::interval<8>, test::interval<8, 8>, test::interval<12>, test::interval<16, 16>,
                                  test::interval<16, 1>, test::interval<24, 8>, test::interval<64, 16>,
                                  test::interval<64, 8>, test::interval<33, 1>>;

// Around rows, steps and blocks for any number of items a load.
std::set<std::size_t> sizes() {
  std::set<std::size_t> made{0, 1, 2, 3, 31, 32, 33, 63, 64, 65};
  for (std::size_t const edge : {128, 256, 512, 1024, 2048}) made.insert({edge - 1, edge, edge + 1});
  made.insert({3000, 5555});
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_order, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE_TEMPLATE(in_order, T, interval_types) {
  for (std::size_t const count : sizes()) {
    for (std::size_t const shift : {0, 1, 3}) {
      test::check_intervals<T>(test::tuned_reduce(test::small_reduce{}), count, shift);
    }
    test::check_intervals<T>(test::tuned_reduce(test::clustered_reduce{}), count, 1);
  }
}

BOOST_AUTO_TEST_CASE(in_order_with_every_tuning) {
  using T = test::interval<8, 8>;
  for (std::size_t const count : {1, 65, 700, 2049, 6001}) {
    test::check_intervals<T>(test::tuned_reduce(test::tiny_reduce{}), count);
    test::check_intervals<T>(test::tuned_reduce(test::reduce_tuning<32, 32>{}), count, 1);
    test::check_intervals<T>(test::tuned_reduce(test::reduce_tuning<96, 4, 1>{}), count);
    test::check_intervals<T>(test::tuned_reduce(test::reduce_tuning<1024, 1, 1, 3>{}), count, 1);
    test::check_intervals<T>(test::tuned_reduce(test::reduce_tuning<32, 2, 32>{}), count);
  }
}

// More blocks than threads in one: the last block takes several results a thread.
BOOST_AUTO_TEST_CASE(in_order_over_many_blocks) {
  using T = test::interval<16, 16>;
  for (std::size_t const count : {128 * 32, 128 * 32 + 1, 33 * 32 + 5, 65 * 32, 30000}) {
    test::check_intervals<T>(test::tuned_reduce(test::reduce_tuning<32, 1, 32>{}), count);
  }
}

BOOST_AUTO_TEST_CASE(with_the_usual_tuning) {
  for (std::size_t const count : {1, 1000, 16384, 16385, 100003}) {
    test::check_intervals<test::interval<8, 8>>(test::policy, count, 1);
    test::check_intervals<test::interval<12>>(test::policy, count);
    test::check_intervals<test::interval<64, 16>>(test::policy, count / 4 + 1);
  }
}

BOOST_AUTO_TEST_CASE(large_values) {
  using T = test::interval<600, 8>;
  for (std::size_t const count : {0, 1, 40, 100}) {
    test::check_intervals<T>(test::tuned_reduce(test::tiny_reduce{}), count);
  }
}

BOOST_AUTO_TEST_SUITE_END()
