// Measures rows on two clocks.
//
// The device clock is that of events before and after the work, on an idle stream, with scratch memory at hand, so it
// contains the gaps between launches where the GPU outruns the host. The wall clock is the host's, from the call until
// the result is there, in a run of its own. Each run gets its input afresh, which is not timed. The first run of each
// clock warms up, and its result is the one that is verified.
#pragma once
#include <harness/problem.h>
#include <string>
#include <vector>

namespace perf {

struct effort {
  int min_runs = 5;
  int max_runs = 401;    // as a launch takes half a microsecond more or less from run to run
  double seconds = 0.1;  // of a row, after which no further run starts, once there are min_runs
  bool wall_clock = true;
};

// What was measured of a row, in microseconds, each sorted.
struct measurement {
  std::vector<double> device;
  std::vector<double> wall;  // is empty where there was no wall clock
  std::string failure;       // says what was wrong with the result, or what was thrown, if anything
};

inline double median(std::vector<double> const& sorted) {
  std::size_t const half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// Measures each of the candidates on the same data. They take turns: once a round, in an order drawn anew, as after some
// libraries whoever comes next is up to a microsecond quicker. (Google Benchmark's random interleaving has no rounds:
// it shuffles all repetitions of all rows.) One that fails takes no further part, while the others do.
std::vector<measurement> measure(std::vector<candidate const*> const& candidates, input const& data,
                                 cudaStream_t stream, effort const& limits);

}  // namespace perf
