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

// Makes the work memory a copy of the input, or for calls that write only there, rubbish.
void refill(void* to, void const* from, std::size_t bytes, job const& of) {
  if (bytes == 0) return;
  if (of.data.in_place) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, of.stream), "cudaMemcpyAsync");
  } else {
    check(cudaMemsetAsync(to, 0xa5, bytes, of.stream), "cudaMemsetAsync");
  }
}
void refill(job const& of) {
  input const& data = of.data;
  refill(data.work.keys, data.in.keys, data.result_bytes, of);
  refill(data.work.values, data.in.values, data.value_bytes, of);
  check(cudaStreamSynchronize(of.stream), "refill");
}

// Spoils one item of a result, to show that this is found.
void spoil(columns result, job const& of) {
  std::size_t const item_bytes = of.data.result_bytes / static_cast<std::size_t>(of.data.num_results);
  std::size_t const middle = static_cast<std::size_t>(of.data.num_results / 2) * item_bytes;
  check(cudaMemsetAsync(static_cast<char*>(result.keys) + middle, 0x5a, item_bytes, of.stream), "cudaMemsetAsync");
}

// One candidate's runs on either clock.
struct runner {
  runner(candidate const& of, input const& data, cudaStream_t stream) : of(of), work{data, stream} {}

  double on_device() {
    refill(work);
    begin.record(work.stream);
    result = of.enqueue(work);
    end.record(work.stream);
    end.wait();
    return microseconds(begin, end);
  }

  double on_wall() {
    refill(work);
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
  event begin, end;
  columns result;  // of the last run
};

}  // namespace

std::vector<measurement> measure(std::vector<candidate const*> const& candidates, input const& data,
                                 cudaStream_t stream, effort const& limits, bool spoil_result) {
  std::vector<measurement> measured(candidates.size());
  std::deque<runner> runners;
  for (candidate const* const of : candidates) runners.emplace_back(*of, data, stream);
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Each runs unless it failed before.
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
    if (spoil_result) spoil(one.result, one.work);
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
