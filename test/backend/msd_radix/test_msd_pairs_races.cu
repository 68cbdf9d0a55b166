// Small sorts of keys with values by the highest digits run under a race checker, which judges by the barriers between
// two accesses.
#include <backend/msd_radix/msd_pairs_sorts.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(msd_pairs_races, *boost::unit_test::precondition(test::can_run{}))

using tuning = test::pairs_tuning<2, 4, 64, 2>;

BOOST_AUTO_TEST_CASE(passes_and_buckets) {
  test::for_each_schedule(10, [](std::uint32_t seed) {
    test::check_pairs_sort<tuning, false>(test::radix_keys<std::uint32_t>(300 + seed * 113 % 900, 3 * seed + 1),
                                          test::msd_way::any);
    test::check_pairs_sort<tuning, true>(test::radix_keys<double>(300 + seed * 53 % 400, 3 * seed + 1),
                                         test::msd_way::any);
  });
}

// Buckets are unevenly spread, or one is too large; keys are moved as they are; both zeros come.
BOOST_AUTO_TEST_CASE(buckets_of_all_kinds) {
  test::for_each_schedule(6, [](std::uint32_t seed) {
    auto keys = test::radix_keys<std::uint32_t>(2500 + seed * 53 % 400, 3 * seed + 1);
    for (std::size_t i = 0; i < keys.size(); ++i)
      keys[i] = (keys[i] & 0xfc000000u) | (i % 9 == 0 ? 0x3ffffffu : keys[i] % 7);
    test::check_pairs_sort<test::pairs_tuning<2, 4, 64, 2, 1>, false>(keys, test::msd_way::any);
    test::check_pairs_sort<test::pairs_tuning<2, 4, 32, 2, 2, 2>, false>(keys, test::msd_way::any);
    keys = test::radix_keys<std::uint32_t>(900, 3 * seed + 1);
    for (std::size_t i = 0; i < keys.size(); i += 2) keys[i] &= 0x0fffffffu;
    test::check_pairs_sort<tuning, false>(keys, test::msd_way::any);
    std::vector<test::colour> colours;
    for (std::uint32_t const key : test::radix_keys<std::uint32_t>(700, 3 * seed + 1))
      colours.push_back({key >> 8 << 8, static_cast<float>(key % 256)});
    test::check_pairs_sort<tuning, false>(colours, test::msd_way::any);
    auto floats = test::radix_keys<float>(700, 3 * seed + 1);
    for (std::size_t i = 5; i < floats.size(); i += 40) floats[i] = i % 3 == 0 ? 0.f : -0.f;
    test::check_pairs_sort<tuning, false>(floats, test::msd_way::any);
  });
}

BOOST_AUTO_TEST_SUITE_END()
