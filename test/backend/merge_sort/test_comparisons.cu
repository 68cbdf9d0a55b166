// A sort by a comparator makes few comparisons, as one may be slow: that of strings follows two pointers. They are counted
// on the usual tunings; with --log_level=message this says how many there are of n log2 n. A merge of runs that do not
// overlap makes few, too.
#include <backend/merge_sort/comparisons.h>
#include <emulator/emulator.h>
#include <mgpu/detail/core/compares_quickly.h>
#include <support/tunings.h>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(comparisons, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Returns how many comparisons the usual sort of so many keys makes.
template <class Key, class Comp = test::counting_less>
std::size_t comparisons_of(std::size_t count, Comp comp = {}) {
  return test::comparisons(mgpu::par,
                           test::random_keys<Key>(count, test::key_bound, static_cast<std::uint32_t>(count)), comp);
}
// Checks that it makes fewer than `most` times n log2 n.
template <class Key, class Comp = test::counting_less>
void check_comparisons(int count, double most, Comp comp = {}) {
  double const found = static_cast<double>(comparisons_of<Key>(static_cast<std::size_t>(count), comp));
  double const of_least = found / (count * std::log2(count));
  BOOST_TEST_MESSAGE(count << " keys of " << sizeof(Key) << " bytes: " << of_least << " n log2 n");
  BOOST_TEST(of_least < most);
}

// These are sorted as they are, and by their indices.
using key_types = std::tuple<std::uint32_t, std::uint64_t, test::item<16, 8>, test::item<64, 16>>;

}  // namespace

// There is a comparison for each two keys at most, and for an odd number of keys half as many on top as there are.
BOOST_AUTO_TEST_CASE_TEMPLATE(of_few_keys, Key, key_types) {
  BOOST_TEST(comparisons_of<Key>(0) == 0);
  BOOST_TEST(comparisons_of<Key>(1) == 0);
  BOOST_TEST(comparisons_of<Key>(2) == 1);
  for (std::size_t count = 3; count <= 9; ++count) BOOST_TEST(comparisons_of<Key>(count) <= count * count / 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_many_keys, Key, key_types) {
  // By a block of threads with three items each, by a sample, and above all by ranks, there are more of them, but fewer one
  // after the other. This comparator has no state, so up to 16,384 small keys are sorted by ranks, those of 16 bytes only if
  // they have no room for a pointer, and from 1,534 on. Keys of 64 bytes are compared by their indices, which is taken to
  // wait for memory: so they are merged two by two, by small shares, and many of them are sorted by two levels of a sample.
  constexpr double of_tile = sizeof(Key) <= 8 ? 11 : sizeof(Key) == 16 ? 2.2 : 2.8;
  constexpr double of_ranks = sizeof(Key) <= 8 ? 20 : sizeof(Key) == 16 ? 2.7 : 3.5;
  constexpr double of_some = sizeof(Key) <= 8 ? 12 : sizeof(Key) == 16 ? 2.2 : 3.5;
  constexpr double of_more = sizeof(Key) == 16 ? 2.7 : sizeof(Key) == 64 ? 3.8 : 2.1;
  constexpr double of_a_million = sizeof(Key) == 64 ? 1.3 : 2.2;
  for (auto const& [count, most] : {std::pair(32, 1.5),
                                    {33, of_ranks},
                                    {1000, of_tile},
                                    {2100, of_ranks},
                                    {6144, of_ranks},
                                    {10000, of_some},
                                    {100000, of_more},
                                    {1000000, of_a_million}}) {
    check_comparisons<Key>(count, most);
  }
}

// A caller's tuning holds for indices, too.
BOOST_AUTO_TEST_CASE(of_large_keys_by_a_tuning) {
  constexpr std::size_t count = 10000;
  auto const keys = test::random_keys<test::item<64, 16>>(count, test::key_bound, 1);
  std::size_t const by_tuning = test::comparisons(test::tuned(test::sort_tuning<256, 11>{}), keys);
  BOOST_TEST(by_tuning < 2 * count * std::log2(count));
  BOOST_TEST(test::comparisons(mgpu::par, keys) > 3 * count * std::log2(count));
}

// A comparator with a flag is no other than one without state.
BOOST_AUTO_TEST_CASE_TEMPLATE(of_keys_by_a_flag, Key, key_types) {
  for (std::size_t const count : {100, 2000, 10000, 140000}) {
    BOOST_TEST(comparisons_of<Key>(count, test::counting_less_of_flag{}) == comparisons_of<Key>(count));
  }
}

// Keys of any size are merged two by two, where the comparator may look them up elsewhere, and many of them are sorted by
// two levels of a sample.
BOOST_AUTO_TEST_CASE_TEMPLATE(of_many_keys_elsewhere, Key, key_types) {
  for (auto const& [count, most] : {std::pair(32, 1.5), {10000, 3.5}, {100000, 3.8}, {200000, 2.5}}) {
    check_comparisons<Key>(count, most, test::counting_less_elsewhere{});
  }
  // Many keys of 64 bytes are sorted above, by indices of 4 bytes.
  if constexpr (sizeof(Key) == 8) check_comparisons<Key>(1000000, 1.3, test::counting_less_elsewhere{});
}

BOOST_AUTO_TEST_CASE(of_one_block) {
  using Key = test::item<16, 8>;
  mgpu::emulator::reset_stats();
  comparisons_of<Key>(1533, test::counting_less_elsewhere{});
  BOOST_TEST(mgpu::emulator::total_stats().launches == 1u);
}

namespace {
using counting_elsewhere = test::counting_less_elsewhere;
static_assert(mgpu::detail::may_follow_pointers<int, counting_elsewhere>);
static_assert(mgpu::detail::may_follow_pointers<int const*, test::counting_less>);
static_assert(mgpu::detail::may_follow_pointers<int, bool (*)(int, int)>);
static_assert(!mgpu::detail::may_follow_pointers<test::item<16, 8>, test::counting_less_of_flag>);
static_assert(mgpu::detail::compares_quickly<double, test::counting_less_of_flag>);
static_assert(!mgpu::detail::compares_quickly<test::item<16, 8>, test::counting_less>);
static_assert(mgpu::detail::compares_quickly<test::item<16, 4>, test::counting_less>);
static_assert(!mgpu::detail::compares_quickly<int, counting_elsewhere>);
}  // namespace

// Each tile is of one run here, and copied: all that is compared are both ends of the search for where it begins.
BOOST_AUTO_TEST_CASE(of_runs_apart) {
  using tuning = test::merge_tuning<64, 3, 0>;
  constexpr std::size_t count = 26 * tuning::tile_items, num_tiles = 2 * 26;
  std::vector<std::uint32_t> numbers(2 * count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  test::buffer<std::uint32_t> in(numbers), out(numbers.size());
  auto const merge_halves = [&](std::uint32_t const* a, std::uint32_t const* b) {
    test::num_comparisons = 0;
    mgpu::merge(test::tuned(tuning{}), a, a + count, b, b + count, out.begin(), test::counting_less{});
    BOOST_TEST(test::same_bytes(out.get(), numbers));
    return test::num_comparisons;
  };
  BOOST_TEST(merge_halves(in.begin(), in.begin() + count) <= 2 * (num_tiles + 1));
  BOOST_TEST(merge_halves(in.begin() + count, in.begin()) <= 2 * (num_tiles + 1));
}

BOOST_AUTO_TEST_SUITE_END()
