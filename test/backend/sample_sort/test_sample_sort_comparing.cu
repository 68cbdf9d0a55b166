// A sample sort by a comparator compares keys in both of its launches.
#include <backend/radix_sorts.h>
#include <support/device.h>
#include <support/items.h>
#include <mgpu/detail/backend/merge_sort/tuning.h>
#include <mgpu/detail/backend/sample_sort/sample_sort.cuh>
#include <mgpu/sort.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(sample_sort_comparing, *boost::unit_test::precondition(test::can_run{}))

namespace {

using small = test::sample_tuning<64, 4, 4, 5, 64, 6, 64>;      // buckets have room for six times their mean
using few = test::sample_tuning<64, 4, 2, 5, 64, 6, 64, 16>;    // as many as multiprocessors, if a fourth as large
using overfull = test::sample_tuning<64, 4, 1, 3, 32, 2, 300>;  // buckets are larger than a block sorts at a time

using test::by_low_digits;

struct by_less {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a < b; }
};
struct by_greater {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a > b; }
};

// Sorts in place by a tuning, with values if Values has any.
template <class Tuning, class Keys, class Values, class Comp>
void sort(Keys keys, Values values, std::size_t count, Comp const& comp) {
  namespace detail = mgpu::detail;
  auto const problem = detail::sort_in_place(keys, values, values, static_cast<std::int64_t>(count));
  detail::run_on_device("sample_sort", mgpu::par, problem.num_items, [&](detail::device_call& call) {
    bool const is_sorted = detail::sample_sort<Tuning, detail::sample_sort_by_comparing>(call, problem, comp);
    BOOST_TEST(is_sorted);
  });
}

template <class Tuning, class Key, class Comp>
void check(std::vector<Key> const& keys, Comp const& comp) {
  auto const order = test::stable_order<Key>(keys, comp);
  auto const values = test::numbered<std::uint32_t>(keys.size());
  test::buffer<Key> sorted(keys);
  sort<Tuning>(sorted.begin(), mgpu::detail::no_values{}, keys.size(), comp);
  BOOST_TEST(test::same_bytes(sorted.get(), test::permuted(keys, order)));

  test::buffer<Key> sorted_keys(keys);
  test::buffer<std::uint32_t> sorted_values(values);
  sort<Tuning>(sorted_keys.begin(), sorted_values.begin(), keys.size(), comp);
  BOOST_TEST(test::same_bytes(sorted_keys.get(), test::permuted(keys, order)));
  BOOST_TEST(test::same_bytes(sorted_values.get(), test::permuted(values, order)));
}

template <class Tuning>
void check_sizes() {
  std::size_t const tile = Tuning::tile_items;
  for (std::size_t const count : {std::size_t{1}, std::size_t{2}, std::size_t{63}, std::size_t{64}, std::size_t{65},
                                  tile - 1, tile, tile + 1, 3 * tile + 17, Tuning::max_items}) {
    auto const keys = test::radix_keys<std::uint32_t>(count, static_cast<std::uint32_t>(count));
    check<Tuning>(keys, by_low_digits{});
    check<Tuning>(keys, by_greater{});
  }
}

// By no order at all: of three keys each is less than another one.
struct in_a_circle {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return (a + 1) % 3 == b % 3; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_of_usual_shares) { check_sizes<small>(); }
BOOST_AUTO_TEST_CASE(sizes_of_few_buckets) { check_sizes<few>(); }
BOOST_AUTO_TEST_CASE(sizes_of_overfull_buckets) { check_sizes<overfull>(); }

using key_types = std::tuple<std::uint8_t, std::int64_t>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types, Key, key_types) {
  check<small>(test::radix_keys<Key>(1900, 2), by_low_digits{});
  check<overfull>(test::radix_keys<Key>(1900, 3), by_low_digits{});
}

