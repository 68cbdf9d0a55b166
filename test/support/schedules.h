// The same check under many schedules.
#pragma once
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#if defined(MGPU_EMULATED)
#include <emulator/emulator.h>
#endif

namespace test {

// Calls run(seed) under `count` schedules of the emulator, each with another seed to draw input from. ASan is slow, and
// cares for addresses rather than for what comes first: a fifth of them will do. A GPU schedules as it likes, so there
// a few inputs are enough.
template <class Run>
void for_each_schedule([[maybe_unused]] std::uint64_t count, Run run) {
#if defined(MGPU_EMULATED)
#if defined(MGPU_EMULATOR_ASAN)
  count = (count + 4) / 5;
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

}  // namespace test
