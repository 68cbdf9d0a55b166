// Each defect is found, and the report names it. The defects that only a sanitizer sees are in planted.cpp.
#include "checks.h"

namespace self_test {
namespace {

#if !defined(MGPU_EMULATOR_TSAN)  // to which these are races, see planted.cpp
BOOST_AUTO_TEST_CASE(missing_block_barrier) {
  BOOST_TEST(times_wrong([] { return reversed(reverse_kernel<false>, 3); }, expected_reversed(3, threads)) > 100u);
}

BOOST_AUTO_TEST_CASE(missing_warp_barrier) {
  BOOST_TEST(times_wrong([] { return reversed(reverse_warps_kernel<false>, 3); }, expected_reversed(3, 32)) > 100u);
}

BOOST_AUTO_TEST_CASE(missing_barrier_before_the_next_round) {
  BOOST_TEST(times_wrong([] { return rotated(rotate_kernel<false>); }, expected_rotated(threads)) > 100u);
  BOOST_TEST(times_wrong([] { return rotated(rotate_warps_kernel<false>); }, expected_rotated(32)) > 100u);
}
#endif

#if !defined(MGPU_EMULATOR_ASAN)  // which stops the program, see planted.cpp
BOOST_AUTO_TEST_CASE(overrun) {
  check_report([] { launch<tile_storage>(2, threads, overrun_kernel); },
               {"shared memory written out of bounds", "overrun_kernel", "by block"});
}
#endif

BOOST_AUTO_TEST_CASE(unwritten_shared_memory) {
  auto const run = [] {
    std::vector<word> const in = numbers(threads);
    std::vector<word> out(threads);
    launch<tile_storage>(1, threads, unwritten_kernel, in.data(), out.data());
    return out;
  };
  std::string const report = report_of([&] { emulator::check_fill_independence(run); });
  BOOST_TEST(contains(report, "depends on shared memory that nothing wrote"), report);
  BOOST_TEST(contains(report, "unwritten_kernel"), report);
}

BOOST_AUTO_TEST_CASE(unwritten_device_memory) {
  auto const run = [] {
    void* memory = nullptr;
    BOOST_TEST(cudaMalloc(&memory, 64) == cudaSuccess);
    int const first = *static_cast<int*>(memory);
    BOOST_TEST(cudaFree(memory) == cudaSuccess);
    return first;
  };
  std::string const report = report_of([&] { emulator::check_fill_independence(run); });
  BOOST_TEST(contains(report, "depends on device memory that nothing wrote"), report);
}

BOOST_AUTO_TEST_CASE(divergent_shuffle) {
  std::vector<word> out(64);
  check_report([&] { launch(1, 64, divergent_shuffle_kernel, out.data()); },
               {"divergent warp collective", "shuffle_up with mask 0xffffffff", "shuffle_down with mask 0xffffffff",
                "divergent_shuffle_kernel(unsigned int*)"});
}

BOOST_AUTO_TEST_CASE(shuffle_of_two_types) {
  check_report([&] { launch(1, 32, two_types_kernel); }, {"divergent warp collective", "of another type"});
}

BOOST_AUTO_TEST_CASE(barrier_in_divergent_code) {
  check_report([&] { launch(1, 64, divergent_barrier_kernel); },
               {"block barrier in divergent code", "sync_warp with mask 0xffffffff", "divergent_barrier_kernel"});
}

BOOST_AUTO_TEST_CASE(exited_lane) {
  std::vector<word> out(64);
  check_report([&] { launch(1, 64, exited_lane_kernel, out.data()); }, {"exited", "shuffle_down", "of block 0"});
}

BOOST_AUTO_TEST_CASE(missing_lane) {
  std::vector<word> out(40);
  check_report([&] { launch(1, 40, missing_lane_kernel, out.data()); },
               {"ballot with mask 0xffffffff: the mask names lanes that the block does not have"});
}

BOOST_AUTO_TEST_CASE(caller_outside_its_mask) {
  check_report([&] { launch(1, 32, foreign_mask_kernel); }, {"the calling lane is not in its mask; thread 3"});
}

BOOST_AUTO_TEST_CASE(shuffle_from_outside_the_mask) {
  std::vector<word> out(32);
  check_report([&] { launch(1, 32, outside_mask_kernel, out.data()); },
               {"shuffle_xor with mask", "outside the mask"});
}

BOOST_AUTO_TEST_CASE(storage_size_mismatch) {
  check_report([&] { launch<tile_storage>(1, 32, wrong_storage_kernel); },
               {"shared storage size mismatch: the kernel's storage is 64 bytes, the launch gave 384"});
}

BOOST_AUTO_TEST_CASE(too_much_shared_memory) {
  std::string const report = report_of([] {
    static_cast<void>(simt::enqueue(wrong_storage_kernel, {1, 32, 227 * 1024 + 1}, nullptr));
  });
  BOOST_TEST(contains(report, "shared memory over the limit of 232448 bytes"), report);
}

BOOST_AUTO_TEST_CASE(livelock) {
  word flag = 0;
  check_report([&] { launch(2, 64, wait_for_ever_kernel<true>, &flag); },
               {"livelock: 65537 pauses without progress", "wait_for_ever_kernel<true>", "thread", "of block",
                "block 0: threads 0-63 in spin_pause", "block 1: threads 0-63 in spin_pause"});
}

BOOST_AUTO_TEST_CASE(livelock_without_pauses) {
  word flag = 0;
  check_report([&] { launch(2, 64, wait_for_ever_kernel<false>, &flag); },
               {"livelock", "wait_for_ever_kernel<false>"});
}

BOOST_AUTO_TEST_CASE(deadlock) {
  check_report([&] { launch(1, 32, deadlock_kernel); },
               {"deadlock: no thread can run", "deadlock_kernel", "thread 0 in sync_warp with mask 0x3",
                "thread 1 in sync_warp with mask 0x6", "thread 2 in sync_warp with mask 0x5", "threads 3-31 ended"});
}

BOOST_AUTO_TEST_CASE(exception_in_a_kernel) {
  check_report([&] { launch(1, 32, throwing_kernel); }, {"exception in device code", "throwing_kernel"});
}

// Forward progress: what a scan may rely on, and what becomes of it where that does not hold.
BOOST_AUTO_TEST_CASE(tiles_by_block_number_backwards) {
  emulator::options backwards;
  backwards.descending_blocks = true;
  std::string const report = report_of([] { scanned(look_back_scan_kernel<false, false>, 20); }, backwards);
  BOOST_TEST(contains(report, "livelock"), report);
  BOOST_TEST(contains(report, "12 not started"), report);
}

BOOST_AUTO_TEST_CASE(starved_block_without_fallback) {
  emulator::options starving;
  starving.blocks = emulator::block_policy::starve;
  starving.victim = 3;
  starving.starve_after = 2;
  std::string const report = report_of([] { scanned(look_back_scan_kernel<false>, 20); }, starving);
  BOOST_TEST(contains(report, "livelock"), report);
  BOOST_TEST(contains(report, "starved"), report);
}

BOOST_AUTO_TEST_CASE(launched_early_without_waiting) {
  check_report([] { doubled_and_incremented(increment_kernel<false>); },
               {"launched early ends without wait_for_primary()", "thread 5 of block 0", "increment_kernel<false>"});
}

BOOST_AUTO_TEST_CASE(device_function_on_the_host) {
  std::string const report = report_of([] { simt::sync_block(); });
  BOOST_TEST(contains(report, "outside of a kernel"), report);
}

// After a failure the next launch runs as if nothing had been.
BOOST_AUTO_TEST_CASE(goes_on_after_failures) {
  for (unsigned i = 0; i < 20; ++i) {
    check_report([] { launch(1, 64, divergent_barrier_kernel); }, {"divergent"});
    BOOST_TEST((reversed(reverse_kernel<>, 3) == expected_reversed(3, threads)));
  }
}

BOOST_AUTO_TEST_CASE(refused_launches) {
  auto const status = [](std::int64_t num_blocks, int threads_per_block, std::size_t shared_bytes) {
    return simt::enqueue(throwing_kernel, {num_blocks, threads_per_block, shared_bytes}, nullptr);
  };
  BOOST_TEST(status(0, 32, 0) == cudaErrorInvalidConfiguration);
  BOOST_TEST(status(1, 0, 0) == cudaErrorInvalidConfiguration);
  BOOST_TEST(status(1, 1025, 0) == cudaErrorInvalidConfiguration);
  BOOST_TEST(status(1u << 31, 32, 0) == cudaErrorInvalidConfiguration);
  BOOST_TEST(status(1, 32, 48 * 1024 + 1) == cudaErrorInvalidValue);
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidValue);
}

}  // namespace
}  // namespace self_test
