// Scans run on the CPU, in every build and without a GPU, by mgpu::host, Thrust's host policies, and iterators of the
// host without a policy. Items need not be trivially copyable there, and operators may throw.
#include <support/calls.h>
#include <support/scan_functions.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_host)

namespace {

template <class... Policy>
void check(Policy const&... policy) {
  for (std::size_t const count : {0, 1, 2, 3, 1000}) {
    test::check_scan_functions<test::host_memory>(
        count, [] {}, policy...);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(mgpu_host) { check(mgpu::host); }
BOOST_AUTO_TEST_CASE(thrust_host) { check(thrust::host); }
BOOST_AUTO_TEST_CASE(thrust_seq) { check(thrust::seq); }
BOOST_AUTO_TEST_CASE(no_policy) { check(); }

BOOST_AUTO_TEST_CASE(in_place) {
  for (std::size_t const count : {0, 1, 2, 100}) {
    auto const items = test::make_items<test::affine>(count);
    test::affine const init(3, 4);
    auto const expected =
        test::scan_one_by_one<test::affine>(items, std::optional<test::affine>(init), test::compose{});
    auto const plain = test::scan_one_by_one<test::affine>(items, std::optional<test::affine>(), test::compose{});
    std::vector<test::affine> total{init};
    auto got = items;
    mgpu::inclusive_scan(mgpu::host, got.begin(), got.end(), got.begin(), test::compose{});
    BOOST_TEST(test::same_bytes(got, plain.inclusive));
    got = items;
    mgpu::exclusive_scan_with_total(mgpu::host, got.begin(), got.end(), got.begin(), total.begin(), init,
                                    test::compose{});
    BOOST_TEST(test::same_bytes(got, expected.exclusive));
    BOOST_TEST(test::same_bytes(total, {*expected.total}));
    got = items;
    mgpu::inclusive_scan_with_total(mgpu::host, got.begin(), got.end(), got.begin(), total.begin(), init,
                                    test::compose{});
    BOOST_TEST(test::same_bytes(got, expected.inclusive));
    BOOST_TEST(test::same_bytes(total, {*expected.total}));
  }
}

BOOST_AUTO_TEST_CASE(strings) {
  std::deque<std::string> const words{"one ", "two ", "three ", "and a word too long to lie within its object "};
  std::vector<std::string> out(words.size());
  std::string total;
  mgpu::inclusive_scan_with_total(words.begin(), words.end(), out.begin(), &total);
  BOOST_TEST(out[0] == "one ");
  BOOST_TEST(out[2] == "one two three ");
  BOOST_TEST(out[3] == total);
  mgpu::exclusive_scan_with_total(mgpu::host, words.begin(), words.end(), out.begin(), &total, std::string("zero "));
  BOOST_TEST(out[0] == "zero ");
  BOOST_TEST(out[3] == "zero one two three ");
  BOOST_TEST(total == out[3] + words[3]);
}

BOOST_AUTO_TEST_CASE(operators_with_state_that_throw) {
  std::vector<int> const items(100, 1);
  std::vector<int> out(100);
  int calls = 0;
  auto const op = [&calls](int a, int b) {
    if (++calls == 50) throw std::runtime_error("no more");
    return a + b;
  };
  BOOST_CHECK_EXCEPTION(mgpu::inclusive_scan(mgpu::host, items.begin(), items.end(), out.begin(), op),
                        std::runtime_error, [](auto const& e) { return std::string(e.what()) == "no more"; });
}

BOOST_AUTO_TEST_CASE(fancy_iterators) {
  auto const first = thrust::make_counting_iterator(std::int64_t{1});
  std::int64_t total = 0;
  mgpu::inclusive_scan_with_total(mgpu::host, first, first + 1000, thrust::make_discard_iterator(), &total);
  BOOST_TEST(total == 500500);

  std::vector<std::int64_t> sums(1000);
  mgpu::inclusive_scan(first, first + 1000, sums.begin());  // the output decides, as `first` is at home everywhere
  BOOST_TEST(sums.back() == 500500);
}

BOOST_AUTO_TEST_SUITE_END()
