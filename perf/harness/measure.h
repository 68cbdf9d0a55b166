// This measures rows on two clocks.
//
// The device clock is that of events before and after the work, on an idle stream, with scratch memory at hand. So it
// contains the gaps between launches where the GPU outruns the host. The wall clock is the host's, from the call until
// the result is there, in a run of its own. Each run gets its input afresh, which is not timed. The first run by each
// clock warms up, and its result is verified.
#pragma once
#include <harness/problem.h>
#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf {

struct effort {
  int min_runs = 5;
  int max_runs = 401;    // as a launch takes half a microsecond more or less from run to run
  double seconds = 0.1;  // end a row, once there are min_runs
  bool wall_clock = true;
};

// These are the times of a row in microseconds, sorted.
struct measurement {
  std::vector<double> device;
  std::vector<double> wall;  // is empty where there was no wall clock
  std::string failure;       // says what was wrong with the result, or what was thrown, if anything
};

inline double median(std::vector<double> const& sorted) {
  std::size_t const half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

using host_clock = std::chrono::steady_clock;

inline double microseconds_since(host_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(host_clock::now() - start).count();
}

// Makes the work memory a copy of the input, or rubbish for calls that only write there.
inline void refill(input const& data, cudaStream_t stream) {
  auto const fill = [&](void* to, void const* from, std::size_t bytes) {
    if (bytes == 0) return;
    check(data.in_place ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream)
                        : cudaMemsetAsync(to, 0xa5, bytes, stream),
          "refill");
  };
  fill(data.work.keys, data.in.keys, data.result_bytes);
  fill(data.work.values, data.in.values, data.value_bytes);
  check(cudaStreamSynchronize(stream), "refill");
}

// This runs one candidate on either clock.
struct runner {
  runner(candidate const& of, input const& data, cudaStream_t stream) : of(of), work{data, stream} {}

  void get_input() {
    refill(work.data, work.stream);
    if (of.scatter) of.scatter(work);
  }

  double on_device() {
    get_input();
    check(cudaEventRecord(begin.get(), work.stream), "cudaEventRecord");
    result = of.enqueue(work);
    check(cudaEventRecord(end.get(), work.stream), "cudaEventRecord");
    check(cudaEventSynchronize(end.get()), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e3;
  }

  double on_wall() {
    get_input();
    auto const start = host_clock::now();
    result = of.call(work);
    return microseconds_since(start);
  }

  void verify() {
    if (of.gather) of.gather(work);
    std::string const wrong = work.data.verify(result, of.keeps_order, work.stream);
    if (!wrong.empty()) throw std::runtime_error("WRONG RESULT: " + wrong);
  }

  candidate const& of;
  job work;
  event begin = make_event(), end = make_event();
  columns result;  // is the last run's
};

// Measures each of the candidates on the same data. They take turns, once a round, in an order drawn anew, as after
// some libraries whoever comes next is up to a microsecond quicker. (Google Benchmark's random interleaving has no
// rounds: it shuffles all repetitions of all rows.) One that fails takes no further part, while the others do.
inline std::vector<measurement> measure(std::vector<candidate const*> const& candidates, input const& data,
                                        cudaStream_t stream, effort const& limits) {
  std::vector<measurement> measured(candidates.size());
  std::deque<runner> runners;
  for (candidate const* const of : candidates) runners.emplace_back(*of, data, stream);
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Runs each that has not failed yet.
  auto const run_each = [&](auto run) {
    for (std::size_t const k : order) {
      if (!measured[k].failure.empty()) continue;
      try {
        run(runners[k], measured[k]);
      } catch (std::exception const& error) {
        measured[k].failure = error.what();
      }
    }
  };

  run_each([&](runner& one, measurement&) {
    one.of.prepare(one.work);
    one.on_device();
    one.verify();
    if (limits.wall_clock) {
      one.on_wall();
      one.verify();
    }
  });

  std::mt19937_64 random;
  auto const start = host_clock::now();
  double const most_us = limits.seconds * 1e6 * static_cast<double>(candidates.size());
  for (int i = 0; i < limits.max_runs; ++i) {
    if (i >= limits.min_runs && microseconds_since(start) > most_us) break;
    std::shuffle(order.begin(), order.end(), random);
    run_each([&](runner& one, measurement& times) {
      times.device.push_back(one.on_device());
      if (limits.wall_clock) times.wall.push_back(one.on_wall());
    });
  }
  for (measurement& one : measured) {
    std::sort(one.device.begin(), one.device.end());
    std::sort(one.wall.begin(), one.wall.end());
  }
  return measured;
}

}  // namespace perf
