// The merge works over no, one and many tiles, whose shares of the inputs a kernel finds, or each block itself.
#include <backend/merges.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(merge, *boost::unit_test::precondition(test::can_run{}))

namespace {

using selector = test::merge_tuning<32, 3>;
using one_launch = test::merge_tuning<32, 3, 1 << 20>;

template <class Key, class Value>
using merge_case = test::merge_case<Key, Value, test::ascending>;

// Calls check(a_count, b_count) for lengths around the edges of tiles, in all combinations, and far apart.
template <class Check>
void for_lengths(Check check) {
  constexpr std::size_t tile = selector::tile_items;
  std::vector<std::size_t> const lengths{0, 1, tile - 1, tile, tile + 1, 5 * tile + 7};
  for (std::size_t const a_count : lengths) {
    for (std::size_t const b_count : lengths) check(a_count, b_count);
  }
  check(std::size_t{1}, 40 * tile);
  check(40 * tile, std::size_t{1});
}

template <class Key, class Value>
void check_lengths() {
  for_lengths([](std::size_t a_count, std::size_t b_count) {
    BOOST_TEST_CONTEXT(a_count << " and " << b_count << " items of " << sizeof(Key) << " + " << sizeof(Value)
                               << " B") {
      auto const seed = static_cast<std::uint32_t>(a_count * 1000 + b_count);
      for (std::uint32_t const num_distinct : {test::key_bound, 4u}) {
        merge_case<Key, Value> const merge(a_count, b_count, num_distinct, seed, {});
        test::check_merge(selector{}, merge);
        test::check_merge(one_launch{}, merge);
      }
    }
  });
}

template <class Key, class Value>
void check_fancy_lengths() {
  for_lengths([](std::size_t a_count, std::size_t b_count) {
    BOOST_TEST_CONTEXT(a_count << " and " << b_count << " items of " << sizeof(Key) << " + " << sizeof(Value)
                               << " B") {
      merge_case<Key, Value> const merge(a_count, b_count, 10, 1, {});
      test::check_fancy_merge(selector{}, merge);
      test::check_fancy_merge(one_launch{}, merge);
    }
  });
}

template <class Key, class Value>
merge_case<Key, Value> drawn_case(std::uint32_t seed) {
  return {seed * 7919 % 500, seed * 104729 % 500, 1 + seed % 9, seed, {}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_items) { check_lengths<std::uint32_t, std::uint32_t>(); }
BOOST_AUTO_TEST_CASE(keys_of_16_bytes) { check_lengths<test::item<16, 8>, std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(large_values) { check_lengths<std::uint16_t, test::item<200, 8>>(); }

// Large keys are merged by index.
BOOST_AUTO_TEST_CASE(large_keys) { check_lengths<test::item<200, 4>, test::item<24, 8>>(); }

BOOST_AUTO_TEST_CASE(fancy) {
  check_fancy_lengths<std::uint64_t, std::uint16_t>();
  check_fancy_lengths<test::item<40, 8>, test::item<33>>();
}

BOOST_AUTO_TEST_CASE(descending) {
  test::check_merge(selector{},
                    test::merge_case<std::uint32_t, std::uint32_t, test::descending>(700, 333, 20, 1, {}));
}

// One run lies wholly before the other, or all keys are equal.
BOOST_AUTO_TEST_CASE(one_run_before_the_other) {
  for (bool const a_is_low : {false, true}) {
    merge_case<std::uint32_t, std::uint32_t> merge(300, 300, 1, 1, {});
    for (auto& key : a_is_low ? merge.b : merge.a) key = 7;
    merge.keys.assign(600, 7);
    std::fill_n(merge.keys.begin(), 300, 0u);
    merge.values = a_is_low ? merge.a_values : merge.b_values;
    auto const& rest = a_is_low ? merge.b_values : merge.a_values;
    merge.values.insert(merge.values.end(), rest.begin(), rest.end());
    test::check_merge(selector{}, merge);
  }
  test::check_merge(selector{}, merge_case<std::uint32_t, std::uint32_t>(300, 300, 1, 1, {}));
}

BOOST_AUTO_TEST_CASE(tunings_agree) {
  merge_case<std::uint32_t, std::uint16_t> const merge(9000, 5001, 50, 1, {});
  test::check_merge(test::merge_tuning<32, 1>{}, merge);
  test::check_merge(test::merge_tuning<128, 4>{}, merge);
  test::check_merge(test::merge_tuning<32, 1, 14001>{}, merge);
  test::check_merge(test::merge_tuning<128, 4, 28>{}, merge);  // it has 28 tiles
  test::check_merge(test::merge_tuning<128, 4, 27>{}, merge);
  test::buffer<std::uint32_t> a(merge.a), b(merge.b), keys(merge.keys.size());
  mgpu::merge(test::policy, a.begin(), a.end(), b.begin(), b.end(), keys.begin());
  BOOST_TEST(test::same_bytes(keys.get(), merge.keys));
}

BOOST_AUTO_TEST_CASE(under_any_schedule) {
  test::for_each_schedule(1000, [](std::uint32_t seed) {
    auto const merge = drawn_case<std::uint32_t, std::uint32_t>(seed);
    test::check_merge(selector{}, merge);
    test::check_merge(one_launch{}, merge);
  });
}

BOOST_AUTO_TEST_CASE(large_items_under_any_schedule) {
  test::for_each_schedule(200, [](std::uint32_t seed) {
    test::check_merge(selector{}, drawn_case<test::item<40, 4>, test::item<24, 8>>(seed));
  });
}

BOOST_AUTO_TEST_SUITE_END()
