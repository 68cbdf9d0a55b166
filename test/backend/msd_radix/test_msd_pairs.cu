// The sort of keys with values by the highest digits is stable, whatever it is given: where no bucket is larger than a
// block sorts, by two passes and a block for each bucket, and else by all passes.
#include <backend/msd_radix/msd_pairs_sorts.h>
#include <support/doubling_of_pairs.h>
#include <support/schedules.h>
#include <mgpu/sort.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(msd_pairs, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace detail = mgpu::detail;
using test::msd_way;
using small = test::small_pairs;
// An index may have more bits than a bucket's tile has room for, or fewer.
using small_tiles = test::pairs_tuning<3, 4, 32, 2>;
using bytes = test::pairs_tuning<4, 8, 64, 4, 6>;                        // the passes' usual digits
using doubling = test::doubling<test::pairs_tuning<3, 4, 32, 2, 4, 2>>;  // to as many pairs as an index has values
static_assert(doubling::at(90).max_items(false) == 128 * 56 && doubling::at(90).max_items() == 128 * 112);

// A tuning for keys alone that doubles buckets does not double those of pairs.
using doubling_of_pairs = test::doubling_of_pairs<test::pairs_tuning<2, 8, 32, 2, 4, 2>>;
static_assert(!detail::msd_tuning_of_pairs<doubling>::at(90).doubles_buckets);
constexpr detail::msd_radix_tuning by_caller = detail::msd_tuning_of_pairs<doubling_of_pairs>::at(90);
static_assert(by_caller.doubles_buckets && by_caller.is_valid());
constexpr auto most_in_usual_buckets = static_cast<std::size_t>(by_caller.max_items(false));

template <class Key>
using in_place = decltype(detail::sort_in_place(static_cast<Key*>(nullptr), static_cast<std::uint32_t*>(nullptr),
                                                static_cast<std::uint32_t*>(nullptr), std::int64_t{}));
static_assert(detail::can_be_partitioned_with_values<in_place<test::wide_key>>);
static_assert(!detail::can_be_partitioned_with_values<in_place<test::twofold_key>>);

template <class Tuning, class Value = std::uint32_t, class Key>
void check(std::vector<Key> const& keys, msd_way expected) {
  test::check_pairs_sort<Tuning, false, Value>(keys, expected);
}
template <class Tuning, class Value = std::uint32_t, class Key>
void check_descending(std::vector<Key> const& keys, msd_way expected) {
  test::check_pairs_sort<Tuning, true, Value>(keys, expected);
}
// The direction is in how bits are made of a key alone, so each tuning and kind of key need not be sorted both ways.
template <class Tuning, class Value = std::uint32_t, class Key>
void check_both_ways(std::vector<Key> const& keys, msd_way expected) {
  check<Tuning, Value>(keys, expected);
  check_descending<Tuning, Value>(keys, expected);
}

