// Merge sorts by a cluster lose nothing by a comparator that is no order.
#include <backend/merge_cluster/merge_cluster_sorts.h>
#include <backend/radix_sorts.h>
#include <support/device.h>
#include <support/items.h>
#include <support/memory.h>
#include <support/schedules.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(merge_cluster_no_order, *boost::unit_test::precondition(test::can_run_clusters{}))

namespace {

using test::by_low_digits;
using test::check_merge_cluster;
using test::keys_of;
using test::less;
using test::of_16;
using test::of_8;
using test::one_block;
using test::shares_of_16;
using test::shares_of_8;
using test::wide;
using test::wide_shares;
// These are no orders.
struct in_a_circle {  // of three keys each is less than another one
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return (static_cast<unsigned>(a) + 1) % 3 == static_cast<unsigned>(b) % 3;
  }
};
struct by_hash_of_both {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    return ((a * 2654435761u ^ b * 40503u) >> 13 & 1) != 0;
  }
};
// This is an order but for few pairs of keys, so that no search of a few keys finds out.
struct rarely_wrong {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    return (a < b) != ((a * 2654435761u ^ b * 2246822519u) >> 25 == 0);
  }
};
struct always {
  template <class T>
  __host__ __device__ bool operator()(T, T) const {
    return true;
  }
};
// This is an order among `width` keys that follow each other, and none beyond.
template <unsigned width>
struct order_within {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    return a / width == b / width ? a * 37 % width < b * 37 % width : by_hash_of_both{}(a, b);
  }
};

// Each key is still there once, with its value.
template <class Tuning, class Key, class Comp>
void check_nothing_is_lost(std::vector<Key> const& keys, Comp const& comp) {
  namespace detail = mgpu::detail;
  test::buffer<Key> sorted(keys);
  std::vector<std::uint32_t> numbers(keys.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  test::buffer<std::uint32_t> values(numbers);
  auto const problem =
      detail::sort_in_place(sorted.begin(), values.begin(), values.begin(), static_cast<std::int64_t>(keys.size()));
  BOOST_TEST(test::merge_cluster_sort<Tuning>(mgpu::par, problem, comp));
  auto const indices = values.get();
  std::vector<std::size_t> const order(indices.begin(), indices.end());
  auto in_order = indices;
  std::sort(in_order.begin(), in_order.end());
  BOOST_TEST_REQUIRE(test::same_bytes(in_order, numbers));
  BOOST_TEST(test::same_bytes(sorted.get(), test::permuted(keys, order)));
}

template <class Key, class Comp>
void check_nothing_is_lost(Comp const& comp) {
  for (std::size_t const count : {2, 31, 100, 700, 1024}) {
    check_nothing_is_lost<one_block>(test::radix_keys<Key>(count, 5), comp);
  }
  check_nothing_is_lost<of_8>(test::radix_keys<Key>(500, 6), comp);
  check_nothing_is_lost<of_16>(test::radix_keys<Key>(1000, 7), comp);
  check_nothing_is_lost<wide>(test::radix_keys<Key>(4000, 8), comp);
  check_nothing_is_lost<shares_of_8>(test::radix_keys<Key>(500, 9), comp);
  check_nothing_is_lost<shares_of_16>(test::radix_keys<Key>(1000, 10), comp);
  check_nothing_is_lost<wide_shares>(test::radix_keys<Key>(4000, 11), comp);
}
template <class Comp>
void check_no_long_key_is_lost(Comp const& comp) {
  using Key = test::long_key<std::uint64_t, 2, 8>;
  check_nothing_is_lost<shares_of_16>(test::long_keys_of<Key>(keys_of(1000), 1 << 20), comp);
}

}  // namespace

BOOST_AUTO_TEST_CASE(comparators_that_are_no_orders) {
  check_nothing_is_lost<std::uint32_t>(in_a_circle{});
  check_nothing_is_lost<std::uint32_t>(by_hash_of_both{});
  check_nothing_is_lost<std::uint64_t>(always{});
  check_no_long_key_is_lost(in_a_circle{});
  check_no_long_key_is_lost(always{});
}
// The first share begins with the first items, though comp may tell that some come before the smallest sample.
BOOST_AUTO_TEST_CASE(comparator_that_is_rarely_wrong) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    check_nothing_is_lost<shares_of_8>(keys_of(500, seed), rarely_wrong{});
    check_nothing_is_lost<shares_of_16>(keys_of(1000, seed), rarely_wrong{});
  }
  check_nothing_is_lost<wide_shares>(keys_of(4000), rarely_wrong{});
}
// It is found out in any round, or only where blocks meet.
BOOST_AUTO_TEST_CASE(comparators_that_are_orders_at_first) {
  for (std::size_t const count : {130, 200, 500, 700, 1000, 1024}) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    check_nothing_is_lost<one_block>(numbers, order_within<32>{});
    check_nothing_is_lost<one_block>(numbers, order_within<128>{});
    check_nothing_is_lost<one_block>(numbers, order_within<512>{});
    if (count > 256) check_nothing_is_lost<of_16>(numbers, order_within<64>{});
    if (count > 256) check_nothing_is_lost<shares_of_16>(numbers, order_within<64>{});
  }
}
BOOST_AUTO_TEST_CASE(not_a_number) {
  for (std::size_t const nth : {5, 100, 3999}) {
    std::vector<float> keys;
    for (auto const key : keys_of(4000)) keys.push_back(static_cast<float>(key));
    for (std::size_t i = nth; i < keys.size(); i += nth) keys[i] = std::numeric_limits<float>::quiet_NaN();
    check_nothing_is_lost<wide>(keys, less{});
    check_nothing_is_lost<wide_shares>(keys, less{});
    keys.resize(1000);
    check_nothing_is_lost<one_block>(keys, less{});
    check_nothing_is_lost<of_16>(keys, less{});
    check_nothing_is_lost<shares_of_16>(keys, less{});
  }
}

