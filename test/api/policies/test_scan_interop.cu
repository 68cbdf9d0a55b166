// Thrust's scans under mgpu's policies land in mgpu, with and without an init.
#include <support/memory.h>
#include <support/scans.h>
#include <thrust/device_vector.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_interop, *boost::unit_test::precondition(test::can_run{}))

namespace {

constexpr std::size_t count = 140001;
using plus = cuda::std::plus<>;

// mgpu answers with a size and does nothing; Thrust's own algorithm would do its work.
template <class Run>
void check_lands_in_mgpu(Run run) {
  auto const before = test::make_items<std::int32_t>(count);
  test::buffer<std::int32_t> in(before);
  test::buffer<std::int32_t> out(before);
  std::size_t bytes = 0;
  BOOST_TEST((run(mgpu::par.query_scratch(bytes), in.begin(), in.end(), out.begin()) == out.end()));
  BOOST_TEST(bytes > 0u);
  BOOST_TEST(test::same_bytes(out.get(), before));
}

}  // namespace

BOOST_AUTO_TEST_CASE(scans_land_in_mgpu) {
  check_lands_in_mgpu([](auto p, auto a, auto b, auto out) { return thrust::inclusive_scan(p, a, b, out); });
  check_lands_in_mgpu([](auto p, auto a, auto b, auto out) { return thrust::inclusive_scan(p, a, b, out, plus{}); });
  check_lands_in_mgpu(
      [](auto p, auto a, auto b, auto out) { return thrust::inclusive_scan(p, a, b, out, 5, plus{}); });
  check_lands_in_mgpu([](auto p, auto a, auto b, auto out) { return thrust::exclusive_scan(p, a, b, out); });
  check_lands_in_mgpu([](auto p, auto a, auto b, auto out) { return thrust::exclusive_scan(p, a, b, out, 5); });
  check_lands_in_mgpu(
      [](auto p, auto a, auto b, auto out) { return thrust::exclusive_scan(p, a, b, out, 5, plus{}); });
}

BOOST_AUTO_TEST_CASE(transform_scans_land_in_mgpu) {
  using negate = cuda::std::negate<>;
  check_lands_in_mgpu([](auto p, auto a, auto b, auto out) {
    return thrust::transform_inclusive_scan(p, a, b, out, negate{}, plus{});
  });
  check_lands_in_mgpu([](auto p, auto a, auto b, auto out) {
    return thrust::transform_inclusive_scan(p, a, b, out, negate{}, 5, plus{});
  });
  check_lands_in_mgpu([](auto p, auto a, auto b, auto out) {
    return thrust::transform_exclusive_scan(p, a, b, out, negate{}, 5, plus{});
  });
}

BOOST_AUTO_TEST_CASE(results) {
  auto const items = test::make_items<std::int32_t>(count);
  auto const expected = test::scan_one_by_one<std::int32_t>(items, {}, plus{});
  test::stream const stream;
  test::buffer<std::int32_t> in(items);
  test::buffer<std::int32_t> out(count);
  thrust::inclusive_scan(mgpu::par, in.begin(), in.end(), out.begin());
  BOOST_TEST(test::same_bytes(out.get(), expected.inclusive));
  out.set(items);
  test::require(cudaDeviceSynchronize());
  thrust::inclusive_scan(mgpu::par_nosync.on(stream), in.begin(), in.end(), out.begin());
  test::require(cudaStreamSynchronize(stream));
  BOOST_TEST(test::same_bytes(out.get(), expected.inclusive));
}

#if defined(__CUDACC__)  // Thrust's containers need nvcc
BOOST_AUTO_TEST_CASE(device_vectors) {
  auto const items = test::make_items<std::int32_t>(count);
  auto const expected = test::scan_one_by_one<std::int32_t>(items, std::optional<std::int32_t>(0), plus{});
  thrust::device_vector<std::int32_t> const in(items.begin(), items.end());
  thrust::device_vector<std::int32_t> out(count);
  thrust::device_vector<std::int32_t> total(1);
  auto const check = [&](std::vector<std::int32_t> const& wanted) {
    std::vector<std::int32_t> result(count);
    thrust::copy(out.begin(), out.end(), result.begin());
    BOOST_TEST(test::same_bytes(result, wanted));
  };
  BOOST_TEST((mgpu::inclusive_scan(in.begin(), in.end(), out.begin()) == out.end()));
  check(expected.inclusive);
  mgpu::exclusive_scan_with_total(mgpu::par, in.begin(), in.end(), out.begin(), total.begin());
  check(expected.exclusive);
  BOOST_TEST(total[0] == *expected.total);
  mgpu::exclusive_scan_with_total(in.begin(), in.end(), out.begin(), total.begin(), 10);
  BOOST_TEST(total[0] == *expected.total + 10);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
