// A warp's reductions, scan and shuffles are right for every count of lanes and rows, and for values of many sizes:
// the operator is called on neighbours alone and in their order. So are operators whose order nobody can tell.
#include <support/reductions.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/reorderable_operators.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <mgpu/detail/warp/reduce_rows.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <mgpu/detail/warp/shuffle.cuh>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(warp_reduce, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr int lanes = mgpu::detail::threads_per_warp;
namespace simt = mgpu::detail::simt;

struct no_storage {};

// Puts into results[count - 1] what the first `count` lanes come to, whose values are 1, 2, ...; the others hold what
// must not be used.
template <class T>
__global__ void counts_kernel(T* results) {
  test::join_intervals op;
  auto const lane = static_cast<std::uint32_t>(simt::lane());
#pragma unroll 1
  for (int count = 1; count <= lanes; ++count) {
    T const value(lane < static_cast<unsigned>(count) ? lane + 1 : 1000);
    T const sum = mgpu::detail::warp_reduce(value, count, op);
    if (lane == 0) results[count - 1] = sum;
  }
}

// Puts into results[0] what the numbers from 1 to count come to, which lie side by side.
template <class T, int most>
__global__ void range_kernel(T* results, T const* values, int count) {
  test::join_intervals op;
  T const sum = mgpu::detail::warp_reduce_range<most>(values, count, op);
  if (simt::lane() == 0) results[0] = sum;
}

// Puts into results[lane] what the values of the lanes up to that one come to.
template <class T>
__global__ void scan_kernel(T* results) {
  test::join_intervals op;
  auto const lane = static_cast<std::uint32_t>(simt::lane());
  results[lane] = mgpu::detail::warp_inclusive_scan(T(lane + 1), lanes, op);
}

// Puts into results[0] what all rows come to, and into results[1 + i] row i of those that together have `count`
// values.
template <class T, int rows>
__global__ void rows_kernel(T* results, int count) {
  test::join_intervals op;
  auto const lane = static_cast<std::uint32_t>(simt::lane());
  mgpu::detail::uninitialized_array<T, rows> values;
#pragma unroll 1
  for (int i = 0; i < rows; ++i) values[i] = T(static_cast<std::uint32_t>(i * lanes) + lane + 1);
  T const sum = mgpu::detail::warp_reduce_rows(values.items, rows * lanes, op);
  if (lane == 0) results[0] = sum;

#pragma unroll 1
  for (int i = 0; i < rows; ++i) {
    std::uint32_t const place = static_cast<std::uint32_t>(i * lanes) + lane;
    values[i] = T(place < static_cast<unsigned>(count) ? place + 1 : 1000000);
  }
  mgpu::detail::warp_reduce_each_row(values.items, count, op);
#pragma unroll 1
  for (int i = 0; i < rows; ++i) {
    if (lane == 0 && i * lanes < count) results[1 + i] = values[i];
  }
}

// Reduces numbers by operators whose order nobody can tell. Puts into results[0] what the first `count` lanes come
// to, and into results[1] what the first `count` values of some rows do.
template <class T, int rows, class Op>
__global__ void in_any_order_kernel(T* results, T const* values, int count) {
  Op op;
  auto const lane = static_cast<int>(simt::lane());
  T const of_lanes = mgpu::detail::warp_reduce(values[lane], count < lanes ? count : lanes, op);
  T mine[rows];
#pragma unroll 1
  for (int i = 0; i < rows; ++i) mine[i] = values[i * lanes + lane];
  T const of_rows = mgpu::detail::warp_reduce_rows(mine, count, op);
  if (lane == 0) {
    results[0] = of_lanes;
    results[1] = of_rows;
  }
}

// Gets each lane a value from another lane, in three ways, and its own where there is none.
template <class T>
__global__ void shuffle_kernel(T* results, unsigned delta) {
  auto const lane = static_cast<unsigned>(simt::lane());
  T const own(lane + 1);
  results[lane] = mgpu::detail::shuffle(own, (lane * 5 + delta) % lanes);
  results[lanes + lane] = mgpu::detail::shuffle_up(own, delta);
  results[2 * lanes + lane] = mgpu::detail::shuffle_down(own, delta);
}

