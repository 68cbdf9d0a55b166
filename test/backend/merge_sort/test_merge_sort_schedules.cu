// The merge sort over some tiles gives the same result under every schedule.
#include <support/schedules.h>
#include <backend/sorts.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(merge_sort_schedules, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class Key, class Value>
auto drawn_case(std::uint32_t seed, std::uint32_t most_items) {
  std::uint32_t const count = 1 + seed * 7919 % most_items;
  return test::sort_case<Key, Value, test::ascending>(count, 1 + seed % 9, seed, {});
}

}  // namespace

BOOST_AUTO_TEST_CASE(in_place) {
  test::for_each_schedule(1000, [](std::uint32_t seed) {
    test::check_in_place(test::sort_tuning<32, 3>{}, drawn_case<std::uint32_t, std::uint32_t>(seed, 800));
  });
}

BOOST_AUTO_TEST_CASE(tiles_of_two_sizes) {
  test::for_each_schedule(500, [](std::uint32_t seed) {
    test::check_in_place(test::sort_tuning<64, 4, 32, 2, 4, 9>{},
                         drawn_case<std::uint64_t, std::uint16_t>(seed, 900));
  });
}

BOOST_AUTO_TEST_CASE(two_runs) {
  test::for_each_schedule(500, [](std::uint32_t seed) {
    test::check_in_place(test::pairwise_sort_tuning<64, 4, 32, 2, 4, 9>{},
                         drawn_case<std::uint64_t, std::uint16_t>(seed, 900));
  });
}

BOOST_AUTO_TEST_CASE(fancy) {
  test::for_each_schedule(300, [](std::uint32_t seed) {
    test::check_fancy(test::sort_tuning<64, 3>{}, drawn_case<std::uint8_t, std::uint64_t>(seed, 1200));
  });
}

BOOST_AUTO_TEST_CASE(large_keys_and_values) {
  test::for_each_schedule(300, [](std::uint32_t seed) {
    test::check_in_place(test::sort_tuning<32, 3>{}, drawn_case<test::item<40, 4>, test::item<24, 8>>(seed, 500));
  });
}

BOOST_AUTO_TEST_SUITE_END()
