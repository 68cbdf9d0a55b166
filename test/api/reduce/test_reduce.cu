// mgpu::reduce and mgpu::reduce_into are right for many types, operators and alignments.
#include <support/reductions.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <vector>

BOOST_AUTO_TEST_SUITE(reduce, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Returns sizes around rows, steps and blocks for any number of items a load.
std::set<std::size_t> sizes() {
  std::set<std::size_t> made{0, 1, 2, 3, 31, 32, 33, 63, 64, 65};
  for (std::size_t const edge : {128, 256, 512, 1024, 2048}) made.insert({edge - 1, edge, edge + 1});
  made.insert({3000, 5555});
  return made;
}

struct maximum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct minimum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct first_non_zero {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a != 0 ? a : b;
  }
};

struct matrix {
  std::uint32_t a, b, c, d;
  friend bool operator==(matrix const& x, matrix const& y) {
    return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d;
  }
};
struct multiply {
  __host__ __device__ matrix operator()(matrix const& x, matrix const& y) const {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
};

template <class Tuning = test::small_reduce, class T, class Item, class Op>
void check(std::vector<Item> const& input, T init, Op op, std::size_t shift = 0) {
  test::buffer<Item> items(input, shift);
  T const expected = test::expected_reduction(input, init, op);
  auto const policy = test::tuned(Tuning{});
  BOOST_TEST((mgpu::reduce(policy, items.begin(), items.end(), init, op) == expected));
  test::result_place<T> place;
  mgpu::reduce_into(policy, items.begin(), items.end(), place.get(), init, op);
  BOOST_TEST((place.read() == expected));
}

}  // namespace

