// Small sorts by the highest digits first run under a race checker, which judges by the barriers between two accesses.
#include <backend/msd_radix/msd_radix_sorts.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(msd_radix_races, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(partitions_and_buckets) {
  test::for_each_schedule(12, [](std::uint32_t seed) {
    test::check_msd_sort<test::msd_tuning<2, 2, 32, 4>, false>(
        test::radix_keys<std::uint16_t>(100 + seed * 37 % 400, seed), test::msd_way::any);
    // Blocks of several warps, which only barriers of the block order.
    test::check_msd_sort<test::msd_tuning<2, 2, 96, 2>, false>(
        test::radix_keys<std::uint32_t>(400 + seed * 113 % 1600, 3 * seed + 1), test::msd_way::any);
  });
}

BOOST_AUTO_TEST_SUITE_END()