BOOST_AUTO_TEST_CASE(distributions) {
  auto const check_changed = [](auto change) {
    std::vector<std::uint32_t> keys(2000);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = change(static_cast<std::uint32_t>(i));
    check<small>(keys, by_less{});
    check<overfull>(keys, by_less{});
  };
  check_changed([](std::uint32_t) { return 5u; });
  check_changed([](std::uint32_t i) { return i; });
  check_changed([](std::uint32_t i) { return 100'000u - i; });
  check_changed([](std::uint32_t i) { return i / 7 % 16; });
}

// Nothing is lost or doubled by this comparator, though by it keys have no order.
BOOST_AUTO_TEST_CASE(no_order) {
  auto keys = test::radix_keys<std::uint32_t>(2000, 5);
  for (int times = 0; times < 2; ++times) {
    test::buffer<std::uint32_t> sorted(keys);
    if (times == 0) sort<small>(sorted.begin(), mgpu::detail::no_values{}, keys.size(), in_a_circle{});
    if (times == 1) sort<overfull>(sorted.begin(), mgpu::detail::no_values{}, keys.size(), in_a_circle{});
    auto result = sorted.get();
    std::sort(result.begin(), result.end());
    auto expected = keys;
    std::sort(expected.begin(), expected.end());
    BOOST_TEST(test::same_bytes(result, expected));
  }
}

// Sorts keys with values of the same type by the library's own tuning.
template <class Key>
void check_usual_tuning(std::size_t count) {
  auto const keys = test::radix_keys<Key>(count, 1);
  auto const order = test::stable_order<Key>(keys, by_low_digits{});
  auto const values = test::numbered<Key>(keys.size());
  test::buffer<Key> sorted_keys(keys);
  test::buffer<Key> sorted_values(values);
  mgpu::stable_sort_by_key(mgpu::par, sorted_keys.begin(), sorted_keys.end(), sorted_values.begin(), by_low_digits{});
  BOOST_TEST(test::same_bytes(sorted_keys.get(), test::permuted(keys, order)));
  BOOST_TEST(test::same_bytes(sorted_values.get(), test::permuted(values, order)));
}

// The tunings are given about as few items as they are chosen for.
BOOST_AUTO_TEST_CASE(usual_tunings) {
  namespace detail = mgpu::detail;
  constexpr detail::sample_sort_tuning some = detail::sample_sort_comparing_tuning<8>::at(90);
  constexpr detail::sample_sort_tuning many = detail::sample_sort_many_comparing_tuning<8>::at(90);
  static_assert(many.min_items == some.max_items + 1 && many.can_sort(many.min_items) &&
                many.can_sort(many.max_items));
  check_usual_tuning<std::uint32_t>(static_cast<std::size_t>(some.min_items) + 5000);
  check_usual_tuning<std::uint32_t>(static_cast<std::size_t>(many.min_items));
}

// Buckets that would not run at the same time are not doubled where twice the samples do.
BOOST_AUTO_TEST_CASE(twice_the_samples) {
  namespace detail = mgpu::detail;
  auto const check_shares = [](auto tuning, std::int64_t items, std::uint32_t buckets, std::uint32_t samples,
                               int multiprocessors = 132) {
    detail::sample_sort_shares const shares(tuning.at(90), items, multiprocessors);
    BOOST_TEST(shares.num_buckets == buckets, items << " items");
    BOOST_TEST(shares.samples_of_bucket == samples, items << " items");
    BOOST_TEST(shares.num_samples == buckets * samples);
  };
  check_shares(detail::sample_sort_many_comparing_tuning<8>{}, 3 << 17, 128, 8);
  check_shares(detail::sample_sort_many_comparing_tuning<8>{}, (3 << 17) + 1, 128, 16);
  check_shares(detail::sample_sort_many_comparing_tuning<8>{}, 1 << 19, 128, 16);
  check_shares(detail::sample_sort_many_comparing_tuning<8>{}, (1 << 19) + 1, 256, 8);
  check_shares(detail::sample_sort_comparing_tuning<8>{}, 150'000, 256, 8);  // which all run at the same time
  check_shares(detail::sample_sort_comparing_tuning<8>{}, 150'000, 256, 8, 128);
  check_shares(detail::sample_sort_comparing_tuning<8>{}, 150'000, 128, 16, 127);
  std::size_t const mean = 16 * 64;  // of the most buckets for which there are twice the samples
  for (std::size_t const count : {mean, mean + 1, mean * 4 / 3, mean * 4 / 3 + 1}) {
    check<small>(test::radix_keys<std::uint32_t>(count, 4), by_less{});
  }
}

// Items of more than 8 bytes, as few and as many as each of their tunings is chosen for.
BOOST_AUTO_TEST_CASE(usual_tunings_of_large_items) {
  using item = test::item<16, 8>;
  namespace detail = mgpu::detail;
  constexpr auto tile = static_cast<std::size_t>(detail::merge_sort_one_tile_tuning<16>::max_items(90));
  constexpr detail::sample_sort_tuning some = detail::sample_sort_comparing_tuning<16>::at(90);
  constexpr detail::sample_sort_tuning many = detail::sample_sort_many_comparing_tuning<16>::at(90);
  static_assert(some.min_items == tile + 1 && some.can_sort(some.min_items) && some.can_sort(some.max_items));
  static_assert(many.min_items == some.max_items + 1 && many.can_sort(many.min_items) &&
                many.can_sort(many.max_items));
  auto const size = [](std::int64_t count) { return static_cast<std::size_t>(count); };
  for (std::size_t const count : {std::size_t{1}, tile, tile + 1, size(some.max_items), size(many.min_items)}) {
    auto const keys = test::keys<item>(test::pattern::random, count);
    auto const order = test::stable_order<item>(keys, test::by_key{});
    test::buffer<item> sorted(keys);
    mgpu::stable_sort(mgpu::par, sorted.begin(), sorted.end(), test::by_key{});
    BOOST_TEST(test::same_bytes(sorted.get(), test::permuted(keys, order)), count << " keys");
  }
  check_usual_tuning<std::uint64_t>(tile + 5000);
}

BOOST_AUTO_TEST_SUITE_END()