template <class T>
class results_of {
 public:
  explicit results_of(int count) : memory_(static_cast<std::size_t>(count) * sizeof(T)) {}
  T* get() { return reinterpret_cast<T*>(memory_.begin()); }
  void check(std::vector<T> const& expected) const {
    auto const bytes = memory_.get();
    auto const* const got = reinterpret_cast<T const*>(bytes.data());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      BOOST_TEST(test::same_value(got[i], expected[i]),
                 "result " << i << " is " << got[i].first() << " - " << got[i].last());
    }
  }

 private:
  test::buffer<unsigned char> memory_;
};

template <class T, int rows>
void check_rows() {
  for (int const count : {1, 2, 31, 32, 33, rows * lanes - 1, rows * lanes}) {
    if (count > rows * lanes) continue;
    BOOST_TEST_CONTEXT(rows << " rows, " << count << " values") {
      results_of<T> results(1 + rows);
      test::run_kernel(rows_kernel<T, rows>, 1, lanes, sizeof(no_storage), results.get(), count);
      std::vector<T> expected{T(1, rows * lanes)};
      for (int begin = 0; begin < count; begin += lanes) {
        int const end = begin + lanes < count ? begin + lanes : count;
        expected.emplace_back(static_cast<std::uint32_t>(begin + 1), static_cast<std::uint32_t>(end));
      }
      results.check(expected);
    }
  }
}

using value_types = std::tuple<test::interval<8>, test::interval<8, 8>, test::interval<9, 1>, test::interval<12>,
                               test::interval<16, 16>, test::interval<64, 16>, test::interval<67, 1>>;

using row_types = std::tuple<test::interval<8>, test::interval<12>, test::interval<33, 1>>;

constexpr int some_rows = 3;

// Checks reductions by one Op.
template <class Op, class T>
std::vector<T> in_any_order(std::vector<T> const& numbers, int count) {
  test::buffer<T> values(numbers);
  test::buffer<T> results(std::vector<T>(2));
  test::run_kernel(in_any_order_kernel<T, some_rows, Op>, 1, lanes, sizeof(no_storage), results.begin(),
                   values.begin(), count);
  return results.get();
}

// Checks that the device gives what the CPU makes of the values. Behind the first `count` lies what would win if it
// was seen.
template <class Op, class T, class Better>
void check_extreme(std::vector<T> numbers, int count, T winner, Better better) {
  std::fill(numbers.begin() + count, numbers.end(), winner);
  std::vector<T> const results = in_any_order<Op>(numbers, count);
  auto const begin = numbers.begin();
  BOOST_TEST((results[0] == *std::max_element(begin, begin + std::min(count, lanes), better)));
  BOOST_TEST((results[1] == *std::max_element(begin, begin + count, better)));
}

