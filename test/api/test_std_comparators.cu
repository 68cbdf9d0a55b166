// The function objects of the standard library do on the device, too, what they do on the host. Comparators, typed or
// transparent, name the natural order as those of cuda::std and Thrust do.
#include <mgpu/merge.h>
#include <mgpu/reduce.h>
#include <mgpu/scan.h>
#include <mgpu/sort.h>
#include <api/items.h>
#include <api/tunings.h>
#include <cuda/std/functional>
#include <thrust/functional.h>
#include <cstdint>
#include <functional>
#include <vector>

namespace {

// With an order and a sum that are not those of its operators.
struct own {
  std::int32_t number;
  __host__ __device__ friend bool operator<(own a, own b) { return a.number < b.number; }
  __host__ __device__ friend own operator+(own a, own b) { return {a.number + b.number}; }
};

}  // namespace
template <>
struct std::less<own> {
  __host__ __device__ bool operator()(own a, own b) const { return b.number < a.number; }
};
template <>
struct std::plus<own> {
  __host__ __device__ own operator()(own a, own b) const { return {a.number ^ b.number}; }
};

namespace {

template <class Comp, class Reference>
void check(Comp comp, Reference reference) {
  auto const policy = test::tuned(test::small_sort{});
  auto const input = test::keys<std::int32_t>(test::pattern::random, 1500);
  auto const expected = test::permuted(input, test::stable_order<std::int32_t>(input, reference));
  test::buffer<std::int32_t> keys(input);
  mgpu::sort(policy, keys.begin(), keys.end(), comp);
  BOOST_TEST(test::same_bytes(keys.get(), expected));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(std_comparators, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(ascending) {
  check(std::less<>{}, std::less<>{});
  check(std::less<std::int32_t>{}, std::less<>{});
  check(cuda::std::less<std::int32_t>{}, std::less<>{});
  check(thrust::less<std::int32_t>{}, std::less<>{});
}

BOOST_AUTO_TEST_CASE(descending) {
  check(std::greater<>{}, std::greater<>{});
  check(std::greater<std::int32_t>{}, std::greater<>{});
  check(cuda::std::greater<std::int32_t>{}, std::greater<>{});
  check(thrust::greater<std::int32_t>{}, std::greater<>{});
}

BOOST_AUTO_TEST_CASE(merging) {
  auto const a = test::keys<std::int32_t>(test::pattern::sorted, 700);
  auto const b = test::keys<std::int32_t>(test::pattern::sorted, 900);
  std::vector<std::int32_t> expected(1600);
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  test::buffer<std::int32_t> first(a);
  test::buffer<std::int32_t> second(b);
  test::buffer<std::int32_t> out(1600);
  mgpu::merge(test::tuned(test::small_merge{}), first.begin(), first.end(), second.begin(), second.end(), out.begin(),
              std::less<>{});
  BOOST_TEST(test::same_bytes(out.get(), expected));
}

BOOST_AUTO_TEST_CASE(specialised) {
  auto const numbers = test::keys<std::int32_t>(test::pattern::random, 700);
  std::vector<own> input;
  for (std::int32_t const number : numbers) input.push_back({number});
  test::buffer<own> items(input), out(input.size());
  auto sum = input;
  for (std::size_t i = 1; i < sum.size(); ++i) sum[i] = std::plus<own>()(sum[i - 1], sum[i]);
  mgpu::inclusive_scan(test::policy, items.begin(), items.end(), out.begin(), std::plus<own>());
  BOOST_TEST(test::same_bytes(out.get(), sum));
  own const total = mgpu::reduce(test::policy, items.begin(), items.end(), own{0}, std::plus<own>());
  BOOST_TEST(total.number == sum.back().number);

  mgpu::sort(test::tuned(test::small_sort{}), items.begin(), items.end(), std::less<own>());
  BOOST_TEST(test::same_bytes(items.get(), test::permuted(input, test::stable_order<own>(input, std::less<own>()))));
}

BOOST_AUTO_TEST_CASE(of_one_argument) {
  auto const input = test::keys<std::uint32_t>(test::pattern::few_distinct, 700);
  test::buffer<std::uint32_t> items(input), out(input.size());
  auto sums = input;
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = (i > 0 ? sums[i - 1] : 0u) - input[i];
  auto const total =
      mgpu::transform_reduce(test::policy, items.begin(), items.end(), std::negate<>(), 0u, std::plus<>());
  BOOST_TEST(total == sums.back());
  mgpu::transform_inclusive_scan(test::policy, items.begin(), items.end(), out.begin(), std::negate<std::uint32_t>(),
                                 std::plus<>());
  BOOST_TEST(test::same_bytes(out.get(), sums));
}

BOOST_AUTO_TEST_SUITE_END()
