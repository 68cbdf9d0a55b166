// Right kernels give the right result under every schedule, and neither the emulator nor a sanitizer reports
// anything.
#include "checks.h"
#include <algorithm>
#include <cstdlib>

namespace self_test {
namespace {

constexpr unsigned num_blocks = 10;

BOOST_AUTO_TEST_CASE(block_barrier) {
  auto const expected = expected_reversed(num_blocks, threads);
  under_all_schedules([&] { CHECK_SAME(reversed(reverse_kernel<>, num_blocks), expected); });
}

BOOST_AUTO_TEST_CASE(warp_barrier) {
  auto const expected = expected_reversed(num_blocks, 32);
  under_all_schedules([&] { CHECK_SAME(reversed(reverse_warps_kernel<>, num_blocks), expected); });
}

BOOST_AUTO_TEST_CASE(two_barriers_a_round) {
  under_all_schedules([&] { CHECK_SAME(rotated(rotate_kernel<>), expected_rotated(threads)); });
}

BOOST_AUTO_TEST_CASE(two_warp_barriers_a_round) {
  under_all_schedules([&] { CHECK_SAME(rotated(rotate_warps_kernel<>), expected_rotated(32)); });
}

BOOST_AUTO_TEST_CASE(look_back_with_fallback) {
  auto const expected = expected_scanned(num_blocks);
  under_all_schedules([&] { CHECK_SAME(scanned(look_back_scan_kernel<true>, num_blocks), expected); });
}

BOOST_AUTO_TEST_CASE(look_back_without_fallback) {
  auto const expected = expected_scanned(num_blocks);
  under_all_schedules([&] { CHECK_SAME(scanned(look_back_scan_kernel<false>, num_blocks), expected); }, false);
}

BOOST_AUTO_TEST_CASE(hand_over) {
  under_all_schedules(
      [&] {
        word data = 0, flag = 0;
        std::vector<word> out(4);
        emulator::options forwards = emulator::config();
        forwards.descending_blocks = false;  // block 0 must get to run
        emulator::with_options const scope(forwards);
        launch(4, 32, hand_over_kernel<>, &data, &flag, out.data());
        CHECK_SAME(out, (std::vector<word>{0, 42, 42, 42}));
      },
      false);
}

BOOST_AUTO_TEST_CASE(shared_atomics) {
  std::vector<word> const in = numbers(num_blocks * threads);
  std::vector<word> expected(16);
  for (word item : in) ++expected[item % 16];
  under_all_schedules([&] {
    std::vector<word> bins(16);
    launch<histogram_storage>(num_blocks, threads, histogram_kernel, in.data(), bins.data());
    CHECK_SAME(bins, expected);
  });
}

BOOST_AUTO_TEST_CASE(half_warps) {
  std::vector<word> expected;
  for (word lane = 0; lane < 32; ++lane) {
    bool const low = lane < 16;
    word const half = low ? 0x0000ffffu : 0xffff0000u;
    word const neighbour = low ? std::max(lane, 1u) - 1 : std::min(lane + 1, 31u);
    word const results[half_warp_results] = {
        0x49249249u & half, low,  !low, (0x11111111u << lane % 4) & half, low ? 5u : 21u, lane ^ 1,
        neighbour,          lane, 16};
    expected.insert(expected.end(), std::begin(results), std::end(results));
  }
  under_all_schedules([&] {
    std::vector<word> out(expected.size());
    launch(1, 32, half_warps_kernel, out.data());
    CHECK_SAME(out, expected);
  });
}

BOOST_AUTO_TEST_CASE(results_do_not_depend_on_fill) {
  emulator::check_fill_independence([] { return reversed(reverse_kernel<>, num_blocks); });
  emulator::check_fill_independence([] { return scanned(look_back_scan_kernel<>, num_blocks); });
}

BOOST_AUTO_TEST_CASE(counts) {
  emulator::reset_stats();
  reversed(reverse_kernel<>, num_blocks);
  emulator::stats const one = emulator::last_stats();
  BOOST_TEST(one.launches == 1u);
  BOOST_TEST(one.blocks == num_blocks);
  BOOST_TEST(one.barriers == num_blocks);
  BOOST_TEST(one.collectives == 0u);
  BOOST_TEST(one.shared_bytes == sizeof(tile_storage));
  BOOST_TEST(one.switches >= num_blocks * threads * 2);
  reversed(reverse_warps_kernel<>, 2);
  BOOST_TEST(emulator::last_stats().collectives == 2 * threads / 32);
  BOOST_TEST(emulator::last_stats().barriers == 0u);
  BOOST_TEST(emulator::total_stats().launches == 2u);
  BOOST_TEST(emulator::total_stats().blocks == num_blocks + 2);
}

BOOST_AUTO_TEST_CASE(one_seed_from_the_environment) {
  BOOST_TEST(emulator::seeds(5, 100).first == 5u);
  BOOST_TEST(emulator::seeds(5, 100).count == 100u);
  setenv("MGPU_EMULATOR_SEED", "17", 1);
  unsigned runs = 0;
  emulator::for_each_schedule(5, 100, [&] { runs += emulator::config().seed == 17; });
  unsetenv("MGPU_EMULATOR_SEED");
  BOOST_TEST(runs == 1u);
  BOOST_TEST(emulator::config().seed == emulator::options{}.seed);
}

BOOST_AUTO_TEST_CASE(launched_early) {
  under_all_schedules(
      [] { BOOST_TEST((doubled_and_incremented(increment_kernel<>) == expected_doubled_and_incremented())); });
  // In a kernel that is not launched early the wait does nothing.
  std::vector<word> const in = numbers(threads);
  std::vector<word> out(threads);
  launch(1, threads, increment_kernel<>, in.data(), out.data());
  BOOST_TEST(out[3] == in[3] + 1);
}

// What a launch has waited for can be read before it has ended.
BOOST_AUTO_TEST_CASE(launched_early_after_waiting) {
  under_all_schedules([] {
    std::vector<word> const in = numbers(threads);
    std::vector<word> const out = incremented_early<true>();
    for (unsigned i = 0; i < threads; ++i) BOOST_TEST(out[i] == 2 * in[(i + 1) % threads] + 1);
  });
}

// The same seed makes the same run.
BOOST_AUTO_TEST_CASE(seeds_reproduce) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    emulator::with_options const scope(emulator::schedule(seed));
    scanned(look_back_scan_kernel<>, num_blocks);
    emulator::stats const first = emulator::last_stats();
    scanned(look_back_scan_kernel<>, num_blocks);
    BOOST_TEST(emulator::last_stats().switches == first.switches);
    BOOST_TEST(emulator::last_stats().spins == first.spins);
    BOOST_TEST(emulator::last_stats().preemptions == first.preemptions);
  }
}

}  // namespace
}  // namespace self_test
