// Reductions are right whose order nobody can tell: sums of numbers, the largest and the smallest of integers. The
// usual tuning takes up to a block, and a little more, at every alignment; small ones make clusters and grids.
#include <support/reductions.h>
#include <boost/test/unit_test.hpp>
#include <cuda/functional>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

BOOST_AUTO_TEST_SUITE(reduce_any_order, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Returns sizes around a vector, a row of a warp, its four rows, a block and more.
template <class Item>
std::set<std::size_t> sizes() {
  constexpr std::size_t vector = 16 / sizeof(Item);
  std::set<std::size_t> made{0, 1, 2, 3};
  for (std::size_t const vectors : {1, 32, 128, 129, 256, 1024, 4096, 4100}) {
    made.insert({vectors * vector - 1, vectors * vector, vectors * vector + 1});
  }
  return made;
}

template <class Item, class Policy, class T, class Op>
void check(Policy const& policy, std::size_t count, std::size_t shift, T init, Op op) {
  BOOST_TEST_CONTEXT(count << " items of " << sizeof(Item) << " B, shifted by " << shift) {
    auto const input = test::drawn<Item>(count);
    test::buffer<Item> items(input, shift);
    test::result_place<T> place;
    mgpu::reduce_into(policy, items.begin(), items.end(), place.get(), init, op);
    BOOST_TEST((place.read() == test::expected_reduction(input, init, op)));
  }
}

template <class Item, class T, class Op>
void check(T init, Op op) {
  constexpr std::size_t vector = 16 / sizeof(Item);
  for (std::size_t const count : sizes<Item>()) {
    bool const is_large = count > 200 * vector;
    for (std::size_t shift = 0; shift < vector; shift += is_large ? vector / 2 + 1 : 1) {
      check<Item>(test::policy, count, shift, init, op);
    }
  }
}

// Blocks of two warps reduce alone, five in a cluster with one tile or two each, and in grids where each has one tile
// or several, with whole tiles and parts.
template <class Item, class T, class Op>
void check_ways(T init, Op op) {
  constexpr std::size_t vector = 16 / sizeof(Item);
  constexpr std::size_t tile = test::clustered_reduce::lone_items(vector);
  for (std::size_t const tiles : {1, 2, 5, 9, 10, 11, 48, 200}) {
    for (std::size_t const count : {tiles * tile - vector - 1, tiles * tile, tiles * tile + 1}) {
      for (std::size_t const shift : {std::size_t{0}, vector - 1}) {
        check<Item>(test::tuned(test::clustered_reduce{}), count, shift, init, op);
        check<Item>(test::tuned(test::tiny_reduce{}), count, shift, init, op);
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(sums_of_bytes) {
  check<std::uint8_t>(std::uint32_t{7}, cuda::std::plus<>{});
  check<std::int8_t>(std::int64_t{-7}, cuda::std::plus<>{});
  check<char>(std::int32_t{1}, cuda::std::plus<>{});
  check<std::uint8_t>(std::uint8_t{3}, cuda::std::plus<>{});
  check<std::int8_t>(std::uint16_t{3}, cuda::std::plus<>{});
}

BOOST_AUTO_TEST_CASE(sums_of_flags) {
  for (std::size_t const count : sizes<bool>()) {
    std::vector<unsigned char> flags(count);
    std::int32_t expected = -2;
    for (std::size_t i = 0; i < count; ++i) expected += flags[i] = i % 3 == 0;
    test::buffer<unsigned char> items(flags);
    auto const* const first = reinterpret_cast<bool const*>(items.begin());
    test::result_place<std::int32_t> place;
    mgpu::reduce_into(test::policy, first, first + count, place.get(), -2, cuda::std::plus<>{});
    BOOST_TEST(place.read() == expected);
  }
}

BOOST_AUTO_TEST_CASE(sums) {
  check<std::uint32_t>(5u, cuda::std::plus<>{});
  check<std::uint64_t>(std::uint64_t{5}, cuda::std::plus<std::uint64_t>{});
}

BOOST_AUTO_TEST_CASE(extremes) {
  check<std::int32_t>(std::numeric_limits<std::int32_t>::min(), cuda::maximum<>{});
  check<std::int32_t>(std::numeric_limits<std::int32_t>::max(), cuda::minimum<>{});
  check<std::uint64_t>(std::uint64_t{0}, cuda::maximum<std::uint64_t>{});
  check<std::int8_t>(std::int8_t{-128}, cuda::maximum<>{});
  check<std::uint16_t>(std::int32_t{-1}, cuda::maximum<>{});
}

BOOST_AUTO_TEST_CASE(by_clusters_and_grids) {
  check_ways<std::uint8_t>(std::uint32_t{7}, cuda::std::plus<>{});
  check_ways<std::uint32_t>(5u, cuda::std::plus<>{});
  check_ways<std::uint64_t>(std::uint64_t{5}, cuda::std::plus<>{});
  check_ways<std::int32_t>(std::numeric_limits<std::int32_t>::min(), cuda::maximum<>{});
  check_ways<std::int64_t>(std::numeric_limits<std::int64_t>::max(), cuda::minimum<>{});
  check_ways<std::int16_t>(std::int16_t{-5}, cuda::maximum<>{});
}

// Nothing is added that anybody could see: where all are -0, so is the sum.
BOOST_AUTO_TEST_CASE(zeros_keep_their_sign) {
  for (std::size_t const count : {0, 1, 3, 130, 1024, 5000, 50001}) {
    test::buffer<float> items(std::vector<float>(count, -0.0f));
    auto const check_zero = [&](auto const& policy) {
      test::result_place<float> place;
      mgpu::reduce_into(policy, items.begin(), items.end(), place.get(), -0.0f, cuda::std::plus<>{});
      BOOST_TEST((place.read() == 0 && std::signbit(place.read())));
    };
    check_zero(test::policy);
    check_zero(test::tuned(test::clustered_reduce{}));
    check_zero(test::tuned(test::tiny_reduce{}));
  }
}

BOOST_AUTO_TEST_SUITE_END()
