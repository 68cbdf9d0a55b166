// The radix sort by the most significant digits sorts whatever it is given: by itself where no bucket is larger than a
// block sorts, and else in the other way that it was given, which then is the only one that does anything.
#include <backend/msd_radix/msd_radix_sorts.h>
#include <support/schedules.h>
#include <mgpu/sort.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(msd_radix, *boost::unit_test::precondition(test::can_run{}))

namespace {

namespace detail = mgpu::detail;
using test::msd_way;
using small = test::small_msd;
using uneven = test::msd_tuning<1, 5, 32, 6>;
using lone = test::msd_tuning<2, 1, 32, 6>;

template <class Tuning, bool descending, class Key>
void check(std::vector<Key> const& keys, msd_way expected) {
  test::check_msd_sort<Tuning, descending>(keys, expected);
}
// The direction is in how bits are made of a key alone, so each tuning and kind of key need not be sorted both ways.
template <class Tuning, class Key>
void check_both_ways(std::vector<Key> const& keys, msd_way expected) {
  check<Tuning, false>(keys, expected);
  check<Tuning, true>(keys, expected);
}

template <class Key>
std::vector<Key> uniform(std::size_t count, std::uint32_t seed = 1) {
  return test::radix_keys<Key>(count, 3 * seed + 1);
}

// Returns keys of which few are spread within their bucket.
std::vector<std::uint32_t> unevenly_spread(std::size_t count) {
  auto keys = uniform<std::uint32_t>(count);
  for (std::size_t i = 0; i < count; ++i) {
    keys[i] = (keys[i] & 0xfc000000u) | (i % 9 == 0 ? 0x3ffffffu : keys[i] % 7);
  }
  return keys;
}

}  // namespace

// Keys that are alike are left to the other way.
BOOST_AUTO_TEST_CASE(sizes) {
  for (std::size_t const count : {1, 2, 31, 32, 33, 63, 64, 65, 191, 192}) {
    for (auto const pattern : test::all_patterns) {
      check_both_ways<small>(test::keys<std::uint32_t>(pattern, count), msd_way::any);
    }
  }
}

BOOST_AUTO_TEST_CASE(sizes_around_tiles) {
  for (std::size_t const count : {193, 255, 256, 257, 383, 384, 385, 1000, 2047, 3000}) {
    check<small, false>(uniform<std::uint32_t>(count), msd_way::highest_first);
    check<uneven, true>(uniform<std::uint32_t>(count), msd_way::highest_first);
    check<lone, false>(uniform<std::uint32_t>(count / 3), msd_way::highest_first);
  }
}

// There are more buckets than a block has threads, so that several blocks plan.
BOOST_AUTO_TEST_CASE(planned_by_blocks) {
  for (std::size_t const count : {1800, 2500, 3583, 3584}) {
    check<test::msd_tuning<3, 3, 32, 2>, false>(uniform<std::uint32_t>(count), msd_way::any);
    check<test::msd_tuning<3, 4, 32, 4>, true>(uniform<std::uint32_t>(3 * count), msd_way::highest_first);
  }
}

// Tiles have runs of all lengths, empty ones too, and digits of one warp or of several.
BOOST_AUTO_TEST_CASE(digits_of_partitions) {
  for (std::size_t const count : {3000, 9000}) {
    check<test::msd_tuning<6, 7, 64, 4>, false>(uniform<std::uint32_t>(count), msd_way::any);
    check<test::msd_tuning<6, 7, 64, 4>, true>(uniform<std::uint64_t>(count), msd_way::any);
  }
}

enum class fruit : std::int32_t {};
using key_types =
    std::tuple<std::uint8_t, std::int16_t, std::int32_t, fruit, std::uint64_t, std::int64_t, detail::uint128>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types, Key, key_types) {
  constexpr bool descending = std::is_signed_v<Key>;
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    check<small, descending>(test::radix_keys<Key>(2000, seed), msd_way::any);
  }
  check<small, descending>(uniform<Key>(2000), msd_way::highest_first);
}

