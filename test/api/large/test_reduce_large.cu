// Reductions are right for inputs of real size, on a GPU only: 2^28 items, and more than 2^32.
#include <support/reductions.h>
#include <thrust/iterator/counting_iterator.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(reduce_large, *boost::unit_test::precondition(test::can_run{}))

BOOST_AUTO_TEST_CASE(in_order) {
  for (std::size_t const count : {std::size_t{1} << 24, (std::size_t{1} << 27) + 12345}) {
    for (std::size_t const shift : {0, 1}) test::check_intervals<test::interval<8, 8>>(mgpu::par, count, shift);
  }
  test::check_intervals<test::interval<12>>(mgpu::par, (std::size_t{1} << 25) + 777, 1);
  test::check_intervals<test::interval<64, 16>>(mgpu::par, (std::size_t{1} << 23) + 77, 1);
}

BOOST_AUTO_TEST_CASE(beyond_32_bit_counts) {
  std::size_t const count = (std::size_t{1} << 32) + 12345;
  std::vector<std::uint8_t> const input = test::drawn<std::uint8_t>(count);
  test::buffer<std::uint8_t> items(input, 5);
  std::uint64_t const sum = mgpu::reduce(mgpu::par, items.begin(), items.end(), std::uint64_t{7});
  BOOST_TEST(sum == test::expected_reduction(input, std::uint64_t{7}, cuda::std::plus<>{}));
  BOOST_TEST((mgpu::transform_reduce(mgpu::par, items.begin(), items.end(), test::to_affine{}, test::affine64{1, 99},
                                     test::compose64{}) == test::expected_affine(input)));
}

BOOST_AUTO_TEST_CASE(computed_beyond_32_bit_counts) {
  std::int64_t const count = (std::int64_t{5} << 32) + 99;
  auto const first = thrust::make_counting_iterator(std::int64_t{0});
  auto const sum = mgpu::reduce(mgpu::par, first, first + count, std::uint64_t{0});
  auto const n = static_cast<std::uint64_t>(count);
  BOOST_TEST(sum == (n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n));
}

BOOST_AUTO_TEST_SUITE_END()
