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

// One run on one clock: refilled, then timed. Leaves the result's place in `result`.
class runner {
 public:
  runner(candidate& of, dataset& data, cudaStream_t stream) : of_(of), data_(data), stream_(stream) {}

  double on_device() {
    refill();
    begin_.record(stream_);
    result_ = of_.enqueue(stream_);
    end_.record(stream_);
    end_.wait();
    return microseconds(begin_, end_);
  }

  double on_wall() {
    refill();
    auto const start = host_clock::now();
    result_ = of_.call(stream_);
    return microseconds_since(start);
  }

  void verify(bool spoil_result) {
    if (spoil_result) data_.spoil(result_, stream_);
    std::string const wrong = data_.verify(result_, of_.keeps_order(), stream_);
    if (!wrong.empty()) throw std::runtime_error("WRONG RESULT: " + wrong);
  }

 private:
  void refill() {
    data_.refill(of_.in_place(), stream_);
    check(cudaStreamSynchronize(stream_), "refill");
  }

  candidate& of_;
  dataset& data_;
  cudaStream_t stream_;
  event begin_, end_;
  columns result_;
};

}  // namespace

std::vector<measurement> measure(std::vector<candidate*> const& candidates, dataset& data, std::int64_t n,
                                 cudaStream_t stream, effort const& limits, bool spoil_result) {
  std::vector<measurement> measured(candidates.size());
  std::deque<runner> runners;
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Unless it failed before.
  auto const run_each = [&](auto run) {
    for (std::size_t const k : order) {
      if (!measured[k].failure.empty()) continue;
      try {
        run(k);
      } catch (std::exception const& error) {
        measured[k].failure = error.what();
      }
    }
  };

  for (candidate* const of : candidates) runners.emplace_back(*of, data, stream);
  run_each([&](std::size_t k) {
    candidates[k]->prepare(data, n, stream);
    runners[k].on_device();
    runners[k].verify(spoil_result);
    if (limits.wall_clock) {
      runners[k].on_wall();
      runners[k].verify(false);
    }
  });

  std::mt19937_64 random;
  auto const start = host_clock::now();
  double const most_us = limits.seconds * 1e6 * static_cast<double>(candidates.size());
  for (int i = 0; i < limits.max_runs; ++i) {
    if (i >= limits.min_runs && microseconds_since(start) > most_us) break;
    std::shuffle(order.begin(), order.end(), random);
    run_each([&](std::size_t k) {
      measured[k].device.push_back(runners[k].on_device());
      if (limits.wall_clock) measured[k].wall.push_back(runners[k].on_wall());
    });
  }
  for (measurement& one : measured) {
    std::sort(one.device.begin(), one.device.end());
    std::sort(one.wall.begin(), one.wall.end());
  }
  return measured;
}

}  // namespace perf
