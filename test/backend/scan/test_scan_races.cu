// Small scans by both kernels run under a race checker, which judges by the barriers and hand-overs between two
// accesses. They are out of place: in place, whoever recomputes a tile reads input that may be overwritten, and
// throws it away.
#include <support/scans.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(scan_races, *boost::unit_test::precondition(test::can_run{}))

namespace {

// One of four orders interrupts threads at their atomics, and one stops a block, so that others compute its tile.
template <class Run>
void in_some_orders(Run run) {
  test::for_each_thread_order(
      4,
      [](auto& schedule) {
        if (schedule.seed == 3) schedule.preempt_permille = 200;
        if (schedule.seed == 4) schedule.blocks = decltype(schedule.blocks)::starve;
        schedule.starve_after = 40;
      },
      run);
}

template <class Selector, class T, class Op>
void check(std::size_t count, Op op) {
  auto const items = test::make_items<T>(count);
  T const init = test::make_item<T>(999);
  auto const plain = test::scan_one_by_one<T>(items, {}, op);
  auto const after = test::scan_one_by_one<T>(items, std::optional<T>(init), op);
  in_some_orders([&] {
    test::guarded_items<T> in(items);
    test::guarded_items<T> out(count);
    test::guarded_items<T> total(1);
    auto const policy = test::tuned(Selector{});
    mgpu::inclusive_scan(policy, in.begin(), in.end(), out.begin(), op);
    BOOST_TEST(out.holds(plain.inclusive));
    mgpu::exclusive_scan_with_total(policy, in.begin(), in.end(), out.begin(), total.begin(), init, op);
    BOOST_TEST(out.holds(after.exclusive));
    BOOST_TEST(total.holds({*after.total}));
  });
}

using plain = test::scan_tuning<2, 1, 1, 1, 1, 1, 2>;
using pipelined = test::scan_tuning<2, 1, 3, 2, 1, 1, 2>;
using clustered = test::scan_tuning<2, 1, 1, 1, 1, 1, 2, 4>;
using two_stages = test::scan_tuning<1, 3, 2, 1, 1, 2, 2>;
constexpr std::size_t tile = plain::tile_items;

}  // namespace

BOOST_AUTO_TEST_CASE(one_tile) {
  check<plain, std::uint32_t>(tile - 3, cuda::std::plus<>{});
  check<pipelined, std::uint32_t>(tile - 3, cuda::std::plus<>{});
}
BOOST_AUTO_TEST_CASE(plain_kernel) { check<plain, std::uint32_t>(4 * tile - 3, cuda::std::plus<>{}); }
BOOST_AUTO_TEST_CASE(cluster) { check<clustered, std::uint32_t>(4 * tile - 3, cuda::std::plus<>{}); }
// There are more tiles than stages, so each stage is used again.
BOOST_AUTO_TEST_CASE(pipeline) { check<pipelined, std::uint32_t>(8 * tile - 3, cuda::std::plus<>{}); }
BOOST_AUTO_TEST_CASE(pipeline_of_two_stages) { check<two_stages, std::uint32_t>(6 * 96 + 1, cuda::std::plus<>{}); }
BOOST_AUTO_TEST_CASE(large_items) {
  check<plain, test::matrix<2>>(4 * tile, test::multiply{});
  check<pipelined, test::matrix<2>>(4 * tile, test::multiply{});
  check<clustered, test::matrix<2>>(4 * tile, test::multiply{});
}

BOOST_AUTO_TEST_SUITE_END()
