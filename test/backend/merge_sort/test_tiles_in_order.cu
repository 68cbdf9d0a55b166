// A merge sort that looks for no natural runs finds out nevertheless where all of its tiles came in order, or strictly
// descending: in place, to a copy, and where the output cannot serve as a buffer, after any number of passes.
#include <support/schedules.h>
#include <backend/merge_sort/comparisons.h>
#include <backend/sorts.h>
#include <boost/test/unit_test.hpp>
#include <sys/mman.h>
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

std::vector<std::uint32_t> descending_numbers(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<std::uint32_t>(10 + 2 * (count - i));
  return numbers;
}

// Returns numbers in order, and in order but for one descent: in a tile, between two, at both ends of the input; and
// strictly descending ones, and such but for one pair that is equal, or ascends.
template <class Selector>
std::vector<std::vector<std::uint32_t>> nearly_ordered(std::size_t count) {
  std::vector<std::uint32_t> const up = ascending_numbers(count), down = descending_numbers(count);
  std::vector<std::vector<std::uint32_t>> made{up, down, std::vector<std::uint32_t>(count, 7), test::reversed(up)};
  std::size_t const tile = Selector::tile_items;
  // At 64 and 128 the second warp begins, of two or four items a thread.
  std::set<std::size_t> places{1, 2, 64, 128, count / 2, count - 2, count - 1};
  for (std::size_t const edge : {tile, 2 * tile, (count - 1) / tile * tile}) {
    for (std::size_t const place : {edge - 1, edge, edge + 1}) places.insert(place);
  }
  for (std::size_t const place : places) {
    if (place < 1 || place >= count) continue;
    auto changed = up;
    changed[place] = changed[place - 1] - 1;
    made.push_back(changed);
    for (std::uint32_t const rise : {0, 1}) {
      changed = down;
      changed[place] = changed[place - 1] + rise;
      made.push_back(changed);
    }
  }
  // Each tile is in order by itself, or strictly descending.
  for (auto shifted : {up, down}) {
    std::rotate(shifted.begin(), shifted.begin() + static_cast<std::ptrdiff_t>(std::min(tile, count)), shifted.end());
    made.push_back(shifted);
  }
  // One tile is in order, and all others strictly descending.
  auto turned = down;
  std::reverse(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(std::min(tile, count)));
  made.push_back(turned);
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

// Each block looks at one tile first, and at all if neighbours of that are alike, as all are here but of one or two.
BOOST_AUTO_TEST_CASE(many_tiles) {
  constexpr std::size_t tile = by_threads::tile_items;
  for (std::size_t const tiles : {33, 2049}) {
    std::size_t const count = tiles * tile;
    for (std::size_t const place : {std::size_t{0}, count - 1, 5 * tile, 5 * tile + 7}) {
      auto numbers = ascending_numbers(count);
      numbers[place] = 3;
      auto falling = descending_numbers(count);
      falling[place] = 3;
      BOOST_TEST_CONTEXT(tiles << " tiles, the least at " << place) {
        for (auto const& tried : {numbers, falling}) {
          test::check_in_place(by_threads{},
                               test::sort_case<std::uint32_t, std::uint16_t, test::ascending>(tried, {}));
        }
      }
    }
  }
}

// There are four times as many blocks of a pass as tiles were sorted: what a block behind these looks at is no other
// memory, which address sanitizers would see.
BOOST_AUTO_TEST_CASE(more_blocks_than_tiles) {
  std::size_t const count = 80 * smaller_merge_tiles::tile_items;
  for (auto const& numbers : {ascending_numbers(count), descending_numbers(count)}) {
    test::check_in_place(smaller_merge_tiles{},
                         test::sort_case<std::uint32_t, std::uint16_t, test::ascending>(numbers, {}));
  }
}

BOOST_AUTO_TEST_CASE(schedules) {
  test::for_each_schedule(100, [](std::uint32_t seed) {
    std::size_t const count = 32 + seed * 97 % 700;
    auto numbers = seed % 2 == 0 ? ascending_numbers(count) : descending_numbers(count);
    if (seed % 3 == 0) numbers[seed * 31 % numbers.size()] = 3;
    test::sort_case<std::uint32_t, std::uint32_t, test::ascending> const sort(numbers, {});
    test::check_in_place(by_blocks{}, sort);
    test::check_copy(by_threads{}, sort);
  });
}

#if defined(MGPU_EMULATED)

namespace {

// Has tiles of 279 items.
template <int few_tiles>
using few_items_a_thread = test::sort_tuning<32, 9, 32, 9, few_tiles>;

// Sorts numbers to other memory, and returns how many comparisons that takes.
template <class Selector>
std::size_t comparisons_of_copy(Selector selector, std::vector<std::uint32_t> const& numbers) {
  test::buffer<std::uint32_t> keys(numbers), copy(numbers.size());
  test::num_comparisons = 0;
  mgpu::stable_sort_copy(test::tuned(selector), keys.begin(), keys.end(), copy.begin(), test::counting_less{});
  auto expected = numbers;
  std::sort(expected.begin(), expected.end());
  BOOST_TEST(copy.get() == expected);
  return test::num_comparisons;
}

}  // namespace

// Neighbours are compared once, in a tile or between two, however many tiles and passes there are.
BOOST_AUTO_TEST_CASE(comparisons_are_few) {
  for (std::size_t const count : {1000, 3000, 5000}) {  // one pass, two and three
    auto const numbers = ascending_numbers(count);
    BOOST_TEST(test::comparisons(test::tuned(few_items_a_thread<1000>{}), numbers) == count - 1);
    BOOST_TEST(test::comparisons(test::tuned(few_items_a_thread<0>{}), numbers) == count - 1);
    BOOST_TEST(test::comparisons(test::tuned(few_items_a_thread<0>{}), std::vector<std::uint32_t>(count, 7)) ==
               count - 1);
    // Where there are two passes, the last one merges what the first one mirrored.
    std::size_t const descending = test::comparisons(test::tuned(few_items_a_thread<0>{}), descending_numbers(count));
    BOOST_TEST((count == 3000 ? descending < 3 * count / 2 : descending == count - 1));
    auto changed = numbers;
    std::swap(changed[count / 2], changed[count / 2 + 100]);
    BOOST_TEST(test::comparisons(test::tuned(few_items_a_thread<0>{}), changed) > 3 * count / 2);
  }
  std::size_t const many = 2100 * by_threads::tile_items;
  BOOST_TEST(test::comparisons(test::tuned(by_threads{}), ascending_numbers(many)) == many - 1);
}
// No more is compared where the last tile has one item, or none for some warp, or where the pass that mirrors is
// launched early without being the first.
BOOST_AUTO_TEST_CASE(comparisons_of_a_last_tile) {
  using two_warps = test::sort_tuning<64, 3, 64, 3, 1000>;
  constexpr std::size_t tile = two_warps::tile_items;
  for (std::size_t const count : {3 * tile + 1, 3 * tile + 70, 17 * tile + 1, 17 * tile + 96}) {
    BOOST_TEST(test::comparisons(test::tuned(two_warps{}), ascending_numbers(count)) == count - 1);
    BOOST_TEST(test::comparisons(test::tuned(two_warps{}), descending_numbers(count)) == count - 1);
  }
}
// To a copy, the last pass is made if the tile sort has not written the output: two passes leave it there. Where that
// pass is the only one, tiles are not looked at.
BOOST_AUTO_TEST_CASE(comparisons_of_copies) {
  BOOST_TEST(comparisons_of_copy(few_items_a_thread<0>{}, ascending_numbers(3000)) == 2999u);
  BOOST_TEST(comparisons_of_copy(few_items_a_thread<0>{}, ascending_numbers(1000)) > 5000u);
  std::size_t const of_three_passes = comparisons_of_copy(few_items_a_thread<0>{}, ascending_numbers(5000));
  BOOST_TEST(of_three_passes > 4999u);
  BOOST_TEST(of_three_passes < 20000u);
  // Descending items are mirrored by the last pass of three, and by the first one of two.
  BOOST_TEST(comparisons_of_copy(few_items_a_thread<0>{}, descending_numbers(5000)) == 4999u);
  BOOST_TEST(comparisons_of_copy(few_items_a_thread<0>{}, descending_numbers(3000)) < 4500u);
}

// What is in order in its place is not written, after an odd number of passes or an even one: a write to this memory
// would be a crash.
BOOST_AUTO_TEST_CASE(in_order_is_not_written) {
  for (std::size_t const count : {1000, 3000, 5000}) {
    auto const numbers = ascending_numbers(count);
    std::size_t const bytes = count * sizeof(std::uint32_t);
    void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    BOOST_REQUIRE(pages != MAP_FAILED);
    auto* const keys = static_cast<std::uint32_t*>(pages);
    std::copy(numbers.begin(), numbers.end(), keys);
    BOOST_REQUIRE(mprotect(pages, bytes, PROT_READ) == 0);
    mgpu::stable_sort(test::tuned(few_items_a_thread<0>{}), keys, keys + count, test::counting_less{});
    BOOST_TEST(std::equal(numbers.begin(), numbers.end(), keys));
    munmap(pages, bytes);
  }
}

namespace {

// Answers at random, and counts keys that are none of the input.
std::size_t num_answers = 0;
std::size_t num_strangers = 0;
constexpr std::uint32_t first_number = 1000;
constexpr std::uint32_t end_number = 5000;
struct by_chance {
  std::uint64_t one_of;  // so many answers is not the usual one
  bool usual = false;
  std::size_t first_by_chance = 0;  // the answers before are usual
  __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    for (std::uint32_t const key : {a, b}) num_strangers += key < first_number || key >= end_number;
    if (++num_answers < first_by_chance) return usual;
    bool const is_unusual = num_answers * 0x9E3779B97F4A7C15u >> 32 < (std::uint64_t{1} << 32) / one_of;
    return usual != is_unusual;
  }
};

// comp_of(round) is a comparator of that kind.
template <class Selector, class CompOf>
void check_chance(Selector selector, std::size_t count, std::uint64_t rounds, CompOf comp_of) {
  auto const policy = test::tuned(selector);
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first_number);
  test::buffer<std::uint32_t> keys(numbers);
  std::size_t bytes = 0;
  mgpu::stable_sort(policy.query_scratch(bytes), keys.begin(), keys.end(), by_chance{1});
  std::vector<unsigned char> noise(bytes);
  for (std::size_t i = 0; i < bytes; ++i) noise[i] = static_cast<unsigned char>(i * 151 >> 3 | 128);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    test::buffer<unsigned char> scratch(noise);
    keys.set(numbers);
    BOOST_CHECK_NO_THROW(
        mgpu::stable_sort(policy.with_scratch(scratch.begin(), bytes), keys.begin(), keys.end(), comp_of(round)));
  }
}

}  // namespace