using integers = std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                            std::int64_t, std::uint64_t>;
using numbers = std::tuple<std::int8_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, float>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_count, T, value_types) {
  results_of<T> results(lanes);
  test::run_kernel(counts_kernel<T>, 1, lanes, sizeof(no_storage), results.get());
  std::vector<T> expected;
  for (std::uint32_t count = 1; count <= lanes; ++count) expected.emplace_back(1u, count);
  results.check(expected);

  test::run_kernel(scan_kernel<T>, 1, lanes, sizeof(no_storage), results.get());
  results.check(expected);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ranges, T, row_types) {
  test::buffer<T> values(test::numbers_from<T>(1, 1000));
  results_of<T> results(1);
  for (int const count : {1, 2, 31, 32, 33, 63, 64, 65, 128, 1000}) {
    T const* const first = values.begin();
    std::vector<T> const expected{T(1, static_cast<std::uint32_t>(count))};
    test::run_kernel(range_kernel<T, 1000>, 1, lanes, sizeof(no_storage), results.get(), first, count);
    results.check(expected);
    if (count > lanes) continue;
    test::run_kernel(range_kernel<T, lanes>, 1, lanes, sizeof(no_storage), results.get(), first, count);
    results.check(expected);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows, T, row_types) {
  check_rows<T, 1>();
  check_rows<T, 2>();
  check_rows<T, 4>();
  check_rows<T, 8>();
  check_rows<T, 16>();
  check_rows<T, 32>();
}

// Floats are whole numbers here, whose sum is exact.
BOOST_AUTO_TEST_CASE_TEMPLATE(sums, T, numbers) {
  std::vector<T> numbers(some_rows * lanes);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::uint64_t const drawn = i * i * 0x9E3779B97F4A7C15u >> 7;
    bool const may_wrap = std::is_unsigned_v<T> || sizeof(T) == 1;
    numbers[i] = may_wrap ? static_cast<T>(drawn) : static_cast<T>(static_cast<int>(drawn % 1000) - 500);
  }
  for (int const count : {1, 2, 31, 32, 33, 64, 95, 96}) {
    std::int64_t of_lanes = 0, of_rows = 0;
    for (int i = 0; i < count; ++i) {
      auto const value = static_cast<std::int64_t>(numbers[static_cast<std::size_t>(i)]);
      if (i < lanes) of_lanes += value;
      of_rows += value;
    }
    BOOST_TEST_CONTEXT(count << " values") {
      for (auto const& sums :
           {in_any_order<cuda::std::plus<>>(numbers, count), in_any_order<cuda::std::plus<T>>(numbers, count)}) {
        BOOST_TEST((sums[0] == static_cast<T>(of_lanes)));
        BOOST_TEST((sums[1] == static_cast<T>(of_rows)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(extremes, T, integers) {
  constexpr T least = std::numeric_limits<T>::min();
  constexpr T most = std::numeric_limits<T>::max();
  std::vector<T> random(some_rows * lanes);
  for (std::size_t i = 0; i < random.size(); ++i) random[i] = static_cast<T>((i + 1) * 0x9E3779B97F4A7C15u >> 5);
  for (auto const& numbers : {random, std::vector<T>(random.size(), least), std::vector<T>(random.size(), most)}) {
    for (int const count : {1, 2, 31, 32, 33, 64, 95, 96}) {
      BOOST_TEST_CONTEXT(count << " values, the first of which is " << +numbers[0]) {
        check_extreme<cuda::maximum<>>(numbers, count, most, std::less<>{});
        check_extreme<cuda::maximum<T>>(numbers, count, most, std::less<>{});
        check_extreme<cuda::minimum<>>(numbers, count, least, std::greater<>{});
        check_extreme<cuda::minimum<T>>(numbers, count, least, std::greater<>{});
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(sum_of_negative_zeros) {
  std::vector<float> const zeros(some_rows * lanes, -0.0f);
  for (int const count : {1, 40, 96}) {
    std::vector<float> const sums = in_any_order<cuda::std::plus<>>(zeros, count);
    BOOST_TEST(std::signbit(sums[0]));
    BOOST_TEST(std::signbit(sums[1]));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(shuffles, T, value_types) {
  for (unsigned const delta : {0u, 1u, 7u, 16u, 31u}) {
    results_of<T> results(3 * lanes);
    test::run_kernel(shuffle_kernel<T>, 1, lanes, sizeof(no_storage), results.get(), delta);
    std::vector<T> expected;
    for (unsigned lane = 0; lane < lanes; ++lane) expected.emplace_back((lane * 5 + delta) % lanes + 1);
    for (unsigned lane = 0; lane < lanes; ++lane) expected.emplace_back((lane >= delta ? lane - delta : lane) + 1);
    for (unsigned lane = 0; lane < lanes; ++lane)
      expected.emplace_back((lane + delta < lanes ? lane + delta : lane) + 1);
    results.check(expected);
  }
}

BOOST_AUTO_TEST_SUITE_END()
