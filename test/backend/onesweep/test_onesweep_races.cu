// Small radix sorts run under a race checker, which judges by the barriers between two accesses.
#include <backend/radix_sorts.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(onesweep_races, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Schedules include blocks that stop, so that others count their tiles.
template <class Tuning, class Key>
void check(std::uint64_t schedules) {
  test::for_each_schedule(schedules, [](std::uint32_t seed) {
    test::check_radix_sort<Tuning, false>(test::radix_keys<Key>(100 + seed * 37 % 200, seed));
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(tiles) { check<test::onesweep_tuning<32, 2, 8, 4, 2, 3>, std::uint8_t>(12); }
BOOST_AUTO_TEST_CASE(without_patience) {
  check<test::onesweep_tuning<64, 1, 0, 4, 2, 3, 1 << 20, false>, std::uint8_t>(12);
}
BOOST_AUTO_TEST_CASE(several_launches) { check<test::onesweep_tuning<32, 2, 2, 4, 2, 3, 128>, std::uint8_t>(8); }
BOOST_AUTO_TEST_CASE(one_block) { check<test::block_tuning<64, 5>, std::uint16_t>(12); }

BOOST_AUTO_TEST_SUITE_END()