template <class Key>
std::vector<Key> uniform(std::size_t count, std::uint32_t seed = 1) {
  return test::radix_keys<Key>(count, 3 * seed + 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes) {
  for (std::size_t const count : {1, 2, 31, 32, 33, 191, 192, 193}) {
    for (auto const pattern : test::all_patterns) {
      check_both_ways<small>(test::keys<std::uint32_t>(pattern, count), msd_way::any);
    }
  }
}

BOOST_AUTO_TEST_CASE(sizes_around_tiles) {
  for (std::size_t const count : {255, 256, 257, 575, 576, 577, 1000, 2047, 3000}) {
    check<small>(uniform<std::uint32_t>(count), count > 2000 ? msd_way::any : msd_way::highest_first);
    check<bytes>(uniform<std::uint32_t>(2 * count), msd_way::highest_first);
    check_descending<small_tiles>(uniform<std::uint32_t>(count), msd_way::any);
  }
  check<bytes>(uniform<std::uint32_t>(20'000), msd_way::highest_first);
}

using key_types = std::tuple<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types, Key, key_types) {
  constexpr bool descending = std::is_signed_v<Key>;
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    test::check_pairs_sort<small, descending>(test::radix_keys<Key>(2000, seed), msd_way::any);
  }
  test::check_pairs_sort<small, descending>(uniform<Key>(2000), msd_way::highest_first);
  check<bytes, std::uint64_t>(uniform<Key>(2000), msd_way::highest_first);
  if constexpr (!descending) check_descending<small, double>(uniform<Key>(1500), msd_way::highest_first);
}

// Both zeros are equal, and keep their order.
using float_types = std::tuple<float, double>;
BOOST_AUTO_TEST_CASE_TEMPLATE(floats, Key, float_types) {
  auto keys = uniform<Key>(2000);
  for (std::size_t i = 7; i < keys.size(); i += 97) keys[i] = i % 2 == 0 ? Key{0} : -Key{0};
  keys[3] = std::numeric_limits<Key>::quiet_NaN();
  keys[4] = -std::numeric_limits<Key>::infinity();
  check_both_ways<small>(keys, msd_way::highest_first);
  check<bytes, std::uint64_t>(keys, msd_way::highest_first);
}

// Keys with more to them than their bits are moved as they are.
BOOST_AUTO_TEST_CASE(keys_of_more_than_bits) {
  auto const random = uniform<std::uint64_t>(2000);
  std::vector<test::colour> colours;
  std::vector<test::wide_key> wide;
  for (std::uint64_t const one : random) {
    colours.push_back({static_cast<std::uint32_t>(one >> 40 << 8), static_cast<float>(one & 0xfff)});
    wide.push_back({one});
    if (one % 4 == 0) wide.back().bits ^= random[7] ^ (one & 0xff);
  }
  check<small>(colours, msd_way::highest_first);
  check_descending<bytes, std::uint64_t>(colours, msd_way::highest_first);
  check_descending<small, std::uint64_t>(wide, msd_way::any);
}

// Keys that share their highest bits are told apart by those below. Where a few do not share them, and are not among those
// that are looked at, all passes are made.
BOOST_AUTO_TEST_CASE(high_bits_alike) {
  auto keys = uniform<std::uint64_t>(2000);
  for (auto& key : keys) key = key >> 24 | std::uint64_t{0x50} << 56;
  check<small>(keys, msd_way::highest_first);
  check_descending<bytes>(keys, msd_way::highest_first);
  std::size_t const unseen = 2000 / 8 - 100;
  for (std::uint64_t const other : {std::uint64_t{7}, ~std::uint64_t{0}, std::uint64_t{0x51} << 56}) {
    auto with_other = keys;
    with_other[unseen] = other;
    check<small>(with_other, msd_way::other);
  }
}

namespace {

// Makes keys, of which each of these buckets of 128 gets so many, and all others share what is left. The bits below are
// given.
template <class Low>
std::vector<std::uint32_t> with_large_buckets(std::vector<std::uint32_t> const& buckets, std::size_t large, Low low,
                                              std::size_t count = 4000) {
  std::vector<std::uint32_t> keys;
  for (std::uint32_t const bucket : buckets) {
    for (std::size_t i = 0; i < large; ++i) keys.push_back(bucket << 25 | (low(i) & 0x1ffffff));
  }
  auto const random = uniform<std::uint32_t>(count);
  for (std::uint32_t next = 0; keys.size() < random.size(); next = (next + 1) % 128) {
    bool const is_large = std::find(buckets.begin(), buckets.end(), next) != buckets.end();
    if (!is_large) keys.push_back(next << 25 | random[keys.size()] >> 7);
  }
  std::shuffle(keys.begin(), keys.end(), std::mt19937(7));
  return keys;
}

}  // namespace

// A bucket has as many pairs as a block sorts, or as an index has values; or one more.
BOOST_AUTO_TEST_CASE(one_large_bucket) {
  auto const random = [](std::size_t i) { return static_cast<std::uint32_t>(i * 0x9E3779B9u); };
  for (std::uint32_t const bucket : {0u, 77u, 127u}) {
    for (std::size_t const large : {127, 128, 129, 1500}) {
      check<test::pairs_tuning<3, 4, 32, 6>>(with_large_buckets({bucket}, large, random),
                                             large <= 128 ? msd_way::highest_first : msd_way::other);
    }
    for (std::size_t const large : {63, 64, 65}) {
      check<small_tiles>(with_large_buckets({bucket}, large, random),
                         large <= 64 ? msd_way::highest_first : msd_way::other);
    }
  }
}

// A bucket may have more than a tile, or than an index has values, where the tuning says so: up to two such runs are merged.
// Many such buckets are left to the other way.
BOOST_AUTO_TEST_CASE(buckets_of_two_runs) {
  using by_tiles = test::pairs_tuning<3, 4, 32, 2, 4, 2>;
  using by_indices = test::pairs_tuning<3, 4, 64, 4, 4, 2>;
  auto const random = [](std::size_t i) { return static_cast<std::uint32_t>(i * 0x9E3779B9u); };
  auto const few = [](std::size_t i) { return static_cast<std::uint32_t>(i * 7 % 5 * 0x1000); };
  for (std::size_t const large : {64, 65, 127, 128, 129}) {
    auto const expected = large <= 128 ? msd_way::highest_first : msd_way::other;
    check<by_tiles>(with_large_buckets({0, 127}, large, random), expected);
    check_descending<by_tiles, std::uint64_t>(with_large_buckets({3, 5, 9, 77}, large, few), expected);
  }
  for (std::size_t const large : {128, 129, 255, 256, 257}) {
    check_descending<by_indices>(with_large_buckets({0, 127}, large, few),
                                 large <= 256 ? msd_way::highest_first : msd_way::other);
  }
  for (std::uint32_t const many : {8u, 9u}) {
    std::vector<std::uint32_t> buckets;
    for (std::uint32_t i = 0; i < many; ++i) buckets.push_back(7 * i);
    check<by_tiles>(with_large_buckets(buckets, 90, random), many == 8 ? msd_way::highest_first : msd_way::other);
  }
}

// Keys of a bucket that are not evenly spread, or are equal, are sorted another way within the block.
BOOST_AUTO_TEST_CASE(uneven_buckets) {
  using tuning = test::pairs_tuning<3, 4, 32, 6>;
  auto const two = [](std::size_t i) { return i % 2 == 0 ? 0x1ffffffu : 0; };
  auto const equal = [](std::size_t) { return 0x1234567u; };
  auto const few = [](std::size_t i) { return static_cast<std::uint32_t>(i * 7 % 5 == 0 ? 0x1ffffff : i % 3); };
  for (std::size_t const large : {97, 110, 127, 128}) {
    check<tuning>(with_large_buckets({0, 5, 127}, large, two), msd_way::highest_first);
    check<tuning>(with_large_buckets({0, 5, 127}, large, equal), msd_way::highest_first);
    check<tuning, std::uint64_t>(with_large_buckets({0, 5, 127}, large, few), msd_way::highest_first);
  }
}

// More pairs than buckets of the usual size hold are put into buckets of twice the size, of which none may be larger.
BOOST_AUTO_TEST_CASE(doubled_buckets) {
  check<doubling>(uniform<std::uint32_t>(7168), msd_way::any);  // by chance many have two runs
  for (std::size_t const count : {7169, 8000, 12'000}) {
    check_both_ways<doubling>(uniform<std::uint32_t>(count), msd_way::highest_first);
    check<doubling, std::uint64_t>(uniform<double>(count), msd_way::highest_first);
  }
  auto const random = [](std::size_t i) { return static_cast<std::uint32_t>(i * 0x9E3779B9u); };
  auto const few = [](std::size_t i) { return static_cast<std::uint32_t>(i * 7 % 5 == 0 ? 0x1ffffff : i % 3); };
  for (std::size_t const large : {64, 65, 127, 128, 129}) {
    auto const expected = large <= 128 ? msd_way::highest_first : msd_way::other;
    check<doubling>(with_large_buckets({0, 127}, large, random, 8000), expected);
    check_descending<doubling, std::uint64_t>(with_large_buckets({3, 5, 9, 77}, large, few, 8000), expected);
  }
}

BOOST_AUTO_TEST_CASE(much_alike) {
  for (auto const pattern : test::all_patterns) {
    check_both_ways<small>(test::keys<std::uint32_t>(pattern, 3000), msd_way::any);
  }
  check<small>(std::vector<std::uint32_t>(3000, 0x12345678u), msd_way::other);
  auto sorted = uniform<std::uint32_t>(3000);
  std::sort(sorted.begin(), sorted.end());
  check_both_ways<small>(sorted, msd_way::other);
}

namespace {

// Sorts both ways, the first in as much scratch memory as the call says it takes.
template <class Tuning>
void check_by_a_tuning(std::vector<std::size_t> const& counts) {
  for (std::size_t const count : counts) {
    auto const input = uniform<std::uint32_t>(count);
    std::vector<std::uint64_t> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = i;
    test::buffer<std::uint32_t> keys(input);
    test::buffer<std::uint64_t> values(numbers);
    std::size_t needed = 0;
    mgpu::sort_by_key(mgpu::par.with_tuning(Tuning{}).query_scratch(needed), keys.begin(), keys.end(),
                      values.begin());
    test::buffer<char> scratch(needed);
    mgpu::sort_by_key(mgpu::par.with_tuning(Tuning{}).with_scratch(scratch.begin(), needed), keys.begin(), keys.end(),
                      values.begin());
    auto const order = test::radix_order<false>(input);
    BOOST_TEST(test::same_bytes(keys.get(), test::permuted(input, order)));
    BOOST_TEST(test::same_bytes(values.get(), test::permuted(numbers, order)));
    mgpu::sort_by_key(mgpu::par.with_tuning(Tuning{}), keys.begin(), keys.end(), values.begin(), std::greater<>());
    auto const back = test::permuted(input, test::radix_order<true>(input));
    BOOST_TEST(test::same_bytes(keys.get(), back));
  }
}

}  // namespace

// A caller asks for it by a tuning, which may double buckets.
BOOST_AUTO_TEST_CASE(by_a_tuning) {
  check_by_a_tuning<bytes>({0, 1, 500, 3000});
  check_by_a_tuning<doubling_of_pairs>(
      {most_in_usual_buckets, most_in_usual_buckets + 1, 2 * most_in_usual_buckets, 2 * most_in_usual_buckets + 1});
}

namespace {

struct with_cells {
  __host__ __device__ static constexpr detail::msd_radix_tuning at(int arch) {
    detail::msd_radix_tuning numbers = bytes::at(arch);
    numbers.num_cells = 100;
    return numbers;
  }
};

}  // namespace

// A tuning may be meant for keys alone, too: pairs that are unevenly spread have no table of quantiles.
BOOST_AUTO_TEST_CASE(by_a_tuning_with_cells) {
  auto input = uniform<std::uint32_t>(2500);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = i % 3 == 0 ? input[i] : 0x40000000u | input[i] >> 9;
  std::vector<std::uint32_t> numbers(input.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i);
  test::buffer<std::uint32_t> keys(input), values(numbers);
  mgpu::sort_by_key(mgpu::par.with_tuning(with_cells{}), keys.begin(), keys.end(), values.begin());
  auto const order = test::radix_order<false>(input);
  BOOST_TEST(test::same_bytes(keys.get(), test::permuted(input, order)));
  BOOST_TEST(test::same_bytes(values.get(), test::permuted(numbers, order)));
}

BOOST_AUTO_TEST_CASE(schedules) {
  test::for_each_schedule(1000, [](std::uint32_t seed) {
    check<small>(test::radix_keys<std::uint32_t>(1 + seed * 7919 % 500, seed), msd_way::any);
  });
}

BOOST_AUTO_TEST_SUITE_END()
