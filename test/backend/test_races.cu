// Small merge sorts and merges run under a race checker, which judges by the barriers between two accesses.
#include <backend/merges.h>
#include <backend/sorts.h>
#include <support/device.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

BOOST_AUTO_TEST_SUITE(races, *boost::unit_test::precondition(test::can_run{}))

namespace {

using sort_selector = test::sort_tuning<64, 3>;
using sort_by_blocks = test::sort_tuning<64, 3, 64, 3, 100>;
using merge_selector = test::merge_tuning<64, 3>;

template <class Run>
void in_some_orders(Run run) {
  test::for_each_thread_order(
      2, [](auto&) {}, run);
}

template <class Key, class Value, class Selector = sort_selector>
void check_sort(std::size_t count) {
  test::sort_case<Key, Value, test::ascending> const sort(count, 9, 1, {});
  in_some_orders([&] { test::check_in_place(Selector{}, sort); });
}

// Input in order, or strictly descending, leaves passes nothing to merge.
template <class Selector>
void check_sort_in_order(std::size_t count) {
  std::vector<std::uint32_t> keys(count);
  std::iota(keys.begin(), keys.end(), 5u);
  for (auto const& tried : {keys, test::reversed(keys)}) {
    test::sort_case<std::uint32_t, std::uint32_t, test::ascending> const sort(tried, {});
    in_some_orders([&] { test::check_in_place(Selector{}, sort); });
    in_some_orders([&] { test::check_copy(Selector{}, sort); });
  }
}

template <class Key, class Value>
void check_merge(std::size_t a_count, std::size_t b_count) {
  test::merge_case<Key, Value, test::ascending> const merge(a_count, b_count, 9, 1, {});
  in_some_orders([&] { test::check_merge(merge_selector{}, merge); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(tile_sort) {
  check_sort<std::uint32_t, std::uint32_t>(sort_selector::tile_items);
  check_sort<std::uint32_t, std::uint32_t>(sort_selector::tile_items - 60);
}

BOOST_AUTO_TEST_CASE(merge_passes) {
  check_sort<std::uint32_t, std::uint32_t>(5 * sort_selector::tile_items - 10);
  check_sort<std::uint32_t, std::uint32_t, sort_by_blocks>(3 * sort_selector::tile_items - 10);
}

BOOST_AUTO_TEST_CASE(in_order) {
  check_sort_in_order<sort_selector>(5 * sort_selector::tile_items - 10);
  check_sort_in_order<sort_by_blocks>(5 * sort_selector::tile_items - 10);
}

BOOST_AUTO_TEST_CASE(merge) { check_merge<std::uint32_t, std::uint32_t>(200, 230); }

BOOST_AUTO_TEST_CASE(large_items) {
  check_sort<test::item<40, 4>, test::item<24, 8>>(300);
  check_merge<test::item<40, 4>, test::item<24, 8>>(150, 150);
}

BOOST_AUTO_TEST_SUITE_END()
