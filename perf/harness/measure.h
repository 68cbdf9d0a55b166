// Runs rows on two clocks.
//
// Device clock: events before and after, on an idle stream, with scratch memory at hand; so it contains the gaps
// between launches where the GPU outruns the host. Wall clock: the host's, from the call until the result is there,
// in a run of its own. Each run gets its input afresh, which is not timed. The first run of each clock warms up, and
// its result is the one that is verified.
#pragma once
#include <harness/problem.h>
#include <cstddef>
#include <string>
#include <vector>

namespace perf {

struct effort {
  int min_runs = 5;
  int max_runs = 401;    // a launch takes half a microsecond more or less from run to run
  double seconds = 0.1;  // of a row, after which no further run starts, once there are min_runs
  bool wall_clock = true;
  // Libraries take turns on inputs of up to so many bytes: what a launch takes drifts by more than they differ there.
  std::size_t in_turns_bytes = std::size_t{64} << 20;
};

// What was measured of a row, in microseconds. No wall clock: empty.
struct measurement {
  std::vector<double> device;  // each sorted
  std::vector<double> wall;
  std::string failure;  // if there is one: what is wrong with the result, or what was thrown
};
inline double median(std::vector<double> const& sorted) {
  std::size_t const half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// Each of the candidates, on the same data, in turns: once a round, in an order drawn anew, as after some libraries
// whoever comes next is up to a microsecond quicker. (Google Benchmark's random interleaving has no rounds: it shuffles
// all repetitions of all rows.) One that fails takes no further part; the others do.
std::vector<measurement> measure(std::vector<candidate const*> const& candidates, input const& data,
                                 cudaStream_t stream, effort const& limits, bool spoil_result);

}  // namespace perf
