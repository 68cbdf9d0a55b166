// The fallback of the look-back is right at its busiest: whoever waits computes what is missing at once, beside the
// block whose work that is, under many schedules.
#include <support/schedules.h>
#include <support/scans.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_fallback, *boost::unit_test::precondition(test::can_run{}))

namespace {

// These tunings have three blocks for each multiprocessor, so that the victims that schedules draw are among the
// blocks; one window; and no patience.
using impatient_plain = test::scan_tuning<1, 2, 1, 1, 3, 1, 0>;
using impatient_pipelined = test::scan_tuning<1, 2, 3, 2, 3, 1, 0>;
using impatient_kernels = std::tuple<impatient_plain, impatient_pipelined>;

struct join_neighbours {
  unsigned* flag;
  __host__ __device__ test::piece operator()(test::piece const& a, test::piece const& b) const {
    if (!a.is_whole() || !b.is_whole() || a.end != b.begin) *flag = 1;
    return test::piece::of(a.begin, b.end);
  }
};
// Returns the item as it is, and raises a flag for what is not one of the items.
struct check_item {
  unsigned* flag;
  __host__ __device__ test::piece operator()(test::piece const& item) const {
    if (!item.is_whole() || item.end != item.begin + 1) *flag = 1;
    return item;
  }
};

std::size_t drawn_count(std::uint32_t seed) { return 1 + seed * 7919 % 900; }

}  // namespace

// Pieces of a text are joined in place. The operator is only ever given neighbours, whoever combines them, and never
// what a tile's own block has put in the place of the input meanwhile, as a whole or in part.
BOOST_AUTO_TEST_CASE_TEMPLATE(order, Selector, impatient_kernels) {
  test::for_each_schedule(500, [](std::uint32_t seed) {
    auto const count = static_cast<std::uint32_t>(drawn_count(seed));
    test::buffer<unsigned> flag(std::vector<unsigned>{0});
    test::guarded_items<test::piece> data(test::make_items<test::piece>(count));
    mgpu::inclusive_scan(test::tuned(Selector{}), data.begin(), data.end(), data.begin(), test::piece::of(0, 1),
                         join_neighbours{flag.begin()});
    std::vector<test::piece> expected;
    for (std::uint32_t i = 0; i < count; ++i) expected.push_back(test::piece::of(0, i + 2));
    BOOST_TEST(data.holds(expected));
    BOOST_TEST(flag.get()[0] == 0u);
  });
}

// The unary function is only ever given items of the input, too.
BOOST_AUTO_TEST_CASE_TEMPLATE(transformed, Selector, impatient_kernels) {
  test::for_each_schedule(500, [](std::uint32_t seed) {
    auto const count = static_cast<std::uint32_t>(drawn_count(seed));
    test::buffer<unsigned> flag(std::vector<unsigned>{0});
    test::guarded_items<test::piece> data(test::make_items<test::piece>(count));
    mgpu::transform_inclusive_scan(test::tuned(Selector{}), data.begin(), data.end(), data.begin(),
                                   check_item{flag.begin()}, join_neighbours{flag.begin()});
    std::vector<test::piece> expected;
    for (std::uint32_t i = 0; i < count; ++i) expected.push_back(test::piece::of(1, i + 2));
    BOOST_TEST(data.holds(expected));
    BOOST_TEST(flag.get()[0] == 0u);
  });
}

#if defined(MGPU_EMULATED)
// Reads an item as an atomic, at which schedules interrupt threads. So the tile's own block overwrites half-way, in
// place, what another one reads for it.
struct read_item {
  std::uint32_t* items;
  std::uint32_t operator()(std::int64_t i) const { return mgpu::detail::simt::load_relaxed(items[i]); }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(overwritten_while_read, Selector, impatient_kernels) {
  test::for_each_schedule(1000, [](std::uint32_t seed) {
    auto const items = test::make_items<std::uint32_t>(drawn_count(seed), seed);
    auto const expected = test::scan_one_by_one<std::uint32_t>(items, {}, cuda::std::plus<>{});
    test::guarded_items<std::uint32_t> data(items);
    auto const first =
        thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), read_item{data.begin()});
    mgpu::inclusive_scan(test::tuned(Selector{}), first, first + items.size(), data.begin());
    BOOST_TEST(data.holds(expected.inclusive));
  });
}
#endif

BOOST_AUTO_TEST_SUITE_END()