BOOST_AUTO_TEST_CASE(bytes_at_every_alignment) {
  auto const policy = test::tuned(test::small_reduce{});
  for (std::size_t shift = 0; shift < 16; ++shift) {
    for (std::size_t const count : {0, 1, 5, 15, 16, 17, 31, 40, 512, 2047, 4096, 9000}) {
      BOOST_TEST_CONTEXT(count << " items, shifted by " << shift) {
        auto const input = test::drawn<std::uint8_t>(count);
        test::buffer<std::uint8_t> items(input, shift);
        test::affine64 const expected = test::expected_affine(input);
        BOOST_TEST((mgpu::transform_reduce(policy, items.begin(), items.end(), test::to_affine{},
                                           test::affine64{1, 99}, test::compose64{}) == expected));
        check(input, std::int32_t{-7}, cuda::std::plus<>{}, shift);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(sums) {
  for (std::size_t const count : sizes()) {
    BOOST_TEST_CONTEXT(count << " items") {
      check(test::drawn<std::int8_t>(count), std::int64_t{5}, cuda::std::plus<>{}, 1);
      check(test::drawn<std::uint16_t>(count), std::uint16_t{5}, cuda::std::plus<>{}, 3);
      check(test::drawn<std::int32_t>(count), std::int32_t{-5}, cuda::std::plus<>{}, 1);
      check(test::drawn<std::uint64_t>(count), std::uint64_t{5}, cuda::std::plus<>{}, 1);
      // These are whole numbers, so that no order rounds.
      std::vector<float> whole(count);
      std::vector<double> wide(count);
      for (std::size_t i = 0; i < count; ++i) whole[i] = wide[i] = static_cast<float>(i % 7) - 3;
      check(whole, 1.0f, cuda::std::plus<>{}, 1);
      check(wide, 0.5, cuda::std::plus<double>{}, 1);
      check(whole, 0.5, cuda::std::plus<>{});  // floats in double
      check(whole, 0.5f, std::plus<>{});
      check(test::drawn<std::uint32_t>(count), 3u, std::multiplies<std::uint32_t>{});
    }
  }
}

// Each of few blocks has more tiles than warps, with and without a part of a tile at the end.
template <class T>
void check_sums_of_many_tiles(std::size_t count) {
  using few_blocks = test::reduce_tuning<64, 1, 1, 1, 32, 1>;
  std::vector<T> whole(count);
  for (std::size_t i = 0; i < count; ++i) whole[i] = static_cast<T>(i * i % 11 + i / 5000);
  check<few_blocks>(whole, T{3}, cuda::std::plus<>{}, 1);
  check<few_blocks>(whole, T{4}, cuda::std::plus<T>{});
}
BOOST_AUTO_TEST_CASE(sums_of_many_tiles) {
  for (std::size_t const count : {64 * 4 * 16 * 20, 100003}) {
    BOOST_TEST_CONTEXT(count << " items") {
      check_sums_of_many_tiles<std::uint8_t>(count);
      check_sums_of_many_tiles<std::uint32_t>(count);
      check_sums_of_many_tiles<std::int64_t>(count);
      check_sums_of_many_tiles<float>(count);
      check_sums_of_many_tiles<double>(count);
    }
  }
  std::vector<float> const zeros(100003, -0.0f);
  test::buffer<float> items(zeros);
  BOOST_TEST(std::signbit(
      mgpu::reduce(test::tuned(test::small_reduce{}), items.begin(), items.end(), -0.0f, cuda::std::plus<>{})));
}

BOOST_AUTO_TEST_CASE(other_operators) {
  for (std::size_t const count : sizes()) {
    BOOST_TEST_CONTEXT(count << " items") {
      auto const input = test::drawn<std::int32_t>(count);
      check(input, std::numeric_limits<std::int32_t>::min(), maximum{});
      check(input, std::int32_t{1000}, minimum{});
      check(input, 3.5, maximum{});
      std::vector<std::uint32_t> sparse(count);
      for (std::size_t i = count / 3; i < count; i += 100) sparse[i] = static_cast<std::uint32_t>(i + 1);
      check(sparse, 0u, first_non_zero{}, 2);
      check(sparse, 77u, first_non_zero{});
      std::vector<unsigned char> flags(count, 1);
      check(flags, true, cuda::std::logical_and<>{});
      if (count > 0) flags[count / 2] = 0;
      check(flags, true, cuda::std::logical_and<>{}, 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(products_of_matrices) {
  for (std::size_t const count : sizes()) {
    std::vector<matrix> input(count);
    for (std::uint32_t i = 0; i < count; ++i) input[i] = {i + 2, 3 * i + 1, i % 5, 2 * i + 7};
    check(input, matrix{1, 2, 3, 4}, multiply{});
  }
}

BOOST_AUTO_TEST_CASE(default_arguments) {
  auto const policy = test::tuned(test::small_reduce{});
  auto const input = test::drawn<std::uint8_t>(1000);
  test::buffer<std::uint8_t> items(input);
  std::uint8_t const sum = test::expected_reduction(input, std::uint8_t{0}, cuda::std::plus<>{});

  auto const value = mgpu::reduce(policy, items.begin(), items.end());
  static_assert(std::is_same_v<decltype(value), std::uint8_t const>);  // the standard has it so, and so it wraps
  BOOST_TEST(value == sum);
  auto const wide = mgpu::reduce(policy, items.begin(), items.end(), 100);
  static_assert(std::is_same_v<decltype(wide), int const>);
  BOOST_TEST(wide == test::expected_reduction(input, 100, cuda::std::plus<>{}));
  test::result_place<std::uint8_t> place;
  mgpu::reduce_into(policy, items.begin(), items.end(), place.get());
  BOOST_TEST(place.read() == sum);
  test::result_place<double> wide_place;
  mgpu::reduce_into(policy, items.begin(), items.end(), wide_place.get(), 100);
  BOOST_TEST(wide_place.read() == wide);
}

BOOST_AUTO_TEST_CASE(empty_ranges) {
  test::buffer<std::int32_t> items(1);
  BOOST_TEST(mgpu::reduce(test::policy, items.begin(), items.begin(), 42, maximum{}) == 42);
  BOOST_TEST(mgpu::reduce(test::policy, items.begin(), items.begin()) == 0);
  test::result_place<std::int32_t> place;
  mgpu::reduce_into(test::policy, items.begin(), items.begin(), place.get(), 42, maximum{});
  BOOST_TEST(place.read() == 42);
}

// The output may be one of the items.
BOOST_AUTO_TEST_CASE(into_the_input) {
  for (std::size_t const count : {1, 300, 4000}) {
    auto const input = test::drawn<std::uint32_t>(count);
    for (std::size_t const place : {std::size_t{0}, count / 2, count - 1}) {
      test::buffer<std::uint32_t> items(input);
      auto const policy = test::tuned(test::small_reduce{});
      mgpu::reduce_into(policy, items.begin(), items.end(), items.begin() + place);
      auto expected = input;
      expected[place] = test::expected_reduction(input, 0u, cuda::std::plus<>{});
      BOOST_TEST((items.get() == expected));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
