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

BOOST_AUTO_TEST_SUITE(two_level_sample_sort_schedules, *boost::unit_test::precondition(test::can_run{}))

namespace {

using tuning = test::two_level_tuning<32, 4, 32, 3, 2>;

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

BOOST_AUTO_TEST_SUITE_END()
