// The tests of kernels check right ones under all schedules, and broken ones by what is reported.
#pragma once
#include "launch.h"
#include <boost/test/unit_test.hpp>
#include <functional>

namespace self_test {

namespace emulator = mgpu::emulator;

#if defined(MGPU_EMULATOR_TSAN)
constexpr unsigned schedules = 40;  // dear, and races do not hide behind schedules here
#else
constexpr unsigned schedules = 1500;
#endif

// Runs under every order and policy, then under schedules that seeds give.
template <class Run>
void under_all_schedules(Run run, bool may_starve = true, unsigned seeds = schedules) {
  for (unsigned order = 0; order < 3; ++order) {
    for (unsigned policy = 0; policy < (may_starve ? 4 : 2); ++policy) {
      emulator::options chosen;
      chosen.threads = static_cast<emulator::thread_order>(order);
      chosen.blocks = static_cast<emulator::block_policy>(policy);
      chosen.victim = 3;
      chosen.starve_after = 2;
      emulator::with_options const scope(chosen);
      BOOST_TEST_CONTEXT(emulator::describe(chosen)) run();
    }
  }
  emulator::for_each_schedule(
      1, seeds,
      [&] {
        BOOST_TEST_CONTEXT(emulator::describe(emulator::config()))
        run();
      },
      may_starve);
}

// This makes one check a run, as thousands of messages about vectors would drown the one that matters.
#define CHECK_SAME(a, b) BOOST_TEST(((a) == (b)))

inline bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

// Returns what the emulator reports, in an order of threads.
inline std::string report_of(std::function<void()> const& run, emulator::options const& chosen = {}) {
  emulator::with_options const scope(chosen);
  try {
    run();
  } catch (emulator::error const& e) {
    return e.what();
  }
  return "nothing";
}

// Checks that the report has all of `parts`, whatever the order of threads.
inline void check_report(std::function<void()> const& run, std::vector<std::string> const& parts) {
  for (unsigned order = 0; order < 3; ++order) {
    emulator::options chosen;
    chosen.threads = static_cast<emulator::thread_order>(order);
    chosen.seed = 4711;
    std::string const report = report_of(run, chosen);
    for (std::string const& part : parts) {
      BOOST_TEST(contains(report, part), "'" << part << "' is not in the report: " << report);
    }
    BOOST_TEST(contains(report, "seed 4711"), report);
  }
}

// Returns under how many of 200 schedules the result is wrong.
template <class Run, class Result>
unsigned times_wrong(Run run, Result const& expected) {
  unsigned wrong = 0;
  emulator::for_each_schedule(1, 200, [&] { wrong += run() != expected; });
  return wrong;
}

}  // namespace self_test
