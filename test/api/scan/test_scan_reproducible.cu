// Floating-point sums depend on the order of additions; a scan's is the same in each run, so its results are, to the
// bit, whatever blocks and threads happen to do first.
#include <support/schedules.h>
#include <support/scans.h>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_reproducible, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Returns numbers of sizes and signs so different that any other order of additions shows.
template <class T>
std::vector<T> wild_numbers(std::size_t count) {
  std::mt19937 random(7);
  std::vector<T> made(count);
  for (T& item : made) {
    T const sign = random() % 2 == 0 ? T{1} : T{-1};
    int const exponent = static_cast<int>(random() % 40) - 20;
    item = std::ldexp(sign * static_cast<T>(1 + random() % 1000000), exponent);
  }
  return made;
}

struct results {
  std::vector<float> inclusive;
  std::vector<double> exclusive;
  std::vector<double> total;
};

template <class Policy>
results run(Policy const& policy, std::size_t count) {
  test::buffer<float> floats(wild_numbers<float>(count));
  test::buffer<double> doubles(wild_numbers<double>(count));
  test::buffer<double> total(1);
  mgpu::inclusive_scan(policy, floats.begin(), floats.end(), floats.begin());
  mgpu::exclusive_scan_with_total(policy, doubles.begin(), doubles.end(), doubles.begin(), total.begin(), 0.1);
  return {floats.get(), doubles.get(), total.get()};
}

void check_same(results const& got, std::optional<results>& first) {
  if (!first) first = got;
  BOOST_TEST(test::same_bytes(got.inclusive, first->inclusive));
  BOOST_TEST(test::same_bytes(got.exclusive, first->exclusive));
  BOOST_TEST(test::same_bytes(got.total, first->total));
}

// Without patience, waiting blocks compute aggregates that are late, which must be the same, too.
using tunings = std::tuple<test::scan_tuning<2, 3, 1, 1, 3, 1, 0>, test::scan_tuning<1, 2, 3, 2, 3, 1, 0>,
                           test::scan_tuning<2, 4, 2, 1, 2, 2, 8>>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_hundred_schedules, Selector, tunings) {
  std::optional<results> first;
  test::for_each_schedule(100, [&](std::uint32_t) { check_same(run(test::tuned(Selector{}), 2500), first); });
}

// A device does as it likes, so it gets much work, so that there is something to be late with.
BOOST_AUTO_TEST_CASE(a_hundred_runs) {
#if defined(__CUDACC__)
  std::size_t const count = 3000000;
#else
  std::size_t const count = 15000;
#endif
  std::optional<results> first;
  for (int i = 0; i < 100; ++i) {
    check_same(run(test::policy, count), first);
#if !defined(__CUDACC__)
    if (i == 4) break;  // the emulator repeats itself, but for the memory it hands out
#endif
  }
}

BOOST_AUTO_TEST_CASE(other_memory) {
  std::optional<results> first;
  for (int i = 0; i < 5; ++i) {
    test::buffer<char> const between(static_cast<std::size_t>(i) * 1000 + 1);
    check_same(run(test::policy, 15000), first);
  }
}

BOOST_AUTO_TEST_SUITE_END()
