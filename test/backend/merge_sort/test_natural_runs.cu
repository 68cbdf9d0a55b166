// A merge sort merges the runs that its input is made of, if they are few, and copies or reverses one that is in order:
// in place, to a copy, and where the output cannot serve as a buffer.
#include <support/schedules.h>
#include <backend/merge_sort/comparisons.h>
#include <backend/merge_sort/natural_runs.h>
#include <backend/sorts.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

BOOST_AUTO_TEST_SUITE(natural_runs, *boost::unit_test::precondition(test::can_run{}))

namespace {

template <class Key>
std::vector<Key> numbered_keys(std::vector<std::uint32_t> const& numbers) {
  std::vector<Key> keys;
  for (std::uint32_t const number : numbers) {
    keys.push_back(test::make_key<Key>(number, static_cast<std::uint32_t>(keys.size())));
  }
  return keys;
}

// Returns inputs in order, in the reverse order, and almost so.
std::vector<std::vector<std::uint32_t>> ordered(std::size_t count) {
  std::vector<std::uint32_t> up(count);
  std::iota(up.begin(), up.end(), 5u);
  std::vector<std::vector<std::uint32_t>> made{up, test::reversed(up), std::vector<std::uint32_t>(count, 7)};
  for (std::vector<std::uint32_t> numbers : {up, test::reversed(up)}) {
    for (std::size_t const at : {std::size_t{0}, count / 2, count - 2}) {
      std::vector<std::uint32_t> changed = numbers;
      changed[at + 1] = changed[at];  // reversed, these two must keep their order
      made.push_back(changed);
      std::swap(changed[at == 0 ? count - 1 : 0], changed[at]);
      made.push_back(changed);
    }
  }
  return made;
}

template <class Value, class Selector, class Key>
void check_keys(Selector selector, std::vector<Key> const& keys) {
  test::sort_case<Key, Value, test::ascending> const sort(keys, {});
  test::check_in_place(selector, sort);
  test::check_copy(selector, sort);
  test::check_fancy(selector, sort);
}

template <class Key, class Value, class Selector>
void check_all(Selector selector, std::size_t items, std::vector<std::size_t> const& numbers_of_runs) {
  for (std::size_t const runs : numbers_of_runs) {
    BOOST_TEST_CONTEXT(runs << " runs") {
      check_keys<Value>(selector,
                        test::made_of_runs<Key>(test::uneven(runs, items, static_cast<std::uint32_t>(runs)), 1));
    }
  }
  check_keys<Value>(selector, test::random_keys<Key>(items, test::key_bound, 3));
}

using by_threads = test::sort_tuning<32, 1, 32, 1, 0, 0, 1>;

}  // namespace

BOOST_AUTO_TEST_CASE(shares_found_by_threads) {
  check_all<std::uint32_t, std::uint16_t>(by_threads{}, 500, {1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 255, 256, 257});
}
BOOST_AUTO_TEST_CASE(shares_found_by_warps) {
  check_all<std::uint32_t, std::uint16_t>(test::by_warps{}, 1000, {1, 3, 16, 17, 65, 257});
}
BOOST_AUTO_TEST_CASE(shares_found_by_their_blocks) {
  check_all<std::uint16_t, std::uint64_t>(test::sort_tuning<64, 2, 32, 1, 1000, 1000, 1>{}, 700, {1, 4, 5, 70});
}
BOOST_AUTO_TEST_CASE(large_items) {
  check_all<test::item<40, 4>, test::item<24, 8>>(test::sort_tuning<32, 3, 32, 3, 0, 1000, 1>{}, 400, {1, 2, 5, 40});
}

// Passes of two runs have no plan for natural runs, whatever the tuning asks for.
BOOST_AUTO_TEST_CASE(passes_of_two_runs) {
  check_all<std::uint32_t, std::uint16_t>(test::pairwise_sort_tuning<32, 2, 32, 2, 0, 1000, 1>{}, 1000, {1, 3, 17});
}

BOOST_AUTO_TEST_CASE(in_order_and_reversed) {
  for (std::size_t const items : {64, 1001}) {
    for (auto const& numbers : ordered(items))
      check_keys<std::uint16_t>(test::by_warps{}, numbered_keys<std::uint32_t>(numbers));
  }
}