// Floats of one kind of zero are made anew from their bits, NaNs too; with both kinds, which are equal, they keep their
// order in the other way.
using float_types = std::tuple<float, double>;
BOOST_AUTO_TEST_CASE_TEMPLATE(floats, Key, float_types) {
  auto const keys = uniform<Key>(2000);
  check_both_ways<small>(keys, msd_way::highest_first);
  for (Key const zero : {Key{0}, -Key{0}}) {
    auto with_zeros = keys;
    for (std::size_t i = 7; i < keys.size(); i += 97) with_zeros[i] = zero;
    check_both_ways<small>(with_zeros, msd_way::highest_first);
    with_zeros[1999] = -zero;
    with_zeros[250] = -zero;
    check_both_ways<small>(with_zeros, msd_way::other);
  }
}

namespace {

// Keys of 64 bits, read as what converts to them.
template <class Reference>
struct reading {
  using value_type = std::int64_t;
  using reference = Reference;
  using pointer = void;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  std::int64_t const* keys;
  __host__ __device__ reference operator*() const { return {static_cast<int>(*keys)}; }
  __host__ __device__ reading operator+(std::int64_t n) const { return {keys + n}; }
};
struct proxy {
  int key;
  __host__ __device__ operator std::int64_t() const { return key; }
};

}  // namespace

// An iterator may give what is not a key yet, but converts to one.
using reference_types = std::tuple<int, proxy>;
BOOST_AUTO_TEST_CASE_TEMPLATE(references, Reference, reference_types) {
  auto keys = uniform<std::int64_t>(3000);
  for (auto& key : keys) key &= 0x7fffffff;
  test::buffer<std::int64_t> in(keys), out(std::vector<std::int64_t>(keys.size()));
  detail::no_values const none{};
  auto const count = static_cast<std::int64_t>(keys.size());
  BOOST_TEST((test::msd_sort<small, false>(
      detail::sort_to_copy(reading<Reference>{in.begin()}, none, out.begin(), none, count))));
  std::sort(keys.begin(), keys.end());
  BOOST_TEST(test::same_bytes(out.get(), keys));
}

namespace {

// Makes keys for 32 buckets: one gets so many, and all others share what is left.
std::vector<std::uint32_t> with_large_bucket(std::uint32_t bucket, std::size_t large, std::size_t count = 3000) {
  auto keys = uniform<std::uint32_t>(count);
  std::uint32_t next = bucket == 0 ? 1 : 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::uint32_t const low = keys[i] >> 5;
    bool const is_in = i * 7 % keys.size() < large;
    keys[i] = low | (is_in ? bucket : next) << 27;
    if (is_in) continue;
    do {
      next = (next + 1) % 32;
    } while (next == bucket);
  }
  return keys;
}

}  // namespace

// A bucket has as many keys as a block sorts, or one more; it may have more than a tile, where the tuning says so.
BOOST_AUTO_TEST_CASE(one_large_bucket) {
  using two_tiles = test::msd_tuning<3, 2, 32, 6, 2>;
  for (std::uint32_t const bucket : {0u, 7u, 31u}) {
    for (std::size_t const large : {191, 192, 193, 1500}) {
      check<small, false>(with_large_bucket(bucket, large), large <= 192 ? msd_way::highest_first : msd_way::other);
    }
    for (std::size_t const large : {193, 383, 384, 385}) {
      check<two_tiles, true>(with_large_bucket(bucket, large),
                             large <= 384 ? msd_way::highest_first : msd_way::other);
    }
  }
}

