// The merge sort makes 0 to 4 merge passes, so that each buffer is once the last: in place, to a copy, and where the
// output cannot serve as a buffer.
#include <backend/sorts.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>
#if defined(MGPU_EMULATED)
#include <emulator/emulator.h>
#endif

BOOST_AUTO_TEST_SUITE(merge_sort_passes, *boost::unit_test::precondition(test::can_run{}))

namespace {

using sort_case = test::sort_case<std::uint32_t, std::uint16_t, test::ascending>;

// Returns the fewest and the most items that take that many passes, and some between that leave the last group runs
// short.
template <class Selector>
std::vector<std::size_t> counts_for(Selector, int passes) {
  std::size_t most = Selector::tile_items;
  if (passes == 0) return {1, most};
  for (int pass = 0; pass < passes; ++pass) most *= Selector::runs_per_pass;
  if (Selector::runs_per_pass == 2) return {most / 2 + 1, most * 3 / 4, most - 1, most};
  return {most / 4 + 1, most / 2, most / 2 + 1, most * 3 / 4, most - 1, most};
}

template <class Selector, class Check>
void for_all_passes(Selector selector, Check check) {
  for (int passes = 0; passes <= 4; ++passes) {
    for (std::size_t const count : counts_for(selector, passes)) {
      if (count > 2500) continue;  // enough for a fourth pass over the smallest tiles
      BOOST_TEST_CONTEXT(passes << " passes, " << count << " items") {
        check(selector, sort_case(count, test::key_bound, static_cast<std::uint32_t>(count), {}));
      }
    }
  }
}

template <class Selector>
void check_all(Selector selector) {
  for_all_passes(selector, [](auto chosen, auto const& sort) { test::check_in_place(chosen, sort); });
  for_all_passes(selector, [](auto chosen, auto const& sort) { test::check_copy(chosen, sort); });
  for_all_passes(selector, [](auto chosen, auto const& sort) { test::check_fancy(chosen, sort); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(shares_found_by_threads) { check_all(test::sort_tuning<32, 1>{}); }
BOOST_AUTO_TEST_CASE(shares_found_by_warps) { check_all(test::sort_tuning<32, 1, 32, 1, 0, 1000>{}); }
BOOST_AUTO_TEST_CASE(shares_found_by_their_blocks) { check_all(test::sort_tuning<32, 1, 32, 1, 1000>{}); }
BOOST_AUTO_TEST_CASE(merge_tiles_are_smaller) { check_all(test::sort_tuning<64, 2, 32, 1, 5, 40>{}); }
BOOST_AUTO_TEST_CASE(two_runs_by_threads) { check_all(test::pairwise_sort_tuning<32, 1>{}); }
BOOST_AUTO_TEST_CASE(two_runs_by_warps) { check_all(test::pairwise_sort_tuning<32, 1, 32, 1, 0, 1000>{}); }
BOOST_AUTO_TEST_CASE(two_runs_by_their_blocks) { check_all(test::pairwise_sort_tuning<32, 1, 32, 1, 1000>{}); }
BOOST_AUTO_TEST_CASE(two_runs_by_smaller_tiles) { check_all(test::pairwise_sort_tuning<64, 2, 32, 1, 5, 40>{}); }

// There is a tile pass, and a merge and perhaps a partition for each time that runs become so many times as long.
#if defined(MGPU_EMULATED)
template <class Selector>
void check_launches(Selector selector, unsigned launches_a_pass) {
  for (int passes = 0; passes <= 3; ++passes) {
    for (std::size_t const count : counts_for(selector, passes)) {
      sort_case const sort(count, test::key_bound, 1, {});
      test::buffer<std::uint32_t> keys(sort.keys);
      mgpu::emulator::reset_stats();
      mgpu::stable_sort(test::tuned(selector), keys.begin(), keys.end());
      BOOST_TEST(mgpu::emulator::total_stats().launches == 1u + launches_a_pass * static_cast<unsigned>(passes));
    }
  }
}
BOOST_AUTO_TEST_CASE(passes_are_as_many_as_meant) {
  check_launches(test::sort_tuning<32, 1>{}, 2);
  check_launches(test::sort_tuning<32, 1, 32, 1, 0, 1000>{}, 2);
  check_launches(test::sort_tuning<32, 1, 32, 1, 1000>{}, 1);
  check_launches(test::pairwise_sort_tuning<32, 1>{}, 2);
  check_launches(test::pairwise_sort_tuning<32, 1, 32, 1, 1000>{}, 1);
}
#endif

// The usual tuning, which has other tiles altogether, gives the same result as the small ones.
BOOST_AUTO_TEST_CASE(tunings_agree) {
  for (std::size_t const count : {1, 31, 1000, 9000}) {
    BOOST_TEST_CONTEXT(count << " items") {
      sort_case const sort(count, 12, static_cast<std::uint32_t>(count), {});
      test::check_in_place(test::sort_tuning<32, 7>{}, sort);
      test::check_in_place(test::sort_tuning<128, 5>{}, sort);
      test::check_in_place(test::sort_tuning<128, 8, 64, 4>{}, sort);
      test::buffer<std::uint32_t> keys(sort.keys);
      test::buffer<std::uint16_t> values(sort.values);
      mgpu::stable_sort_by_key(test::policy, keys.begin(), keys.end(), values.begin());
      BOOST_TEST(test::same_bytes(keys.get(), sort.sorted_keys));
      BOOST_TEST(test::same_bytes(values.get(), sort.sorted_values));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
