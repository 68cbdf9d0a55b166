// A merge sort that looks for no natural runs finds out nevertheless where all of its tiles came in order: in place, to a
// copy, and where the output cannot serve as a buffer, after any number of passes.
#include <support/schedules.h>
#include <backend/merge_sort/comparisons.h>
#include <backend/sorts.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(tiles_in_order, *boost::unit_test::precondition(test::can_run{}))

namespace {

using by_threads = test::sort_tuning<32, 1>;  // has tiles of 31 items
using by_warps = test::sort_tuning<32, 3, 32, 3, 0, 1000>;
using by_blocks = test::sort_tuning<64, 2, 64, 2, 1000>;
using smaller_merge_tiles = test::sort_tuning<64, 4, 32, 2, 5, 40>;

std::vector<std::uint32_t> ascending_numbers(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<std::uint32_t>(10 + i - i % 3);  // some are equal
  return numbers;
}

// Returns numbers in order, and in order but for one descent: in a tile, between two, at both ends of the input.
template <class Selector>
std::vector<std::vector<std::uint32_t>> nearly_ordered(std::size_t count) {
  std::vector<std::uint32_t> const up = ascending_numbers(count);
  std::vector<std::vector<std::uint32_t>> made{up, std::vector<std::uint32_t>(count, 7), test::reversed(up)};
  std::size_t const tile = Selector::tile_items;
  std::set<std::size_t> places{1, 2, count / 2, count - 2, count - 1};
  for (std::size_t const edge : {tile, 2 * tile, (count - 1) / tile * tile}) {
    for (std::size_t const place : {edge - 1, edge, edge + 1}) places.insert(place);
  }
  for (std::size_t const place : places) {
    if (place < 1 || place >= count) continue;
    auto changed = up;
    changed[place] = changed[place - 1] - 1;
    made.push_back(changed);
  }
  // Each tile is in order by itself.
  auto shifted = up;
  std::rotate(shifted.begin(), shifted.begin() + static_cast<std::ptrdiff_t>(std::min(tile, count)), shifted.end());
  made.push_back(shifted);
  return made;
}

template <class Key, class Value, class Selector>
void check_counts(Selector selector, std::initializer_list<std::size_t> counts) {
  for (std::size_t const count : counts) {
    BOOST_TEST_CONTEXT(count << " items") {
      for (auto const& numbers : nearly_ordered<Selector>(count)) {
        std::vector<Key> keys;
        for (std::uint32_t const number : numbers) {
          keys.push_back(test::make_key<Key>(number, static_cast<std::uint32_t>(keys.size())));
        }
        test::sort_case<Key, Value, test::ascending> const sort(keys, {});
        test::check_in_place(selector, sort);
        test::check_copy(selector, sort);
        test::check_fancy(selector, sort);
      }
    }
  }
}

}  // namespace

// There are one pass, two, and three.
BOOST_AUTO_TEST_CASE(shares_found_by_threads) {
  check_counts<std::uint32_t, std::uint16_t>(by_threads{}, {2, 31, 32, 62, 124, 125, 496, 497, 700});
}
BOOST_AUTO_TEST_CASE(shares_found_by_warps) {
  check_counts<std::uint64_t, std::uint32_t>(by_warps{}, {94, 372, 373, 1100});
}
BOOST_AUTO_TEST_CASE(shares_found_by_their_blocks) {
  check_counts<std::uint16_t, std::uint64_t>(by_blocks{}, {127, 504, 505, 1300});
}
BOOST_AUTO_TEST_CASE(merge_tiles_are_smaller) {
  check_counts<std::uint32_t, std::uint32_t>(smaller_merge_tiles{}, {249, 992, 993, 1500});
}
BOOST_AUTO_TEST_CASE(large_items) { check_counts<test::item<40, 4>, test::item<24, 8>>(by_warps{}, {94, 373}); }

// A block looks at no more than 2,048 tiles, at some of them first, of which none is out of order here.
BOOST_AUTO_TEST_CASE(many_tiles) {
  constexpr std::size_t tile = by_threads::tile_items;
  for (std::size_t const tiles : {33, 2048, 2049}) {
    std::size_t const count = tiles * tile;
    for (std::size_t const place : {std::size_t{0}, count - 1, 5 * tile, 5 * tile + 7}) {
      auto numbers = ascending_numbers(count);
      numbers[place] = 3;
      BOOST_TEST_CONTEXT(tiles << " tiles, the least at " << place) {
        test::check_in_place(by_threads{},
                             test::sort_case<std::uint32_t, std::uint16_t, test::ascending>(numbers, {}));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(schedules) {
  test::for_each_schedule(100, [](std::uint32_t seed) {
    auto numbers = ascending_numbers(32 + seed * 97 % 700);
    if (seed % 3 == 0) numbers[seed * 31 % numbers.size()] = 3;
    test::sort_case<std::uint32_t, std::uint32_t, test::ascending> const sort(numbers, {});
    test::check_in_place(by_blocks{}, sort);
    test::check_copy(by_threads{}, sort);
  });
}

#if defined(MGPU_EMULATED)

// Neighbours are compared once, in a tile, and tiles in each launch of each pass, of which there are two.
BOOST_AUTO_TEST_CASE(comparisons_are_few) {
  constexpr std::size_t count = 3000;
  constexpr std::size_t tiles = 11;
  auto const numbers = ascending_numbers(count);
  auto const policy = test::tuned(test::sort_tuning<32, 9, 32, 9, 1000>{});  // has tiles of 279
  BOOST_TEST(test::comparisons(policy, numbers) == count - tiles + 2 * tiles * (tiles - 1));
  auto changed = numbers;
  std::swap(changed[1500], changed[1600]);
  BOOST_TEST(test::comparisons(policy, changed) > 3 * count);
  BOOST_TEST(test::comparisons(test::tuned(test::sort_tuning<32, 9>{}), numbers) ==
             count - tiles + 2 * (tiles + 1) * (tiles - 1));
}

#endif

BOOST_AUTO_TEST_SUITE_END()
