// Whatever the order in which threads and blocks run, the two-level sample sort is stable: lanes may be served by
// atomics in any order.
#include <backend/sorts.h>
#include <backend/two_level_sample_sort/two_level.h>
#include <support/device.h>
#include <support/items.h>
#include <support/schedules.h>
#include <mgpu/tuning.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(two_level_sample_sort_schedules, *boost::unit_test::precondition(test::can_run{}))

namespace {

using tuning = test::two_level_tuning<32, 4, 32, 3, 2, 1>;  // two buckets up to 96 items, four of more

void check(std::uint64_t schedules, std::uint32_t distinct) {
  test::for_each_schedule(schedules, [&](std::uint32_t seed) {
    test::sort_case<std::uint32_t, std::uint16_t, test::ascending> const sort(2 + seed * 97 % (tuning::max_items - 1),
                                                                              distinct, seed, {});
    test::check_in_place(tuning{}, sort);
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_keys) { check(60, test::key_bound); }
BOOST_AUTO_TEST_CASE(keys_that_come_often) { check(40, 3); }

// Launches may end before those that they follow have ended, as there is a plan for the runs.
BOOST_AUTO_TEST_CASE(natural_runs) {
  test::for_each_schedule(40, [&](std::uint32_t seed) {
    std::uint32_t const runs = 1 + seed % 6;
    std::vector<std::uint32_t> keys(400 + seed % 64);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint32_t>(i % (keys.size() / runs));
    if (seed % 7 == 0) keys = test::reversed(keys);
    test::check_in_place(tuning{}, test::sort_case<std::uint32_t, std::uint16_t, test::ascending>(keys, {}));
  });
}

BOOST_AUTO_TEST_SUITE_END()
