// The reduction over some blocks gives the same result under every schedule, starved blocks included, and for
// floating-point sums the same to the bit.
#include <support/reductions.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(reduce_schedules, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Sums floats of very different sizes, so that any other order of additions rounds otherwise.
template <class T, class Policy>
void check_same_bits(Policy const& policy, std::size_t count, std::uint64_t schedules) {
  auto input = test::drawn<T>(count);
  for (std::size_t i = 0; i < count; i += 3) input[i] *= static_cast<T>(1e6);
  test::buffer<T> items(input, 1);
  std::vector<T> results;
  test::for_each_schedule(schedules, [&](std::uint32_t) {
    results.push_back(mgpu::reduce(policy, items.begin(), items.end(), T(0.1)));
    test::result_place<T> place;
    mgpu::reduce_into(policy, items.begin(), items.end(), place.get(), T(0.1));
    results.push_back(place.read());
  });
  for (T const result : results) BOOST_REQUIRE(test::same_value(result, results.front()));
}

template <class T, class Selector>
void check_order(Selector selector, std::uint64_t schedules, std::uint32_t most_items) {
  test::for_each_schedule(schedules, [&](std::uint32_t seed) {
    test::check_intervals<T>(test::tuned(selector), seed * 7919 % most_items, seed % 4);
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_blocks) { check_order<test::interval<8, 8>>(test::tiny_reduce{}, 1000, 900); }
BOOST_AUTO_TEST_CASE(blocks_of_two_warps) { check_order<test::interval<8, 4>>(test::small_reduce{}, 500, 3000); }
BOOST_AUTO_TEST_CASE(clusters) { check_order<test::interval<8, 4>>(test::clustered_reduce{}, 500, 3000); }
BOOST_AUTO_TEST_CASE(large_items) { check_order<test::interval<64, 16>>(test::tiny_reduce{}, 300, 700); }
BOOST_AUTO_TEST_CASE(as_many_blocks_as_may_be) {
  check_order<test::interval<12>>(test::reduce_tuning<32, 1, 32, 1, 128, 1>{}, 100, 5000);
}

BOOST_AUTO_TEST_CASE(same_bits) {
  check_same_bits<float>(test::tuned(test::tiny_reduce{}), 2500, 300);
  check_same_bits<double>(test::tuned(test::small_reduce{}), 2500, 100);
  check_same_bits<float>(test::tuned(test::clustered_reduce{}), 2500, 200);
  check_same_bits<float>(test::tuned(test::clustered_reduce{}), 4500, 100);
}

#if !defined(MGPU_EMULATED)
BOOST_AUTO_TEST_CASE(same_bits_in_100_runs) {
  for (std::size_t const count : {1000, 20001, 1000003, 30000001}) {
    check_same_bits<float>(test::policy, count, 100);
    check_same_bits<double>(test::policy, count, 100);
  }
}
#endif

// The kernel reads nothing that was not written before.
#if defined(MGPU_EMULATED)
BOOST_AUTO_TEST_CASE(what_memory_held_before_is_of_no_matter) {
  for (std::size_t const count : {0, 1, 77, 1001}) {
    auto const input = test::drawn<std::uint32_t>(count);
    test::buffer<std::uint32_t> items(input, 1);
    mgpu::emulator::check_fill_independence([&] {
      test::result_place<std::uint32_t> place;
      auto const policy = test::tuned(test::tiny_reduce{});
      mgpu::reduce_into(policy, items.begin(), items.end(), place.get(), 3u);
      return std::vector<std::uint32_t>{place.read(), mgpu::reduce(policy, items.begin(), items.end(), 3u)};
    });
  }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
