// Reductions keep the order of operands by any tuning, and wherever one way of reducing hands over to the next.
#include <support/reductions.h>
#include <support/tuning_for.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <set>

BOOST_AUTO_TEST_SUITE(reduce_tunings, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Returns sizes around those where one block hands over to a cluster, and that to a grid; around the edges of tiles;
// and as the items before the first unit grow.
template <class T, class Selector>
void check_switches(Selector selector, std::size_t items_per_unit) {
  std::set<std::size_t> counts;
  std::size_t const tile = Selector::lone_items(items_per_unit);
  for (std::size_t const edge : {tile, 2 * tile, Selector::few_items(items_per_unit), 9 * tile}) {
    for (std::size_t const beyond : {std::size_t{0}, std::size_t{1}, items_per_unit * 32}) {
      counts.insert({edge - beyond, edge + beyond});
    }
  }
  for (std::size_t const count : counts) {
    for (std::size_t shift = 0; shift <= items_per_unit; ++shift) {
      test::check_intervals<T>(test::tuned(selector), count, shift);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(in_order_with_every_tuning) {
  using T = test::interval<8, 8>;
  for (std::size_t const count : {1, 65, 700, 2049, 6001}) {
    test::check_intervals<T>(test::tuned(test::tiny_reduce{}), count);
    test::check_intervals<T>(test::tuned(test::reduce_tuning<32, 32>{}), count, 1);
    test::check_intervals<T>(test::tuned(test::reduce_tuning<96, 4, 1>{}), count);
    test::check_intervals<T>(test::tuned(test::reduce_tuning<96, 3, 1, 3, 96, 3>{}), count, 1);
    test::check_intervals<T>(test::tuned(test::reduce_tuning<1024, 1, 1, 1, 64, 2>{}), count, 1);
    test::check_intervals<T>(test::tuned(test::reduce_tuning<32, 2, 32, 1, 1024, 1>{}), count);
  }
}

BOOST_AUTO_TEST_CASE(around_every_switch) {
  check_switches<test::interval<8, 8>>(test::small_reduce{}, 2);
  check_switches<test::interval<8, 8>>(test::clustered_reduce{}, 2);
  check_switches<test::interval<8, 4>>(test::reduce_tuning<32, 4, 2, 3, 64, 1>{}, 2);
  check_switches<test::interval<12>>(test::clustered_reduce{}, 1);
  check_switches<test::interval<33, 1>>(test::clustered_reduce{}, 1);
  check_switches<test::interval<64, 16>>(test::reduce_tuning<64, 1, 2, 16, 32, 2>{}, 1);
}

// There are more tiles than a table holds sums of, once and often, and as many results as a block combines.
BOOST_AUTO_TEST_CASE(in_order_over_many_tiles) {
  using T = test::interval<16, 16>;
  for (std::size_t const count : {32 * 32 * 32, 32 * 32 * 32 + 1, 40 * 32 * 32 - 1, 100000}) {
    test::check_intervals<T>(test::tuned(test::tiny_reduce{}), count);
  }
  for (std::size_t const count : {4096, 30000, 200001}) {
    test::check_intervals<T>(test::tuned(test::reduce_tuning<32, 1, 32, 1, 64, 4>{}), count);
    test::check_intervals<T>(test::tuned(test::reduce_tuning<64, 1, 1, 1, 32, 32>{}), count);
  }
}

BOOST_AUTO_TEST_CASE(with_the_usual_tuning) {
  for (std::size_t const count : {1, 1000, 4096, 8193, 16384, 16385, 100003}) {
    test::check_intervals<test::interval<8, 8>>(test::policy, count, 1);
    test::check_intervals<test::interval<12>>(test::policy, count);
    test::check_intervals<test::interval<64, 16>>(test::policy, count / 4 + 1);
  }
}

// The sizes lie around the end of the cluster's part, 2 MB of input, and beyond.
BOOST_AUTO_TEST_CASE(with_the_usual_tuning_beyond_a_cluster) {
  for (std::size_t const count : {1 << 18, (1 << 18) + 2}) {
    test::check_intervals<test::interval<8, 8>>(test::policy, count, 1);
  }
  test::check_intervals<test::interval<12>>(test::policy, (1 << 17) + 1);
  test::check_intervals<test::interval<33, 1>>(test::policy, 3 * (1 << 13));
  test::check_intervals<test::interval<64, 16>>(test::policy, (1 << 15) + 1);
}

#if MGPU_HAS_DEVICE
// Checks items that are loaded 16 bytes at a time.
template <class T, int arch>
void check_for_architecture() {
  using tuning = test::tuning_for<mgpu::detail::reduce_default_tuning<16, sizeof(T)>, arch>;
  auto const lone = static_cast<std::size_t>(tuning::at(0).single_block.units()) * 16 / sizeof(T);
  for (std::size_t const count : {lone, lone + 1, 3 * lone + 3}) {
    test::check_intervals<T>(test::tuned(tuning{}), count, 1);
  }
}
BOOST_AUTO_TEST_CASE(as_for_other_architectures) {
  check_for_architecture<test::interval<8, 8>, 75>();
  check_for_architecture<test::interval<16, 16>, 120>();
}
#endif

BOOST_AUTO_TEST_SUITE_END()
