// A block that stops, for as long as others run, never hangs the scan: those who wait for its tile compute themselves
// what they need. Without that the scan hangs, which the emulator reports.
#include <emulator/emulator.h>
#include <support/scans.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(scan_starvation)

namespace {

namespace emulator = mgpu::emulator;

using plain = test::scan_tuning<2, 1, 1, 1>;
using pipelined = test::scan_tuning<2, 1, 3, 2, 1>;
using kernels = std::tuple<plain, pipelined>;

// A wait of so many polls is far longer than any that the emulator lets pass for one.
constexpr int for_ever = 1 << 12;
using no_fallback =
    std::tuple<test::scan_tuning<2, 1, 1, 1, 2, 2, for_ever>, test::scan_tuning<2, 1, 3, 2, 1, 2, for_ever>>;

// Counts how often each item is read.
struct read_item {
  std::uint32_t const* items;
  unsigned* reads;
  std::uint32_t operator()(std::int64_t i) const {
    ++reads[i];
    return items[i];
  }
};

emulator::options starving(unsigned victim, std::uint64_t starve_after) {
  emulator::options chosen;
  chosen.blocks = emulator::block_policy::starve;
  chosen.victim = victim;
  chosen.starve_after = starve_after;
  return chosen;
}

// Scans `count` items under a schedule. Returns how many of the items before the last tile were read more than once:
// they belong to tiles that somebody else computed. (The last item of all is read again to fill up its tile.)
template <class Selector>
std::size_t scan_under(emulator::options const& schedule, std::size_t count) {
  emulator::with_options const scope(schedule);
  auto const items = test::make_items<std::uint32_t>(count);
  auto const expected = test::scan_one_by_one<std::uint32_t>(items, {}, cuda::std::plus<>{});
  test::guarded_items<std::uint32_t> out(count);
  std::vector<unsigned> reads(count, 0);
  auto const first = thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}),
                                                     read_item{items.data(), reads.data()});
  mgpu::inclusive_scan(mgpu::par.with_tuning(Selector{}), first, first + count, out.begin());
  BOOST_TEST(out.holds(expected.inclusive), emulator::describe(schedule));
  auto const last_tile = reads.begin() + (count - 1) / Selector::tile_items * Selector::tile_items;
  BOOST_TEST((std::find(reads.begin(), reads.end(), 0u) == reads.end()));
  return static_cast<std::size_t>(std::count_if(reads.begin(), last_tile, [](unsigned times) { return times > 1; }));
}

// Returns how many blocks a launch for so many items has.
template <class Selector>
unsigned blocks_of(std::size_t count) {
  emulator::reset_stats();
  scan_under<Selector>(emulator::options{}, count);
  return static_cast<unsigned>(emulator::total_stats().blocks);
}

constexpr std::size_t count = 9 * plain::tile_items + 5;

}  // namespace

// Every block is stopped at every step of its first tiles.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_starved_block_never_hangs_the_scan, Selector, kernels) {
  unsigned const blocks = blocks_of<Selector>(count);
  BOOST_TEST(blocks > 2u);
  std::size_t computed_by_others = 0;
  for (unsigned victim = 0; victim < blocks; ++victim) {
    for (std::uint64_t steps = 0; steps < 1500; steps += 1 + steps / 20) {
      computed_by_others += scan_under<Selector>(starving(victim, steps), count);
    }
  }
  BOOST_TEST(computed_by_others > 0u);
}

// A block stops beside other orders of threads and blocks, in larger scans.
BOOST_AUTO_TEST_CASE_TEMPLATE(beside_other_orders, Selector, kernels) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    emulator::options chosen = emulator::schedule(seed);
    chosen.blocks = emulator::block_policy::starve;
    chosen.victim = static_cast<unsigned>(seed % 4);
    chosen.starve_after = seed * 7 % 400;
    scan_under<Selector>(chosen, 1000 + seed);
  }
}

// Where nobody stops, and all blocks are in flight, none computes the tile of another.
BOOST_AUTO_TEST_CASE_TEMPLATE(no_fallback_where_all_progress, Selector, no_fallback) {
  BOOST_TEST(scan_under<Selector>(emulator::options{}, count) == 0u);
}

// Some moment lies between the ticket and the aggregate; a block that stops there is waited for in vain.
BOOST_AUTO_TEST_CASE_TEMPLATE(without_fallback_it_hangs, Selector, no_fallback) {
  int hangs = 0;
  for (std::uint64_t steps = 0; steps < 300 && hangs < 3; steps += 20) {
    try {
      scan_under<Selector>(starving(0, steps), count);
    } catch (emulator::error const& error) {
      ++hangs;
      std::string const what = error.what();
      BOOST_TEST(what.find("livelock") != std::string::npos, what);
      BOOST_TEST(what.find("scan_kernel") != std::string::npos, what);
      BOOST_TEST(what.find("starved") != std::string::npos, what);
    }
  }
  BOOST_TEST(hangs == 3);
}

BOOST_AUTO_TEST_SUITE_END()
