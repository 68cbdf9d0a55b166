// Small sample sorts run under a race checker, which judges by the barriers between two accesses.
#include <backend/radix_sorts.h>
#include <support/device.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(sample_sort_races, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class Tuning, class Key>
void check(std::uint64_t schedules) {
  test::for_each_schedule(schedules, [](std::uint32_t seed) {
    test::check_radix_sort<Tuning, false>(test::radix_keys<Key>(1 + seed * 97 % Tuning::max_items, seed));
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(buckets) { check<test::sample_tuning<64, 2, 2, 4, 64, 4, 48>, std::uint32_t>(16); }
BOOST_AUTO_TEST_CASE(overfull_buckets) { check<test::sample_tuning<32, 2, 2, 3, 32, 2, 150>, std::uint32_t>(12); }
BOOST_AUTO_TEST_CASE(floats) { check<test::sample_tuning<32, 4, 2, 3, 64, 2, 100>, float>(8); }

BOOST_AUTO_TEST_SUITE_END()
