// The two-level sample sort sorts as std::stable_sort does: sizes at every edge, types, keys that come often, parts
// that are larger than a group, and natural runs.
#include <backend/radix_sorts.h>
#include <backend/sorts.h>
#include <backend/two_level_sample_sort/two_level.h>
#include <support/device.h>
#include <support/items.h>
#include <support/schedules.h>
#include <mgpu/detail/backend/two_level_sample_sort/state.h>
#include <mgpu/detail/core/compares_quickly.h>
#include <mgpu/detail/core/sample_index.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <mgpu/tuning.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(two_level_sample_sort, *boost::unit_test::precondition(test::can_run{}))

namespace {

using usual = test::two_level_tuning<64, 4, 64, 9, 3>;           // 64 parts, groups of 576
using small_groups = test::two_level_tuning<64, 4, 32, 1, 4>;    // many parts have more than the 32 items of a group
using few_buckets = test::two_level_tuning<64, 4, 32, 4, 3, 1>;  // one bit up to 128 items, two up to 512
using small_tiles = test::two_level_tuning<32, 1, 32, 9, 2>;     // more tiles than a block has threads

using test_case = test::sort_case<std::uint32_t, std::uint16_t, test::ascending>;

template <class Tuning>
void check_keys(Tuning tuning, std::vector<std::uint32_t> const& keys) {
  test::check_in_place(tuning, test_case(keys, {}));
}

template <class Tuning>
void check_sizes() {
  std::size_t const tile = Tuning::tile_items, group = Tuning::group_items;
  for (std::size_t const count : {std::size_t{2}, std::size_t{3}, tile - 1, tile, tile + 1, group - 1, group,
                                  group + 1, 3 * tile + 17, Tuning::max_items - 1, Tuning::max_items}) {
    if (count < 2 || count > Tuning::max_items) continue;
    BOOST_TEST_CONTEXT(count << " items") {
      check_keys(Tuning{}, test::random_keys<std::uint32_t>(count, test::key_bound, 1));
    }
  }
}

// Keys whose numbers are f(i) for random i.
template <class F>
void check_numbers(std::size_t count, F f) {
  std::mt19937 random(7);
  std::vector<std::uint32_t> keys(count);
  for (std::uint32_t& key : keys) key = f(static_cast<std::uint32_t>(random()));
  check_keys(usual{}, keys);
  check_keys(small_groups{}, keys);
  keys.resize(small_tiles::max_items);
  check_keys(small_tiles{}, keys);
}

// By no order at all: of three keys each is less than another one.
struct in_a_circle {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return (a + 1) % 3 == b % 3; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(sizes) { check_sizes<usual>(); }
BOOST_AUTO_TEST_CASE(sizes_with_large_parts) { check_sizes<small_groups>(); }
BOOST_AUTO_TEST_CASE(sizes_of_many_tiles) { check_sizes<small_tiles>(); }
BOOST_AUTO_TEST_CASE(sizes_of_few_buckets) { check_sizes<few_buckets>(); }

// There are as many buckets as give a part a fourth of a group or less.
BOOST_AUTO_TEST_CASE(few_items_have_few_buckets) {
  constexpr mgpu::two_level_sample_sort_tuning tuning = few_buckets::at(90);
  static_assert(tuning.bucket_bits_for(2) == 1 && tuning.bucket_bits_for(128) == 1);
  static_assert(tuning.bucket_bits_for(129) == 2 && tuning.bucket_bits_for(512) == 2);
  static_assert(tuning.bucket_bits_for(513) == 3 && tuning.bucket_bits_for(1 << 20) == 3);
  static_assert(!mgpu::two_level_sample_sort_tuning{{64, 4, 1}, {64, 9, 1}, 2, 3, 0}.is_valid());
  static_assert(!mgpu::two_level_sample_sort_tuning{{64, 4, 1}, {64, 9, 1}, 2, 3, 1, 0}.is_valid());
  static_assert(mgpu::two_level_sample_sort_tuning{{64, 4, 1}, {64, 9, 1}, 2, 3}.bucket_bits_for(2) == 3);
  for (std::size_t const count : {127, 128, 129, 511, 512, 513}) {
    for (std::uint32_t const distinct : {2u, 16u, 100'000u}) {
      BOOST_TEST_CONTEXT(count << " items, " << distinct << " keys") {
        std::vector<std::uint32_t> keys = test::random_keys<std::uint32_t>(count, test::key_bound, 1);
        for (std::uint32_t& key : keys) key %= distinct;
        check_keys(few_buckets{}, keys);
      }
    }
  }
  // Far fewer buckets than bins, so that a row for each bin would be more than all of the memory.
  for (std::size_t const count : {100, 2000}) {
    check_keys(test::two_level_tuning<64, 4, 32, 4, 8, 1>{},
               test::random_keys<std::uint32_t>(count, test::key_bound, 2));
  }
}

BOOST_AUTO_TEST_CASE(sizes_are_within_the_tunings) {
  BOOST_TEST(usual::max_items > 3 * usual::group_items);
  BOOST_TEST(small_tiles::max_items > 2 * 32 * small_tiles::tile_items);
  static_assert(
      !mgpu::two_level_sample_sort_tuning{{1024, 64, 1}, {512, 17, 1}, 2}.is_valid());  // counts are too large
}

// From how many items on items are sorted so, on which GPUs, where comparing may wait for memory.
template <int key_bytes, int value_bytes>
constexpr mgpu::two_level_sample_sort_tuning latency_tuning(int arch) {
  return mgpu::detail::two_level_sample_sort_latency_tuning<key_bytes, value_bytes>::at(arch);
}
static_assert(latency_tuning<4, 0>(90).min_items == 3 << 18 && latency_tuning<8, 0>(100).min_items == 3 << 18);
static_assert(latency_tuning<4, 4>(90).min_items == 3 << 18 && latency_tuning<8, 8>(90).min_items == 1 << 21);
static_assert(latency_tuning<9, 0>(90).min_items == 3 << 19 && latency_tuning<16, 0>(90).min_items == 3 << 19);
static_assert(latency_tuning<4, 0>(80).min_items > std::int64_t{1} << 60);
static_assert(latency_tuning<16, 0>(120).min_items > std::int64_t{1} << 60);

template <class Key, class Value>
struct types_of {
  using key = Key;
  using value = Value;
};
using item_types =
    std::tuple<types_of<std::uint8_t, test::item<12, 4>>, types_of<std::uint64_t, std::uint8_t>,
               types_of<test::item<11, 1>, test::item<16, 16>>, types_of<std::uint16_t, test::item<40, 8>>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types, Types, item_types) {
  using Key = typename Types::key;
  test::check_in_place(usual{}, test::sort_case<Key, typename Types::value, test::ascending>(3001, 200, 2, {}));
}

BOOST_AUTO_TEST_CASE(few_distinct_keys) {
  for (std::uint32_t const distinct : {1u, 2u, 3u, 16u, 100u}) {
    BOOST_TEST_CONTEXT(distinct << " keys") {
      check_numbers(3000, [&](std::uint32_t i) { return i % distinct * 5; });
    }
  }
}

// One key comes in half of the items: first, in the middle, and last in order.
BOOST_AUTO_TEST_CASE(one_key_comes_often) {
  for (std::uint32_t const key : {0u, 500u, 1001u}) {
    check_numbers(3000, [&](std::uint32_t i) { return i % 2 == 0 ? key : 1 + i / 2 % 1000; });
  }
}

BOOST_AUTO_TEST_CASE(uneven_keys) {
  check_numbers(3500, [](std::uint32_t i) { return 1u << i % 16 | (i >> 8 & ((1u << i % 16) - 1)); });
  check_numbers(3500, [](std::uint32_t i) { return i / 3 & i / 7 & 0xffff; });
}

// A key that comes more often than a part has room for lies across the splitter of a bucket, so that it is all of a
// first part, or shares one.
BOOST_AUTO_TEST_CASE(often_beside_splitters) {
  for (std::uint32_t const before : {700u, 790u, 800u, 860u}) {
    std::vector<std::uint32_t> keys(3200);
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
      std::uint32_t const at = i * 1237u % 3200u;  // each once
      keys[i] = at < before ? at : at < before + 150 ? before : at;
    }
    check_keys(small_groups{}, keys);
  }
}

// Many keys are less than all of the sample, so that no splitter begins the first part.
BOOST_AUTO_TEST_CASE(keys_before_the_sample) {
  namespace detail = mgpu::detail;
  std::vector<std::uint32_t> keys(3200);
  for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = i % 8 == 0 ? i % 5 : 5;
  detail::two_level_sample_sort_state const state(small_groups::at(90), static_cast<std::int64_t>(keys.size()));
  for (std::uint32_t i = 0; i < state.num_samples(); ++i) keys[detail::index_of_sample(i, state.sample_share)] = 5;
  check_keys(small_groups{}, keys);
}

// A step of the kernel that adds up what tiles have takes 2,048 of them.
BOOST_AUTO_TEST_CASE(thousands_of_tiles) {
  using tuning = test::two_level_tuning<32, 1, 256, 2, 4>;
  check_keys(tuning{}, test::random_keys<std::uint32_t>(72'000, test::key_bound, 9));
}

// The sample has so many keys that it is merged, too, but not where there are natural runs.
BOOST_AUTO_TEST_CASE(a_sample_of_several_tiles) {
  using tuning = test::two_level_tuning<64, 4, 64, 9, 8>;
  check_keys(tuning{}, test::random_keys<std::uint32_t>(3000, test::key_bound, 9));
  std::vector<std::uint32_t> keys(3000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint32_t>(i % 750);
  check_keys(tuning{}, keys);
}

// Splitters of so many bytes make up the largest tree.
BOOST_AUTO_TEST_CASE(long_splitters) {
  using tuning = test::two_level_tuning<64, 4, 64, 9, 8>;
  test::check_in_place(
      tuning{}, test::sort_case<test::item<16, 16>, std::uint8_t, test::ascending>(3000, test::key_bound, 9, {}));
  test::check_in_place(
      tuning{}, test::sort_case<test::item<11, 1>, std::uint8_t, test::ascending>(3000, test::key_bound, 9, {}));
}

// Comparisons that may wait for memory sort the sample in another way, which is merged by passes of two runs.
struct ascending_by_pointer {
  void const* anything;
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a < b; }
};
BOOST_AUTO_TEST_CASE(a_comparator_with_a_pointer) {
  static_assert(mgpu::detail::may_follow_pointers<std::uint32_t, ascending_by_pointer>);
  using by_pointer = test::sort_case<std::uint32_t, std::uint16_t, ascending_by_pointer>;
  using tuning = test::two_level_tuning<64, 4, 64, 9, 7>;  // there are 16,384 samples, or one of each item
  for (std::uint32_t const period : {7u, 750u, 3001u, 1u << 31}) {
    std::vector<std::uint32_t> keys(3001);
    for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = (period > 3001 ? i * 2654435761u : i) % period;
    test::check_in_place(tuning{}, by_pointer(keys, {}));
    test::check_in_place(usual{}, by_pointer(test::reversed(keys), {}));
  }
}

// Few runs are merged as they are; in order there is nothing to do, and what is reversed is turned around.
BOOST_AUTO_TEST_CASE(natural_runs) {
  for (std::size_t const runs : {1, 2, 4, 5, 16, 17, 64, 65, 300}) {
    std::vector<std::uint32_t> keys(3000);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      std::size_t const length = keys.size() / runs;
      keys[i] = static_cast<std::uint32_t>(i % length * 7 + i / length % 7);
    }
    BOOST_TEST_CONTEXT(runs << " runs") {
      check_keys(usual{}, keys);
      check_keys(usual{}, test::reversed(keys));
    }
  }
}

// Some strangers stand in what is in order otherwise, so that pieces are long.
BOOST_AUTO_TEST_CASE(nearly_in_order) {
  std::mt19937 random(3);
  std::vector<std::uint32_t> keys(3500);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = static_cast<std::uint32_t>(random() % 50 == 0 ? random() % 3500 : i);
  }
  check_keys(usual{}, keys);
  check_keys(small_groups{}, std::vector<std::uint32_t>(keys.begin(), keys.begin() + 2000));
  check_keys(test::two_level_tuning<64, 40, 64, 9, 3>{}, keys);
}

BOOST_AUTO_TEST_CASE(to_other_memory) {
  for (std::uint32_t const distinct : {3u, 2000u}) test::check_copy(usual{}, test_case(2500, distinct, 8, {}));
  std::vector<std::uint32_t> keys(2500);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint32_t>(i);
  test::check_copy(usual{}, test_case(keys, {}));
}

// The input need not be memory.
BOOST_AUTO_TEST_CASE(fancy_input) {
  test_case const sort(2500, 1000, 6, {});
  test::buffer<std::uint32_t> keys(test::reversed(sort.keys)), keys_out(sort.keys.size());
  test::buffer<std::uint16_t> values(test::reversed(sort.values)), values_out(sort.keys.size());
  auto const first = test::backwards_read_only(keys);
  mgpu::stable_sort_by_key_copy(test::tuned(usual{}), first, first + 2500, test::backwards_read_only(values),
                                keys_out.begin(), values_out.begin(), test::ascending{});
  BOOST_TEST(test::same_bytes(keys_out.get(), sort.sorted_keys));
  BOOST_TEST(test::same_bytes(values_out.get(), sort.sorted_values));

  test::check_fancy(usual{}, sort);  // an output that is no memory is sorted by merging
}

// By a comparator that is no order the result may be any, but nothing outside of it is touched.
BOOST_AUTO_TEST_CASE(no_order) {
  for (std::size_t const count : {std::size_t{100}, std::size_t{3000}}) {
    auto const keys = test::radix_keys<std::uint32_t>(count, 5);
    test::buffer<std::uint32_t> sorted(keys);
    mgpu::sort(test::tuned(usual{}), sorted.begin(), sorted.end(), in_a_circle{});
    mgpu::sort(test::tuned(small_groups{}), sorted.begin(), sorted.begin() + std::min<std::size_t>(count, 2000),
               in_a_circle{});
    BOOST_TEST(sorted.get().size() == count);
  }
}

// Answers that change from call to call are no order either, whatever the schedule.
struct changing {
  std::uint32_t* calls;
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t const call = (*calls)++;  // several threads may get one number, which makes no difference
    return ((a ^ b * 77u) + call * 0x9e3779b1u) >> 31 != 0;
  }
};
BOOST_AUTO_TEST_CASE(changing_answers) {
  test::for_each_schedule(60, [](std::uint32_t seed) {
    using tuning = test::two_level_tuning<32, 4, 32, 3, 2>;
    test::buffer<std::uint32_t> calls(std::vector<std::uint32_t>{seed});
    auto const keys = test::radix_keys<std::uint32_t>(2 + seed * 97 % (tuning::max_items - 1), seed);
    test::buffer<std::uint32_t> sorted(keys);
    mgpu::sort(test::tuned(tuning{}), sorted.begin(), sorted.end(), changing{calls.begin()});
    BOOST_TEST(sorted.get().size() == keys.size());
  });
}

// Fewer or more items than the tuning is for are merge sorted.
BOOST_AUTO_TEST_CASE(other_sizes) {
  for (std::size_t const count : {std::size_t{0}, std::size_t{1}, small_groups::max_items + 1}) {
    check_keys(small_groups{}, test::random_keys<std::uint32_t>(count, test::key_bound, 1));
  }
}

BOOST_AUTO_TEST_SUITE_END()
