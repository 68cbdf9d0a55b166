// Every function that returns at once under par_nosync can be captured into a CUDA graph and replayed on other data
// each time.
#include <api/runtime/graphs.h>
#include <support/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <optional>
#include <vector>

BOOST_AUTO_TEST_SUITE(graphs, *boost::unit_test::precondition(test::can_run{}))

namespace {

// Captures a reduction to memory, and another one that reads what the first wrote.
template <class T, class Op>
void check_reductions(std::size_t count, T const& init, Op op) {
  test::buffer<T> in(count);
  test::buffer<T> result(std::vector<T>{init});
  test::buffer<T> again(std::vector<T>{init});
  std::vector<T> items;
  test::capture_and_replay(
      [&](auto const& policy) {
        mgpu::reduce_into(policy, in.begin(), in.end(), result.begin(), init, op);
        mgpu::reduce_into(policy, result.begin(), result.end(), again.begin(), init, op);
      },
      [&](std::uint32_t seed) {
        items = test::make_items<T>(count, seed);
        in.set(items);
      },
      [&](std::uint32_t) {
        T const sum = *test::scan_one_by_one<T>(items, std::optional<T>(init), op).total;
        BOOST_TEST(test::same_bytes(result.get(), {sum}));
        BOOST_TEST(test::same_bytes(again.get(), {op(init, sum)}));
      });
}

template <class T, class Op>
void check_scans(std::size_t count, T const& init, Op op) {
  test::buffer<T> in(count);
  test::buffer<T> out(count);
  test::buffer<T> total(1);
  std::vector<T> items;
  test::capture_and_replay(
      [&](auto const& policy) {
        mgpu::exclusive_scan_with_total(policy, in.begin(), in.end(), out.begin(), total.begin(), init, op);
        mgpu::inclusive_scan(policy, in.begin(), in.end(), in.begin(), op);
      },
      [&](std::uint32_t seed) {
        items = test::make_items<T>(count, seed);
        in.set(items);
      },
      [&](std::uint32_t) {
        auto const after = test::scan_one_by_one<T>(items, std::optional<T>(init), op);
        BOOST_TEST(test::same_bytes(out.get(), after.exclusive));
        BOOST_TEST(test::same_bytes(total.get(), {*after.total}));
        BOOST_TEST(test::same_bytes(in.get(), test::scan_one_by_one<T>(items, {}, op).inclusive));
      });
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_function_of_nothing) { test::check_captured<test::words, test::functions>(0); }
BOOST_AUTO_TEST_CASE(every_function_in_a_block) { test::check_captured<test::words, test::functions>(1000); }
BOOST_AUTO_TEST_CASE(every_function) { test::check_captured<test::words, test::functions>(100003); }

BOOST_AUTO_TEST_CASE(reductions) {
  for (std::size_t const count : {0, 1000, 1000003}) check_reductions<std::uint32_t>(count, 5, cuda::std::plus<>{});
}
BOOST_AUTO_TEST_CASE(reductions_in_order) {
  check_reductions<test::matrix<2>>(200003, test::matrix<2>::make(999), test::multiply{});
}

BOOST_AUTO_TEST_CASE(scans_of_one_tile) { check_scans<std::uint32_t>(1000, 5, cuda::std::plus<>{}); }
BOOST_AUTO_TEST_CASE(scans) { check_scans<std::uint32_t>(1000003, 5, cuda::std::plus<>{}); }
BOOST_AUTO_TEST_CASE(scans_in_order) {
  check_scans<test::matrix<2>>(200003, test::matrix<2>::make(999), test::multiply{});
}

// The total of no items can be captured.
BOOST_AUTO_TEST_CASE(scans_of_nothing) {
  test::buffer<std::uint32_t> total(1);
  std::uint32_t* const none = total.begin();
  test::capture_and_replay(
      [&](auto const& policy) {
        mgpu::exclusive_scan_with_total(policy, none, none, none, total.begin(), std::uint32_t{42});
      },
      [&](std::uint32_t seed) { total.set({seed}); }, [&](std::uint32_t) { BOOST_TEST(total.get()[0] == 42u); });
}

BOOST_AUTO_TEST_SUITE_END()
