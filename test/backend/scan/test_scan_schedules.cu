// The scan over some tiles, by both kernels, gives the same result under every schedule. Schedules include starved
// blocks, which others wait for in vain.
#include <support/schedules.h>
#include <support/scans.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_schedules, *boost::unit_test::precondition(test::can_run{}))

namespace {

// The tunings have three blocks for each multiprocessor, so that the victims that schedules draw are among the
// blocks.
using plain = test::scan_tuning<1, 2, 1, 1, 3>;
using pipelined = test::scan_tuning<1, 2, 3, 2, 3>;
// A cluster takes up to eight tiles.
using clustered = test::scan_tuning<1, 2, 1, 1, 3, 2, 8, 8>;
using kernels = std::tuple<plain, pipelined, clustered>;

std::size_t drawn_count(std::uint32_t seed, std::size_t most = 900) { return 1 + seed * 7919 % most; }

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(out_of_place, Selector, kernels) {
  test::for_each_schedule(1000, [](std::uint32_t seed) {
    auto const items = test::make_items<test::affine>(drawn_count(seed), seed);
    auto const expected = test::scan_one_by_one<test::affine>(items, {}, test::compose{});
    test::guarded_items<test::affine> in(items);
    test::guarded_items<test::affine> out(items.size());
    test::guarded_items<test::affine> total(1);
    mgpu::inclusive_scan_with_total(test::tuned(Selector{}), in.begin(), in.end(), out.begin(), total.begin(),
                                    test::compose{});
    BOOST_TEST(out.holds(expected.inclusive));
    BOOST_TEST(total.holds({*expected.total}));
    BOOST_TEST(in.holds(items));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(in_place, Selector, kernels) {
  test::for_each_schedule(1000, [](std::uint32_t seed) {
    auto const items = test::make_items<std::uint32_t>(drawn_count(seed), seed);
    auto const expected =
        test::scan_one_by_one<std::uint32_t>(items, std::optional<std::uint32_t>(seed), cuda::std::plus<>{});
    test::guarded_items<std::uint32_t> data(items);
    test::guarded_items<std::uint32_t> total(1);
    mgpu::exclusive_scan_with_total(test::tuned(Selector{}), data.begin(), data.end(), data.begin(), total.begin(),
                                    seed);
    BOOST_TEST(data.holds(expected.exclusive));
    BOOST_TEST(total.holds({*expected.total}));
  });
}

// The tiles take more than one turn of the look-back, which reads 32 of them.
BOOST_AUTO_TEST_CASE_TEMPLATE(many_tiles, Selector, kernels) {
  test::for_each_schedule(30, [](std::uint32_t seed) {
    auto const items = test::make_items<std::uint64_t>(drawn_count(seed, 80) + 64 * 70, seed);
    auto const expected = test::scan_one_by_one<std::uint64_t>(items, {}, cuda::std::plus<>{});
    test::guarded_items<std::uint64_t> data(items);
    mgpu::inclusive_scan(test::tuned(Selector{}), data.begin(), data.end(), data.begin());
    BOOST_TEST(data.holds(expected.inclusive));
  });
}

#if defined(MGPU_EMULATED)
// Nothing that is written depends on what shared or scratch memory held before.
BOOST_AUTO_TEST_CASE_TEMPLATE(unwritten_memory, Selector, kernels) {
  auto const items = test::make_items<std::uint32_t>(700);
  BOOST_CHECK_NO_THROW(mgpu::emulator::check_fill_independence([&] {
    test::buffer<std::uint32_t> data(items);
    mgpu::inclusive_scan(test::tuned(Selector{}), data.begin(), data.end(), data.begin());
    return data.get();
  }));
}
#endif

BOOST_AUTO_TEST_SUITE_END()