#if defined(MGPU_EMULATED)

namespace {

constexpr std::uint32_t tag = 0xabcd0000u;
bool saw_others = false;

// All keys have a tag, by which others are told.
template <class Comp>
struct looks_at_keys {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    if ((a & 0xffff0000u) != tag || (b & 0xffff0000u) != tag) saw_others = true;
    return Comp()(a, b);
  }
};

// Answers as it likes.
struct at_random {
  __host__ __device__ bool operator()(std::uint32_t, std::uint32_t) const {
    static std::mt19937 random;
    return (random() & 1) != 0;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(comparator_sees_keys_alone) {
  auto const check = [](auto tuning, std::size_t count) {
    auto keys = keys_of(count);
    for (auto& key : keys) key = tag | key >> 16;
    check_merge_cluster<decltype(tuning)>(keys, looks_at_keys<by_low_digits>{});
    check_nothing_is_lost<decltype(tuning)>(keys, looks_at_keys<by_hash_of_both>{});
    check_nothing_is_lost<decltype(tuning)>(keys, looks_at_keys<at_random>{});
  };
  for (std::size_t const count : {1, 33, 100, 129, 400, 513, 1000}) check(one_block{}, count);
  for (std::size_t const count : {513, 999, 1024}) check(of_16{}, count);
  for (std::size_t const count : {513, 999, 1024}) check(shares_of_16{}, count);
  for (std::size_t const count : {2049, 3999}) check(wide{}, count);
  for (std::size_t const count : {2049, 3999}) check(wide_shares{}, count);
  BOOST_TEST(!saw_others);
}

namespace {

bool others_run = false;

// Others may run between the steps in which this key is assigned.
template <int pairs>
struct halves {
  std::uint32_t half[pairs];
  std::uint32_t other[pairs];  // have all bits that `half` have not
  halves() = default;
  explicit halves(std::uint32_t key) {
    std::fill_n(half, pairs, key);
    std::fill_n(other, pairs, ~key);
  }
  halves(halves const&) = default;
  halves& operator=(halves const& from) {
    std::copy_n(from.half, pairs, half);
    std::uint32_t word = 0;
    if (others_run) static_cast<void>(mgpu::detail::simt::load_relaxed(word));
    std::copy_n(from.other, pairs, other);
    return *this;
  }
  bool is_whole() const {
    return std::all_of(half, half + pairs, [&](auto part) { return part == half[0]; }) &&
           std::all_of(other, other + pairs, [&](auto part) { return part == ~half[0]; });
  }
};
struct at_random_of_whole_keys {
  template <class Key>
  bool operator()(Key const& a, Key const& b) const {
    if (!a.is_whole() || !b.is_whole()) saw_others = true;
    return at_random{}(a.half[0], b.half[0]);
  }
};

}  // namespace

// Two threads may write to one place: one of their keys is there then.
BOOST_AUTO_TEST_CASE(comparator_sees_whole_keys) {
  auto const check = [](auto tuning, auto of_key) {
    using Key = decltype(of_key);
    mgpu::detail::no_values const none{};
    test::for_each_schedule(3, [&](std::uint32_t seed) {
      auto const numbers = keys_of(1000, seed);
      test::buffer<Key> sorted(std::vector<Key>(numbers.begin(), numbers.end()));
      others_run = true;
      auto const problem = mgpu::detail::sort_in_place(sorted.begin(), none, none, std::int64_t{1000});
      BOOST_TEST(test::merge_cluster_sort<decltype(tuning)>(mgpu::par, problem, at_random_of_whole_keys{}));
      others_run = false;
    });
  };
  saw_others = false;
  check(of_16{}, halves<1>{});
  check(shares_of_16{}, halves<1>{});
  check(shares_of_16{}, halves<2>{});
  BOOST_TEST(!saw_others);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
