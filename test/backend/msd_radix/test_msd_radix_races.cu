// Small sorts by the highest digits first run under a race checker, which judges by the barriers between two accesses.
#include <backend/msd_radix/msd_radix_sorts.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
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

// Buckets that are empty or unevenly spread, too large a one, and a plan by several blocks.
BOOST_AUTO_TEST_CASE(buckets_of_all_kinds) {
  using tuning = test::msd_tuning<2, 2, 96, 2>;
  test::for_each_schedule(6, [](std::uint32_t seed) {
    auto keys = test::radix_keys<std::uint32_t>(2000 + seed * 53 % 400, 3 * seed + 1);
    for (std::size_t i = 0; i < keys.size(); ++i)
      keys[i] = (keys[i] & 0xf0000000u) | (i % 9 == 0 ? 0xfffffffu : keys[i] % 7);
    test::check_msd_sort<tuning, false>(keys, test::msd_way::any);
    keys = test::radix_keys<std::uint32_t>(900, 3 * seed + 1);
    for (auto& key : keys) key += (key >> 28) % 3 == 0 ? 1u << 28 : 0;
    test::check_msd_sort<tuning, false>(keys, test::msd_way::any);
    keys = test::radix_keys<std::uint32_t>(1500, 3 * seed + 1);
    for (std::size_t i = 0; i < keys.size(); i += 2) keys[i] &= 0x0fffffffu;
    test::check_msd_sort<tuning, false>(keys, test::msd_way::other);
    using doubling = test::doubling<test::msd_tuning<2, 1, 32, 6, 2>>;
    test::check_msd_sort<doubling, false>(test::radix_keys<std::uint32_t>(1400 + seed * 53 % 400, 3 * seed + 1),
                                          test::msd_way::any);
    test::check_msd_sort<test::msd_tuning<3, 3, 32, 2>, false>(
        test::radix_keys<std::uint32_t>(2500 + seed * 53 % 400, 3 * seed + 1), test::msd_way::any);
  });
}

BOOST_AUTO_TEST_SUITE_END()
