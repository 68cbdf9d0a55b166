// The radix sort over some tiles gives the same result under every schedule. Schedules include starved blocks, whose
// tiles others count.
#include <backend/radix_sorts.h>
#include <support/schedules.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(onesweep_schedules, *boost::unit_test::precondition(test::can_run{}))

namespace {

// A digit has few bits, so that a bin has several items. There are three blocks for each multiprocessor, so that the
// victims that schedules draw are among the blocks.
using quick = test::onesweep_tuning<32, 2, 8, 4, 2, 3>;
using impatient = test::onesweep_tuning<32, 2, 0, 4, 3, 3, 1 << 20, false>;
using wide = test::onesweep_tuning<64, 2, 2, 8, 1, 3>;
using launches = test::onesweep_tuning<32, 2, 2, 4, 2, 3, 3 * 64>;
using launches_partial_last = test::onesweep_tuning<32, 2, 2, 4, 2, 3, 3 * 64, false>;

template <class Tuning, bool descending, class Key>
void check(std::uint64_t schedules) {
  test::for_each_schedule(schedules, [](std::uint32_t seed) {
    test::check_radix_sort<Tuning, descending>(test::radix_keys<Key>(1 + seed * 7919 % 700, seed));
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(usual) { check<quick, false, std::uint16_t>(1000); }
BOOST_AUTO_TEST_CASE(without_patience) { check<impatient, true, std::int16_t>(500); }
BOOST_AUTO_TEST_CASE(wide_digits) { check<wide, false, std::uint32_t>(150); }
BOOST_AUTO_TEST_CASE(several_launches) {
  check<launches, false, std::uint16_t>(200);
  check<launches_partial_last, false, std::uint16_t>(200);
}
BOOST_AUTO_TEST_CASE(one_block) { check<test::block_tuning<64, 12>, false, std::uint16_t>(500); }

// These keys count how often each of them is read. Some let whoever reads them for the pass wait, so that all others
// would have to wait for the counts of their tile, too.
struct counted_source {
  using value_type = std::uint16_t;
  std::uint16_t const* keys;
  unsigned* reads;
  bool some_are_late;
  std::int64_t at = 0;
  friend __host__ __device__ counted_source operator+(counted_source it, std::int64_t distance) {
    it.at += distance;
    return it;
  }
  __device__ std::uint16_t operator*() const {
    namespace simt = mgpu::detail::simt;
    bool const is_for_pass = simt::add_relaxed(reads[at], 1u) == 1;
    if (some_are_late && is_for_pass && at % 512 == 0) {
      for (int i = 0; i < 20'000; ++i) simt::spin_pause();
    }
    return keys[at];
  }
};

// Sorts, and returns how many keys were read more often than by the histogram and one pass.
std::size_t read_again(std::size_t count, bool some_are_late) {
  using one_pass = test::onesweep_tuning<32, 2, 8, 8, 2, 3, 1 << 20, false>;
  auto keys = test::radix_keys<std::uint16_t>(count, 1);
  for (auto& key : keys) key &= 0xFF;  // one pass
  test::buffer<std::uint16_t> in(keys);
  test::buffer<unsigned> reads(std::vector<unsigned>(count, 0));
  test::buffer<std::uint16_t> out(std::vector<std::uint16_t>(count, 0));
  mgpu::detail::no_values const none{};
  counted_source const source{in.begin(), reads.begin(), some_are_late};
  test::radix_sort<one_pass, false>(
      mgpu::detail::sort_to_copy(source, none, out.begin(), none, static_cast<std::int64_t>(count)));
  BOOST_TEST(test::same_bytes(out.get(), test::permuted(keys, test::radix_order<false>(keys))));
  auto const times = reads.get();
  return static_cast<std::size_t>(std::count_if(times.begin(), times.end(), [](unsigned n) { return n > 2; }));
}

#if defined(MGPU_EMULATED)

namespace emulator = mgpu::emulator;

// A block that stops at any step never hangs the sort: others count its tile.
BOOST_AUTO_TEST_CASE(a_starved_block_never_hangs_the_sort) {
  std::size_t counted_by_others = 0;
  for (unsigned victim = 0; victim < 4; ++victim) {
    for (std::uint64_t steps = 0; steps < 3000; steps += 1 + steps / 10) {
      emulator::options chosen;
      chosen.blocks = emulator::block_policy::starve;
      chosen.victim = victim;
      chosen.starve_after = steps;
      emulator::with_options const scope(chosen);
      BOOST_TEST_CONTEXT(emulator::describe(chosen)) { counted_by_others += read_again(12 * 64 + 5, false); }
    }
  }
  BOOST_TEST(counted_by_others > 0u);
}

BOOST_AUTO_TEST_CASE(unwritten_memory) {
  auto const keys = test::radix_keys<std::uint32_t>(700, 3);
  BOOST_CHECK_NO_THROW(emulator::check_fill_independence([&] {
    test::buffer<std::uint32_t> data(keys);
    mgpu::detail::no_values const none{};
    test::radix_sort<wide, false>(mgpu::detail::sort_in_place(data.begin(), none, none, 700));
    return data.get();
  }));
}

#else

// Blocks that are late on purpose are not waited for.
BOOST_AUTO_TEST_CASE(tiles_of_late_blocks_are_counted_by_others) { BOOST_TEST(read_again(50'000, true) > 0u); }

#endif

BOOST_AUTO_TEST_SUITE_END()
