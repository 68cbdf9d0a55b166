// mgpu::sort is right at the edges of tiles, at odd alignments and between neighbours, with small and the usual
// tuning.
#include <mgpu/sort.h>
#include <support/items.h>
#include <support/tunings.h>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

BOOST_AUTO_TEST_SUITE(sort_shapes, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class T, class Policy>
void check(Policy const& policy, test::pattern pattern, std::size_t count, std::size_t shift = 0) {
  BOOST_TEST_CONTEXT(pattern << ", " << count << " items, shifted by " << shift) {
    std::vector<T> const input = test::keys<T>(pattern, count, static_cast<std::uint32_t>(count));
    test::buffer<T> keys(input, shift);
    mgpu::sort(policy, keys.begin(), keys.end());
    BOOST_TEST(test::same_bytes(keys.get(), test::permuted(input, test::stable_order<T>(input, std::less<>{}))));
  }
}

template <class Selector>
void check_edges(Selector selector) {
  auto const policy = test::tuned(selector);
  for (std::size_t const count : test::sizes_around(Selector::tile_items, {1, 2, 3, 4, 5, 7, 8, 9, 16, 17})) {
    check<std::int32_t>(policy, test::pattern::random, count);
    check<std::int32_t>(policy, test::pattern::reversed, count);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(edges_of_small_tiles) {
  check_edges(test::small_sort{});
  check_edges(test::split_sort{});
  check_edges(test::tiny_sort{});
}

// These are sizes around what a block or a cluster of blocks sorts without scratch memory, and larger ones.
BOOST_AUTO_TEST_CASE(edges_of_usual_tiles) {
  std::size_t const tile = test::sort_tile_items<std::int32_t>();
#if defined(MGPU_EMULATED)
  // A tile is large for the emulator. The tests of each backend sort all patterns by smaller ones.
  std::vector<std::size_t> const tiles{1};
  std::vector<test::pattern> const patterns{test::pattern::few_distinct};
#else
  std::vector<std::size_t> const tiles{1, 2, 3, 5};
  std::vector<test::pattern> const patterns(std::begin(test::all_patterns), std::end(test::all_patterns));
#endif
  for (std::size_t const count : test::sizes_around(tile, tiles)) {
    check<std::int32_t>(test::policy, test::pattern::random, count);
  }
  for (std::size_t const count : {1000, 4095, 4096, 4097, 10'239, 10'240, 10'241}) {
    check<std::int32_t>(test::policy, test::pattern::random, count);
  }
  for (test::pattern const pattern : patterns) check<std::int32_t>(test::policy, pattern, 3 * tile + 5);
}

BOOST_AUTO_TEST_CASE(every_size_up_to_some_tiles) {
  auto const policy = test::tuned(test::tiny_sort{});
  for (std::size_t count = 0; count < 140; ++count) check<std::int32_t>(policy, test::pattern::random, count);
}

BOOST_AUTO_TEST_CASE(patterns_on_many_tiles) {
  auto const policy = test::tuned(test::tiny_sort{});
  for (test::pattern const pattern : test::all_patterns) check<std::int32_t>(policy, pattern, 5000);
}

BOOST_AUTO_TEST_CASE(alignments) {
  auto const small = test::tuned(test::small_sort{});
  for (std::size_t shift = 0; shift < 9; ++shift) {
    for (std::size_t const count : {7, 320, 1111}) {
      check<std::int32_t>(small, test::pattern::random, count, shift);
      check<std::uint8_t>(small, test::pattern::random, count, shift);
      check<std::uint16_t>(small, test::pattern::random, count, shift);
    }
  }
  std::size_t const tile = test::sort_tile_items<std::int32_t>();
  for (std::size_t const shift : {1, 2, 3, 5}) {
    check<std::int32_t>(test::policy, test::pattern::random, 2 * tile + 3, shift);
  }
}

BOOST_AUTO_TEST_CASE(neighbours_stay) {
  constexpr std::size_t margin = 70;
  auto const small = test::tuned(test::small_sort{});
  for (std::size_t const count : {0, 1, 5, 319, 320, 321, 1000}) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const input = test::keys<std::int32_t>(test::pattern::random, count + 2 * margin);
      auto expected = input;
      std::stable_sort(expected.begin() + margin, expected.end() - margin);
      test::buffer<std::int32_t> keys(input);
      mgpu::sort(small, keys.begin() + margin, keys.end() - margin);
      BOOST_TEST(test::same_bytes(keys.get(), expected));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
