// Reductions run under a race checker, in small launches under schedules that interleave blocks.
#include <support/reductions.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <cuda/functional>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(reduce_races, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(blocks) {
  test::for_each_schedule(40, [](std::uint32_t seed) {
    test::check_intervals<test::interval<8, 8>>(test::tuned(test::small_reduce{}), 300 + seed * 37 % 900, seed % 3);
  });
}

// The blocks use their tables of sums again.
BOOST_AUTO_TEST_CASE(many_tiles) {
  test::for_each_schedule(10, [](std::uint32_t seed) {
    test::check_intervals<test::interval<16, 16>>(test::tuned(test::reduce_tuning<64, 1, 1, 1, 32, 1>{}),
                                                  32 * 64 * 40 + seed * 37 % 900);
  });
}

BOOST_AUTO_TEST_CASE(clusters) {
  test::for_each_schedule(40, [](std::uint32_t seed) {
    test::check_intervals<test::interval<8, 8>>(test::tuned(test::clustered_reduce{}), 300 + seed * 37 % 900,
                                                seed % 3);
  });
}

// Nobody can tell the order of these operators.
BOOST_AUTO_TEST_CASE(clusters_in_any_order) {
  test::for_each_schedule(40, [](std::uint32_t seed) {
    auto const input = test::drawn<std::uint32_t>(300 + seed * 37 % 4000);
    test::buffer<std::uint32_t> items(input, seed % 3);
    auto const policy = test::tuned(test::clustered_reduce{});
    BOOST_TEST(mgpu::reduce(policy, items.begin(), items.end(), 5u) ==
               test::expected_reduction(input, 5u, cuda::std::plus<>{}));
    BOOST_TEST(mgpu::reduce(policy, items.begin(), items.end(), 5u, cuda::maximum<>{}) ==
               test::expected_reduction(input, 5u, cuda::maximum<>{}));
  });
}

BOOST_AUTO_TEST_CASE(into_the_input) {
  test::for_each_schedule(40, [](std::uint32_t seed) {
    std::size_t const count = 300 + seed * 37 % 900;
    auto const input = test::drawn<std::uint32_t>(count);
    test::buffer<std::uint32_t> items(input);
    mgpu::reduce_into(test::tuned(test::tiny_reduce{}), items.begin(), items.end(), items.begin() + seed % count);
    BOOST_TEST(items.get()[seed % count] == test::expected_reduction(input, 0u, cuda::std::plus<>{}));
  });
}

BOOST_AUTO_TEST_SUITE_END()
