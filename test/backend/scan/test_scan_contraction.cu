// Whoever computes a tile's aggregate rounds alike, also where the scan's function multiplies: to fuse its product
// with a sum rounds once less, and the sums of a run must not depend on who was late. The source is compiled so that
// the compiler fuses what it can.
#include <support/schedules.h>
#include <support/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <tuple>
#include <vector>

namespace {

// Returns items that nearly cancel each other, so that the rounding of one product is what is left of a sum.
template <class T>
std::vector<T> cancelling_items(std::size_t count) {
  std::vector<T> made;
  for (std::size_t i = 0; i < count; ++i) {
    T const item = T{1} + static_cast<T>(i / 2 * 2654435761u % 1000) / T{1024};
    made.push_back(i % 2 == 0 ? item : -item);
  }
  return made;
}

struct times_a_third {
  template <class T>
  __host__ __device__ T operator()(T x) const {
    return x * (T{1} / T{3});
  }
};

// This tuning has no patience: whoever waits for an aggregate computes it at once.
template <int... numbers>
using impatient = test::scan_tuning<numbers..., 3, 1, 0>;
using kernels = std::tuple<impatient<2, 3, 1, 1>, impatient<1, 1, 1, 1>, impatient<1, 2, 3, 2>>;

// The machine must have the instructions that the test is compiled to.
struct can_fuse : test::can_run {
  boost::test_tools::assertion_result operator()(boost::unit_test::test_unit_id id) const {
#if defined(MGPU_EMULATED) && defined(__x86_64__)
    if (!__builtin_cpu_supports("fma")) {
      boost::test_tools::assertion_result result(false);
      result.message() << "no fused multiplication and addition on this machine";
      return result;
    }
#endif
    return test::can_run::operator()(id);
  }
};

// Compares with sums of products that were rounded before the call, where there is nothing to fuse.
template <class T, class Selector>
std::vector<T> sums_of_products(std::vector<T> items) {
  for (T& item : items) item = times_a_third{}(item);
  test::buffer<T> data(items);
  mgpu::inclusive_scan(test::tuned(Selector{}), data.begin(), data.end(), data.begin());
  return data.get();
}

template <class T, class Selector>
void check_products() {
  auto const items = cancelling_items<T>(2500);
  auto const expected = sums_of_products<T, Selector>(items);
  test::for_each_schedule(50, [&](std::uint32_t) {
    test::buffer<T> data(items);
    mgpu::transform_inclusive_scan(test::tuned(Selector{}), data.begin(), data.end(), data.begin(), times_a_third{},
                                   cuda::std::plus<>{});
    BOOST_TEST(test::same_bytes(data.get(), expected));
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scan_contraction, *boost::unit_test::precondition(can_fuse{}))

BOOST_AUTO_TEST_CASE_TEMPLATE(products, Selector, kernels) {
  check_products<float, Selector>();
  check_products<double, Selector>();
}

BOOST_AUTO_TEST_SUITE_END()