BOOST_AUTO_TEST_CASE(runs_of_one_length) {
  for (std::size_t const runs : {2, 16, 64}) {
    check_keys<std::uint16_t>(test::by_warps{},
                              test::made_of_runs<std::uint32_t>(test::lengths(runs, 1024 / runs), 2));
  }
}

// The passes are fewer than the runs would take: then tiles are sorted.
BOOST_AUTO_TEST_CASE(few_passes) {
  using selector = test::sort_tuning<32, 9, 32, 9, 0, 1000, 1>;  // has tiles of 279
  for (std::size_t const items : {280, 1116, 1117}) {
    check_all<std::uint32_t, std::uint16_t>(selector{}, items, {1, 4, 5, 16, 17});
  }
}

// The search looks at some pairs first where there are so many items.
BOOST_AUTO_TEST_CASE(many_items) {
  constexpr std::size_t count = 132000;
  using selector = test::sort_tuning<256, 15, 256, 15, 0, 1000, 1>;
  for (std::size_t const runs : {1, 100}) {
    test::sort_case<std::uint32_t, std::uint32_t, test::ascending> const sort(
        test::made_of_runs<std::uint32_t>(test::uneven(runs, count, 1), 2), {});
    test::check_in_place(selector{}, sort);
  }
  test::check_in_place(selector{},
                       test::sort_case<std::uint32_t, std::uint32_t, test::ascending>(count, 1000, 3, {}));
}

BOOST_AUTO_TEST_CASE(schedules) {
  test::for_each_schedule(100, [](std::uint32_t seed) {
    auto const keys =
        test::made_of_runs<std::uint32_t>(test::uneven(1 + seed % 66, 100 + seed * 97 % 700, seed), seed);
    test::sort_case<std::uint32_t, std::uint32_t, test::ascending> const sort(keys, {});
    test::check_in_place(test::sort_tuning<32, 3, 32, 3, 0, 40, 1>{}, sort);
    test::check_copy(test::sort_tuning<32, 3, 32, 3, 0, 40, 1>{}, sort);
  });
}

#if defined(MGPU_EMULATED)

namespace {

// Returns how many comparisons a sort makes that looks for runs.
std::size_t comparisons(std::vector<std::uint32_t> const& numbers) {
  return test::comparisons(test::tuned(test::sort_tuning<32, 1, 32, 1, 0, 0, 1>{}), numbers);
}

// Answers true at random, so that blocks that look at the same items see another order.
std::size_t num_answers = 0;
struct by_chance {
  __device__ bool operator()(std::uint32_t, std::uint32_t) const {
    return ++num_answers * 0x9E3779B97F4A7C15u >> 32 < (std::uint64_t{1} << 32) / 140;
  }
};

}  // namespace

// By such a comparator nothing is read that was never written: scratch memory is full of numbers.
BOOST_AUTO_TEST_CASE(comparator_of_chance) {
  constexpr std::size_t count = 132000;
  auto const policy = test::tuned(test::sort_tuning<256, 15, 256, 15, 0, 1000, 1>{});
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  test::buffer<std::uint32_t> keys(numbers);
  std::size_t bytes = 0;
  mgpu::stable_sort(policy.query_scratch(bytes), keys.begin(), keys.end(), by_chance{});
  for (int round = 0; round < 8; ++round) {
    test::buffer<unsigned char> scratch(std::vector<unsigned char>(bytes, 1));
    keys.set(numbers);
    BOOST_CHECK_NO_THROW(
        mgpu::stable_sort(policy.with_scratch(scratch.begin(), bytes), keys.begin(), keys.end(), by_chance{}));
  }
}

// Input in order, or in the reverse order, is looked at but not sorted; four runs are merged once.
BOOST_AUTO_TEST_CASE(comparisons_are_few) {
  constexpr std::size_t count = 3000;
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  BOOST_TEST(comparisons(numbers) == count - 1);
  BOOST_TEST(comparisons(test::reversed(numbers)) == count - 1);
  BOOST_TEST(comparisons(test::made_of_runs<std::uint32_t>({700, 800, 1, 1499}, 1)) < 8 * count);
  BOOST_TEST(comparisons(test::random_keys<std::uint32_t>(count, test::key_bound, 3)) > 12 * count);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
