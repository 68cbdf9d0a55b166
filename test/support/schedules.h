// A check is made under many schedules of the emulator.
#pragma once
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#if defined(MGPU_EMULATED)
#include <emulator/emulator.h>
#endif

namespace test {

// Calls run(seed) under `count` schedules of the emulator, each with another seed to draw input from. ASan is slow, and
// cares for addresses rather than for what comes first: a tenth of them will do. A GPU schedules as it likes, so there
// a few inputs are enough.
template <class Run>
void for_each_schedule([[maybe_unused]] std::uint64_t count, Run run) {
#if defined(MGPU_EMULATED)
#if defined(MGPU_EMULATOR_ASAN)
  count = (count + 9) / 10;
#endif
  mgpu::emulator::for_each_schedule(1, count, [&] {
    auto const& schedule = mgpu::emulator::config();
    BOOST_TEST_CONTEXT(mgpu::emulator::describe(schedule)) { run(static_cast<std::uint32_t>(schedule.seed)); }
  });
#else
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) { run(seed); }
  }
#endif
}

// Calls run() in `count` orders of threads, with few blocks in flight, for a race checker, which judges by the barriers
// between two accesses. adapt(schedule) may change a schedule of the emulator.
template <class Adapt, class Run>
void for_each_thread_order([[maybe_unused]] std::uint64_t count, [[maybe_unused]] Adapt adapt, Run run) {
#if defined(MGPU_EMULATED)
  using namespace mgpu::emulator;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    options chosen;
    chosen.seed = seed;
    chosen.threads = thread_order::shuffled;
    chosen.blocks = block_policy::random;
    chosen.resident = 2;
    adapt(chosen);
    with_options const scope(chosen);
    run();
  }
#else
  run();
#endif
}

}  // namespace test
