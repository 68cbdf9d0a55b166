// thrust::reduce and its kin under mgpu's policies run mgpu's; Thrust's own algorithms that reduce still work.
#include <support/reductions.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(reduce_thrust, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Thrust's operands may come in any order; mgpu keeps them.
template <class Policy>
void check(Policy const& policy) {
  std::uint32_t const count = 100003;
  test::buffer<test::interval<8, 8>> numbers(test::numbers_from<test::interval<8, 8>>(1, count));
  test::interval<8, 8> const sum =
      thrust::reduce(policy, numbers.begin(), numbers.end(), test::interval<8, 8>(0), test::join_intervals{});
  BOOST_TEST(test::same_value(sum, test::interval<8, 8>(0, count)));

  auto const input = test::drawn<std::uint8_t>(count);
  thrust::device_vector<std::uint8_t> const items(input.begin(), input.end());
  BOOST_TEST((thrust::transform_reduce(policy, items.begin(), items.end(), test::to_affine{}, test::affine64{1, 99},
                                       test::compose64{}) == test::expected_affine(input)));
  BOOST_TEST(thrust::reduce(policy, items.begin(), items.end(), 5) ==
             test::expected_reduction(input, 5, cuda::std::plus<>{}));
  BOOST_TEST(thrust::reduce(policy, items.begin(), items.end()) ==
             test::expected_reduction(input, std::uint8_t{0}, cuda::std::plus<>{}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(policies_of_mgpu) {
  check(mgpu::par);
  check(mgpu::par_nosync);
  check(mgpu::par.with_tuning(test::small_reduce{}));
}

BOOST_AUTO_TEST_CASE(algorithms_of_thrust) {
  std::vector<int> input(10001);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<int>(i * 7919 % 10007);
  thrust::device_vector<int> const items(input.begin(), input.end());
  long dot = 0;
  for (int const item : input) dot += long{item} * item;
  BOOST_TEST(thrust::inner_product(mgpu::par, items.begin(), items.end(), items.begin(), 0L) == dot);
  BOOST_TEST(thrust::count(mgpu::par, items.begin(), items.end(), 7919) == 1);
  BOOST_TEST(*thrust::max_element(mgpu::par, items.begin(), items.end()) ==
             *std::max_element(input.begin(), input.end()));
  BOOST_TEST(thrust::all_of(mgpu::par, items.begin(), items.end(), [] __host__ __device__(int i) { return i >= 0; }));
}

BOOST_AUTO_TEST_CASE(device_vectors) {
  auto const input = test::drawn<std::uint32_t>(50000);
  thrust::device_vector<std::uint32_t> const items(input.begin(), input.end());
  std::uint32_t const sum = test::expected_reduction(input, 0u, cuda::std::plus<>{});
  BOOST_TEST(mgpu::reduce(items.begin(), items.end()) == sum);
  BOOST_TEST(mgpu::reduce(mgpu::par, items.begin(), items.end(), 4u) == sum + 4u);
  thrust::device_vector<std::uint32_t> out(1);
  mgpu::reduce_into(items.begin(), items.end(), out.begin());
  BOOST_TEST(out[0] == sum);
}

BOOST_AUTO_TEST_SUITE_END()