// By such a comparator, too, blocks agree whether the input came in order, or descending: none reads what another one
// did not write.
BOOST_AUTO_TEST_CASE(comparator_of_chance) {
  auto const comp_of = [](std::uint64_t round) {
    return by_chance{round % 3 == 0 ? 140u : round % 3 == 1 ? 600u : 4000u, round % 2 == 1};
  };
  num_strangers = 0;
  for (std::size_t const count : {100, 155, 600, 3000}) {
    check_chance(by_threads{}, count, 60, comp_of);
    check_chance(by_warps{}, count, 60, comp_of);
    check_chance(by_blocks{}, count, 60, comp_of);
    check_chance(test::sort_tuning<32, 1, 32, 1, 1000>{}, count, 60, comp_of);
  }
  BOOST_TEST(num_strangers == 0u);
}

// Blocks agree, too, if they decide at the same time: the tile sort finds all in order, or descending, and who then looks
// at all tiles finds that or not, by chance.
BOOST_AUTO_TEST_CASE(blocks_that_decide_at_once) {
  auto const check = [](auto selector, std::size_t count) {
    std::size_t const tiles = (count + selector.tile_items - 1) / selector.tile_items;
    check_chance(selector, count, 4, [=](std::uint64_t round) {
      num_answers = 0;
      return by_chance{tiles + 1, round % 2 == 1, count - tiles + 1};
    });
  };
  num_strangers = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    auto chosen = mgpu::emulator::schedule(seed);
    chosen.blocks = mgpu::emulator::block_policy::random;
    chosen.preempt_permille = 400;
    mgpu::emulator::with_options const scope(chosen);
    for (std::size_t const count : {155, 600}) {
      check(by_threads{}, count);
      check(by_blocks{}, count);
      check(test::sort_tuning<32, 1, 32, 1, 1000>{}, count);
    }
  }
  BOOST_TEST(num_strangers == 0u);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
