// The library takes functions that host code cannot call: __device__ lambdas, and function objects of which the host
// does not even know the return type.
#include <mgpu/mgpu.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(device_functions, *boost::unit_test::precondition(test::can_run{}))

namespace {

struct number {
  std::int32_t value;
};
struct add {
  __device__ auto operator()(number a, number b) const { return number{a.value + b.value}; }
};
struct greater_value {
  __device__ auto operator()(number a, number b) const { return a.value > b.value; }
};
struct half_of {
  __device__ float operator()(std::int32_t x) const { return 0.5f * static_cast<float>(x); }
};

std::vector<std::int32_t> values_of(test::buffer<number>& numbers) {
  std::vector<std::int32_t> values;
  for (number const& item : numbers.get()) values.push_back(item.value);
  return values;
}

std::vector<number> const input{{3}, {-1}, {4}, {1}, {-5}, {9}, {2}, {-6}};

}  // namespace

BOOST_AUTO_TEST_CASE(comparators) {
  test::buffer<number> numbers(input);
  mgpu::sort(mgpu::par, numbers.begin(), numbers.end(), greater_value{});
  BOOST_TEST(values_of(numbers) == (std::vector<std::int32_t>{9, 4, 3, 2, 1, -1, -5, -6}));
  mgpu::sort(mgpu::par, numbers.begin(), numbers.end(),
             [] __device__(number a, number b) { return a.value < b.value; });
  BOOST_TEST(values_of(numbers) == (std::vector<std::int32_t>{-6, -5, -1, 1, 2, 3, 4, 9}));
}

BOOST_AUTO_TEST_CASE(operators) {
  test::buffer<number> numbers(input);
  BOOST_TEST(mgpu::reduce(mgpu::par, numbers.begin(), numbers.end(), number{10}, add{}).value == 17);
  mgpu::inclusive_scan(mgpu::par, numbers.begin(), numbers.end(), numbers.begin(),
                       [] __device__(number a, number b) { return number{a.value + b.value}; });
  BOOST_TEST(values_of(numbers) == (std::vector<std::int32_t>{3, 2, 6, 7, 2, 11, 13, 7}));
}

// What such functions return is accumulated.
BOOST_AUTO_TEST_CASE(unary_functions) {
  test::buffer<std::int32_t> items(std::vector<std::int32_t>{1, 2, 3, 4});
  test::buffer<float> out(4);
  std::vector<float> const expected{0.5f, 1.5f, 3.0f, 5.0f};
  mgpu::transform_inclusive_scan(mgpu::par, items.begin(), items.end(), out.begin(), half_of{}, cuda::std::plus<>{});
  BOOST_TEST(out.get() == expected);
  out.set(std::vector<float>(4));
  auto const half = [] __device__(std::int32_t x) -> float { return 0.5f * static_cast<float>(x); };
  mgpu::transform_inclusive_scan(mgpu::par, items.begin(), items.end(), out.begin(), half, cuda::std::plus<>{});
  BOOST_TEST(out.get() == expected);
}

BOOST_AUTO_TEST_SUITE_END()
