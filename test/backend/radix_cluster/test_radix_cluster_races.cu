// Small sorts by a cluster of blocks run under a race checker, which judges by the barriers between two accesses.
#include <backend/radix_sorts.h>
#include <support/device.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(radix_cluster_races, *boost::unit_test::precondition(test::can_run_clusters{}))

namespace {

template <class Tuning, class Key>
void check(std::uint64_t schedules) {
  test::for_each_schedule(schedules, [](std::uint32_t seed) {
    test::check_radix_sort<Tuning, false>(test::radix_keys<Key>(1 + seed * 37 % Tuning::max_items, seed));
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(shares) { check<test::cluster_tuning<64, 3, 4, 3>, std::uint16_t>(24); }
BOOST_AUTO_TEST_CASE(digits) { check<test::cluster_tuning<64, 2, 2, 4>, std::uint16_t>(24); }
BOOST_AUTO_TEST_CASE(many_blocks) { check<test::cluster_tuning<32, 2, 8, 4>, std::uint32_t>(8); }

// Zeros of both kinds are left to another sort of the block, whose memory lies where they were told apart.
BOOST_AUTO_TEST_CASE(two_zeros) {
  using tuning = test::cluster_tuning<96, 2, 3, 8>;
  test::for_each_schedule(12, [](std::uint32_t seed) {
    auto keys = test::radix_keys<float>(tuning::max_items - seed, 3 * seed + 1);
    for (std::size_t i = 0; i < keys.size(); i += 9) keys[i] = i % 2 == 0 ? 0.0f : -0.0f;
    test::check_radix_sort<tuning, false>(keys);
  });
}

BOOST_AUTO_TEST_SUITE_END()