// Buckets have twice the size where there are more keys than buckets for them: that is 32 of 168 keys on average.
BOOST_AUTO_TEST_CASE(doubled_buckets) {
  using doubling = test::doubling<test::msd_tuning<3, 2, 32, 6, 2>>;
  static_assert(doubling::at(90).is_valid() && !test::doubling<test::msd_tuning<3, 2, 32, 6, 1>>::at(90).is_valid() &&
                !test::doubling<test::msd_tuning<3, 2, 1024, 2, 2>>::at(90).is_valid());
  // An architecture that does not double has the usual buckets.
  static_assert(uneven::at(90).bucket_shape(true).threads_per_block == 32 &&
                uneven::at(90).bucket_bin_bits(true) == 4);
  for (std::size_t const count : {5375, 5376, 5377, 7001, 8500}) {
    check_both_ways<doubling>(uniform<std::uint32_t>(count), msd_way::highest_first);
    check<doubling, false>(uniform<double>(count), msd_way::highest_first);
  }
  check<doubling, false>(uniform<std::uint64_t>(10'752), msd_way::any);
  // All have 320 keys, for whose bins there is one more bit.
  check<doubling, false>(with_large_bucket(7, 320, 32 * 320), msd_way::highest_first);
  for (std::size_t const large : {193, 383, 384, 385}) {
    check<doubling, true>(with_large_bucket(7, large, 6000), large <= 384 ? msd_way::highest_first : msd_way::other);
  }
  check_both_ways<doubling>(unevenly_spread(7001), msd_way::highest_first);
}

// Buckets of twice the size also take the place of a second partition, if one is not wanted.
BOOST_AUTO_TEST_CASE(doubled_buckets_of_one_partition) {
  using doubling = test::doubling<test::msd_tuning<3, 2, 32, 6, 2>>;
  constexpr auto digits_of = [](std::int64_t count, bool saves_partition = true) {
    return detail::msd_radix_digits(doubling::at(90), count, saves_partition);
  };
  constexpr auto is_one_partition = [](detail::msd_radix_digits const& digits) { return digits.second_bits == 0; };
  static_assert(!digits_of(8 * 168).has_doubled_buckets && is_one_partition(digits_of(8 * 168)));
  for (std::int64_t const count : {8 * 168 + 1, 8 * 336}) {
    BOOST_TEST((digits_of(count).has_doubled_buckets && is_one_partition(digits_of(count))));
    BOOST_TEST(digits_of(count).num_bins() == 8);
    BOOST_TEST((!digits_of(count, false).has_doubled_buckets && !is_one_partition(digits_of(count, false))));
  }
  static_assert(!digits_of(8 * 336 + 1).has_doubled_buckets && !is_one_partition(digits_of(8 * 336 + 1)));
  static_assert(!detail::msd_radix_digits(uneven::at(90), 2 * 168 + 1).has_doubled_buckets);

  for (std::size_t const count : {8 * 168, 8 * 168 + 1, 2000, 8 * 300}) {
    check_both_ways<doubling>(uniform<std::uint32_t>(count), msd_way::highest_first);
    check<doubling, false>(uniform<double>(count), msd_way::highest_first);
  }
  for (std::size_t const count : {8 * 336, 8 * 336 + 1}) {
    check_both_ways<doubling>(uniform<std::uint64_t>(count), msd_way::any);
  }
  for (std::size_t const large : {383, 384, 385, 768, 769}) {
    check<doubling, true>(with_large_bucket(7, large, 2000), msd_way::any);
  }
  check_both_ways<doubling>(unevenly_spread(2000), msd_way::any);
}

// Many large buckets are left to the other way.
BOOST_AUTO_TEST_CASE(many_large_buckets) {
  using two_tiles = test::msd_tuning<3, 2, 32, 6, 2>;
  for (std::uint32_t const num_large : {2u, 3u, 9u}) {
    auto keys = uniform<std::uint32_t>(3000);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      std::uint32_t const share = static_cast<std::uint32_t>(i * 7 % keys.size());
      std::uint32_t const bucket = share < 210 * num_large ? 3 * (share / 210) : next = (next + 1) % 32;
      keys[i] = keys[i] >> 5 | bucket << 27;
    }
    check<two_tiles, true>(keys, num_large <= 2 ? msd_way::highest_first : msd_way::other);
  }
}

BOOST_AUTO_TEST_CASE(much_alike) {
  for (auto const pattern : test::all_patterns) {
    check_both_ways<small>(test::keys<std::uint32_t>(pattern, 3000), msd_way::any);
  }
  check<small, false>(std::vector<std::uint32_t>(3000, 0x12345678u), msd_way::other);
  auto sorted = uniform<std::uint32_t>(3000);
  std::sort(sorted.begin(), sorted.end());
  check_both_ways<small>(sorted, msd_way::other);
}

// Keys that share their highest bits are told apart by those below; the few that do not share them, and are not among
// those that are looked at, come first or last all the same.
BOOST_AUTO_TEST_CASE(high_bits_alike) {
  auto keys = uniform<std::uint64_t>(3000);
  for (auto& key : keys) key = key >> 24 | std::uint64_t{0x50} << 56;
  check<small, false>(keys, msd_way::highest_first);
  std::size_t const unseen = 3000 / 8 - 100;
  keys[unseen] = 7;
  keys[unseen + 1] = ~std::uint64_t{0};
  keys[unseen + 2] = std::uint64_t{0x51} << 56;
  keys[unseen + 3] = 3;
  check<small, false>(keys, msd_way::highest_first);
}

// Keys of a bucket that are not evenly spread go another way within the block.
BOOST_AUTO_TEST_CASE(uneven_buckets) { check_both_ways<small>(unevenly_spread(1500), msd_way::highest_first); }

// Keys that differ in few bytes are left to the other way, which then takes few passes.
BOOST_AUTO_TEST_CASE(few_bytes) {
  auto const random = uniform<std::uint32_t>(3000);
  auto const check_masked = [&](std::uint32_t mask, msd_way expected) {
    auto keys = random;
    for (auto& key : keys) key &= mask;
    check_both_ways<small>(keys, expected);
  };
  check_masked(0xffff0000u, msd_way::other);
  check_masked(0x0000ffffu, msd_way::other);
  check_masked(0xffffff00u, msd_way::highest_first);
  check_masked(0x00ffffffu, msd_way::highest_first);
  check_masked(0xffff00ffu, msd_way::highest_first);
}

// Bits that all keys share may leave too few above them to tell the keys of a bucket apart.
BOOST_AUTO_TEST_CASE(bits_alike_within) {
  auto keys = uniform<std::uint64_t>(3000);
  for (auto& key : keys) key &= 0xfc00'00ff'ffff'ffffu;
  check_both_ways<small>(keys, msd_way::other);
  for (auto& key : keys) key &= 0xffff'0000'0000'0000u;
  check_both_ways<small>(keys, msd_way::other);
  keys = uniform<std::uint64_t>(3000);
  for (auto& key : keys) key &= 0xff00'00ff'ffff'ffffu;
  check_both_ways<small>(keys, msd_way::any);
}

// What is looked at promises small buckets, but the keys between are all alike, so many that a block's counters of 16
// bits overflow.
BOOST_AUTO_TEST_CASE(full_counters) {
  using tuning = test::msd_tuning<5, 1, 128, 128>;
  constexpr std::size_t count = 400'000;
  constexpr std::size_t rows = 4 * 8;
  std::vector<std::uint32_t> keys(count, 0xFFFF'0000u);
  auto const looked_at = uniform<std::uint32_t>(rows * 32);
  for (std::size_t i = 0; i < looked_at.size(); ++i) keys[i / 32 * count / rows + i % 32] = looked_at[i];
  check<tuning, false>(keys, msd_way::other);
}

// A caller asks for it by a tuning. It takes as much scratch memory as it says.
BOOST_AUTO_TEST_CASE(by_a_tuning) {
  for (std::size_t const count : {0, 1, 500, 3000, 6000}) {
    auto const input = uniform<std::uint32_t>(count);
    auto sorted = input;
    std::sort(sorted.begin(), sorted.end());
    test::buffer<std::uint32_t> keys(input);
    std::size_t bytes = 0;
    mgpu::sort(mgpu::par.with_tuning(small{}).query_scratch(bytes), keys.begin(), keys.end());
    test::buffer<char> scratch(bytes);
    mgpu::sort(mgpu::par.with_tuning(small{}).with_scratch(scratch.begin(), bytes), keys.begin(), keys.end());
    BOOST_TEST(test::same_bytes(keys.get(), sorted));
    std::reverse(sorted.begin(), sorted.end());
    mgpu::sort(mgpu::par.with_tuning(small{}), keys.begin(), keys.end(), std::greater<>());
    BOOST_TEST(test::same_bytes(keys.get(), sorted));
    mgpu::sort(mgpu::par.with_tuning(test::doubling<test::msd_tuning<2, 2, 32, 6, 2>>{}), keys.begin(), keys.end());
    std::reverse(sorted.begin(), sorted.end());
    BOOST_TEST(test::same_bytes(keys.get(), sorted));
  }
}

BOOST_AUTO_TEST_CASE(schedules) {
  test::for_each_schedule(1000, [](std::uint32_t seed) {
    check<small, false>(test::radix_keys<std::uint32_t>(1 + seed * 7919 % 1200, seed), msd_way::any);
    if (seed % 8 != 0) return;
    check<test::doubling<test::msd_tuning<2, 1, 32, 6, 2>>, false>(uniform<std::uint32_t>(1400 + seed, seed),
                                                                   msd_way::any);
  });
}

BOOST_AUTO_TEST_SUITE_END()
