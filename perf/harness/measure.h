// This measures rows on two clocks.
//
// The device clock is that of events before and after the work, on an idle stream, with scratch memory at hand. So it
// contains the gaps between launches where the GPU outruns the host. The wall clock is the host's, from the call
// until the result is there, in a run of its own. Each run gets its input afresh, which is not timed. The first run
// by each clock warms up, and its result is verified.
#pragma once
#include <harness/problem.h>
#include <chrono>
#include <deque>
#include <random>

namespace perf {

struct effort {
  int min_runs = 5;
  int max_runs = 401;    // as a launch takes half a microsecond more or less from run to run
  double seconds = 0.1;  // end a row, once there are min_runs
  bool wall_clock = true;
  bool spoils_results = false;  // has verification see results of which some bytes are wrong
};

// These are the times of a row in microseconds, sorted.
struct measurement {
  std::size_t bytes;  // have to be read and written by a call at the very least
  std::vector<double> device{};
  std::vector<double> wall{};  // is empty where there was no wall clock
  std::string failure{};       // says what was wrong with the result, or what was thrown, if anything
};

inline double median(std::vector<double> const& sorted) {
  std::size_t const half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// This runs one candidate on either clock.
struct runner {
  candidate const& of;
  measurement& found;
  job work;

  // Makes the work memory a copy of the input, or rubbish for calls that only write there.
  void get_input() {
    input const& data = work.data;
    auto const spoil = [](memory const& column, std::size_t bytes) {
      if (bytes > 0) check(cudaMemsetAsync(column.get(), 0xa5, bytes, stream()), "cudaMemsetAsync");
    };
    if (data.in_place) copy_async(data.work, data.in);
    if (!data.in_place) spoil(data.work.keys, data.work.key_bytes), spoil(data.work.values, data.work.value_bytes);
    wait_for_stream();
    work.result = &data.work;
    if (of.scatter) of.scatter(work);
  }

  double on_device() {
    static cudaEvent_t begin = nullptr, end = nullptr;
    if (begin == nullptr) check(cudaEventCreate(&begin), "cudaEventCreate");
    if (end == nullptr) check(cudaEventCreate(&end), "cudaEventCreate");
    get_input();
    check(cudaEventRecord(begin, stream()), "cudaEventRecord");
    of.enqueue(work);
    check(cudaEventRecord(end, stream()), "cudaEventRecord");
    check(cudaEventSynchronize(end), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    return milliseconds * 1e3;
  }

  double on_wall() {
    get_input();
    auto const start = std::chrono::steady_clock::now();
    (of.call ? of.call : of.enqueue)(work);
    if (!of.call) wait_for_stream();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  }

  void verify(bool spoils_result) {
    if (of.gather) of.gather(work);
    if (spoils_result) {
      std::size_t const all = work.data.work.key_bytes, bytes = std::min<std::size_t>(all, 16);
      char* const middle = as<char>(work.result->keys) + (all - bytes) / 2;
      check(cudaMemsetAsync(middle, 0x5a, bytes, stream()), "cudaMemsetAsync");
    }
    std::string const wrong = work.data.verify(*work.result, of.keeps_order);
    if (!wrong.empty()) throw std::runtime_error("WRONG RESULT: " + wrong);
  }
};

// Measures each of the candidates on the same data. They take turns, once a round, in an order drawn anew, as what a
// launch takes drifts, and as after some libraries whoever comes next is up to a microsecond quicker. (Google
// Benchmark's random interleaving has no rounds: it shuffles all repetitions of all rows.) One that fails takes no
// further part, while the others do.
inline std::vector<measurement> measure(std::vector<candidate const*> const& candidates, input const& data,
                                        effort const& limits) {
  // There is a key and a result to be read and written, and a value to be moved.
  std::size_t const bytes = data.in.key_bytes + data.work.key_bytes + 2 * data.in.value_bytes;
  std::vector<measurement> measured(candidates.size(), measurement{bytes});
  std::deque<runner> runners;
  std::vector<runner*> order;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    order.push_back(&runners.emplace_back(runner{*candidates[i], measured[i], {data}}));
  }
  auto const run_each = [&](auto run) {
    for (runner* const one : order) {
      if (!one->found.failure.empty()) continue;
      try {
        run(*one);
      } catch (std::exception const& error) {
        one->found.failure = error.what();
      }
    }
  };

  run_each([&](runner& one) {
    one.on_device();
    one.verify(limits.spoils_results);
    if (!limits.wall_clock) return;
    one.on_wall();
    one.verify(limits.spoils_results);
  });

  std::mt19937_64 random;
  std::chrono::duration<double> const most(limits.seconds * candidates.size());
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < limits.max_runs; ++i) {
    if (i >= limits.min_runs && std::chrono::steady_clock::now() - start > most) break;
    std::shuffle(order.begin(), order.end(), random);
    run_each([&](runner& one) {
      one.found.device.push_back(one.on_device());
      if (limits.wall_clock) one.found.wall.push_back(one.on_wall());
    });
  }

  for (measurement& each : measured) {
    std::sort(each.device.begin(), each.device.end());
    std::sort(each.wall.begin(), each.wall.end());
  }
  return measured;
}

}  // namespace perf
