// A range whose last is before its first is empty to every function: nothing is written, outputs come back as they
// were given, a reduction is its init.
#include <support/calls.h>
#include <support/items.h>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(backward_ranges, *boost::unit_test::precondition(test::can_run{}))

// A merge has two ranges, each with half of the length.
BOOST_AUTO_TEST_CASE_TEMPLATE(nothing_is_written, Function, test::all_overloads) {
  for (std::size_t const length : {0, 1, 2, 4, 40, 80}) {
    BOOST_TEST_CONTEXT("length -" << length) {
      test::call<Function> call(test::backward{length});
      call.run(test::policy);
      BOOST_TEST(call.done());
    }
  }
}

// Nothing is asked of the runtime, either.
#if !defined(MGPU_TEST_HOST)
BOOST_AUTO_TEST_CASE_TEMPLATE(scratch, Function, test::functions) {
  test::call<Function> call(test::backward{40});
  std::size_t bytes = 1;
  call.run(mgpu::par.query_scratch(bytes));
  BOOST_TEST(bytes == 0u);
  BOOST_TEST(call.untouched());
}
#endif

// A range in order beside one that is backward comes out alone.
BOOST_AUTO_TEST_CASE(merges_with_one_range) {
  constexpr std::size_t count = 100;
  auto const sorted = test::keys<std::int32_t>(test::pattern::sorted, count);
  auto const before = test::keys<std::int32_t>(test::pattern::random, count);
  test::buffer<std::int32_t> in(sorted), other(before);
  auto* const first = other.begin() + 50;
  auto* const last = first - 3;
  for (bool const second_is_backward : {false, true}) {
    test::buffer<std::int32_t> out(before);
    auto* const end = second_is_backward ? mgpu::merge(test::policy, in.begin(), in.end(), first, last, out.begin())
                                         : mgpu::merge(test::policy, first, last, in.begin(), in.end(), out.begin());
    BOOST_TEST(end == out.end());
    BOOST_TEST(test::same_bytes(out.get(), sorted));
  }
}

BOOST_AUTO_TEST_SUITE_END()
