// Reductions run on the CPU, in every build and without a GPU, by mgpu::host, Thrust's host policies, and iterators
// of the host without a policy. Items need not be trivially copyable there, and operators may throw.
#include <mgpu/reduce.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(reduce_host)

namespace {

// Checks every function with these leading arguments: a policy or nothing.
template <class... Policy>
void check_all(Policy const&... policy) {
  for (int const count : {0, 1, 2, 1000}) {
    std::vector<int> items(static_cast<std::size_t>(count));
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += items[static_cast<std::size_t>(i)] = i * 7 % 100 - 50;
    auto const first = items.begin();
    auto const last = items.end();
    BOOST_TEST(mgpu::reduce(policy..., first, last) == sum);
    BOOST_TEST(mgpu::reduce(policy..., items.data(), items.data() + count, 5) == sum + 5);
    BOOST_TEST(mgpu::reduce(policy..., first, last, 0.5, std::plus<>{}) == sum + 0.5);
    BOOST_TEST(mgpu::transform_reduce(policy..., first, last, std::negate<>{}, 5, std::plus<>{}) == 5 - sum);
    int out = -1;
    mgpu::reduce_into(policy..., first, last, &out);
    BOOST_TEST(out == sum);
    mgpu::reduce_into(policy..., first, last, &out, 6);
    BOOST_TEST(out == sum + 6);
    mgpu::reduce_into(policy..., first, last, &out, 7, std::plus<>{});
    BOOST_TEST(out == sum + 7);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(mgpu_host) { check_all(mgpu::host); }
BOOST_AUTO_TEST_CASE(thrust_host) { check_all(thrust::host); }
BOOST_AUTO_TEST_CASE(thrust_seq) { check_all(thrust::seq); }
BOOST_AUTO_TEST_CASE(no_policy) { check_all(); }

BOOST_AUTO_TEST_CASE(strings_in_order) {
  std::deque<std::string> items;
  std::string expected = "start";
  for (int i = 0; i < 300; ++i) expected += items.emplace_back("a string of some length " + std::to_string(i));
  BOOST_TEST(mgpu::reduce(mgpu::host, items.begin(), items.end(), std::string("start")) == expected);
  std::string out;
  mgpu::reduce_into(items.begin(), items.end(), &out, std::string("start"), std::plus<>{});
  BOOST_TEST(out == expected);
}

// Items are converted before they are accumulated, not after.
BOOST_AUTO_TEST_CASE(accumulates_in_the_type_of_init) {
  std::vector<unsigned char> const bytes(1000, 200);
  BOOST_TEST(mgpu::reduce(mgpu::host, bytes.begin(), bytes.end(), 0) == 200000);
  BOOST_TEST(mgpu::reduce(mgpu::host, bytes.begin(), bytes.end()) == 200000 % 256);
  std::vector<double> const halves(10, 0.5);
  BOOST_TEST(mgpu::reduce(mgpu::host, halves.begin(), halves.end(), 3) == 3);
}

BOOST_AUTO_TEST_CASE(values_that_only_move) {
  using value = std::unique_ptr<int>;
  std::vector<int> const items{1, 2, 3};
  auto const sum = mgpu::transform_reduce(
      mgpu::host, items.begin(), items.end(), [](int i) { return std::make_unique<int>(i); },
      std::make_unique<int>(10), [](value a, value b) { return std::make_unique<int>(*a * 2 + *b); });
  BOOST_TEST(*sum == ((10 * 2 + 1) * 2 + 2) * 2 + 3);
}

BOOST_AUTO_TEST_CASE(rows) {
  std::vector<int> const a{1, 2, 3};
  std::vector<double> const b{0.5, 0.25, 2};
  auto const rows = thrust::make_zip_iterator(a.begin(), b.begin());
  auto const product = [](thrust::tuple<int, double> const& row) {
    return thrust::get<0>(row) * thrust::get<1>(row);
  };
  BOOST_TEST(mgpu::transform_reduce(mgpu::host, rows, rows + 3, product, 1.0, std::plus<>{}) == 8.0);
}

BOOST_AUTO_TEST_CASE(an_operator_that_throws) {
  std::vector<int> const items(100, 1);
  int out = -7;
  auto const op = [](int a, int b) { return a + b > 50 ? throw std::runtime_error("no more") : a + b; };
  BOOST_CHECK_THROW(mgpu::reduce(mgpu::host, items.begin(), items.end(), 0, op), std::runtime_error);
  BOOST_CHECK_THROW(mgpu::reduce_into(mgpu::host, items.begin(), items.end(), &out, 0, op), std::runtime_error);
  BOOST_TEST(out == -7);
}

BOOST_AUTO_TEST_SUITE_END()
