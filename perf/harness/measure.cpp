// The measuring loop: see measure.h.
#include <harness/measure.h>
#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

namespace perf {

namespace {

using host_clock = std::chrono::steady_clock;

double microseconds_since(host_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(host_clock::now() - start).count();
}

// Makes the work memory a copy of the input, or rubbish for calls that only write there.
void refill(input const& data, cudaStream_t stream) {
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

// One candidate's runs on either clock.
struct runner {
  runner(candidate const& of, input const& data, cudaStream_t stream) : of(of), work{data, stream} {}

  double on_device() {
    refill(work.data, work.stream);
    check(cudaEventRecord(begin.get(), work.stream), "cudaEventRecord");
    result = of.enqueue(work);
    check(cudaEventRecord(end.get(), work.stream), "cudaEventRecord");
    check(cudaEventSynchronize(end.get()), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e3;
  }

  double on_wall() {
    refill(work.data, work.stream);
    auto const start = host_clock::now();
    result = of.call(work);
    return microseconds_since(start);
  }

  void verify() const {
    std::string const wrong = work.data.verify(result, of.keeps_order, work.stream);
    if (!wrong.empty()) throw std::runtime_error("WRONG RESULT: " + wrong);
  }

  candidate const& of;
  job work;
  event begin = make_event(), end = make_event();
  columns result;  // of the last run
};

}  // namespace

std::vector<measurement> measure(std::vector<candidate const*> const& candidates, input const& data,
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
