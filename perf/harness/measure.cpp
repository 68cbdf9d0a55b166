// The measuring loop: see measure.h.
#include <harness/measure.h>
#include <algorithm>
#include <chrono>

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

  std::string verify(bool spoil_result) {
    if (spoil_result) data_.spoil(result_, stream_);
    return data_.verify(result_, of_.keeps_order(), stream_);
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

measurement measure(candidate& of, dataset& data, std::int64_t n, cudaStream_t stream, effort const& limits,
                    bool spoil_result) {
  measurement measured;
  of.prepare(data, n, stream);
  runner run(of, data, stream);

  run.on_device();
  measured.wrong = run.verify(spoil_result);
  if (!measured.wrong.empty()) return measured;
  if (limits.wall_clock) {
    run.on_wall();
    measured.wrong = run.verify(false);
    if (!measured.wrong.empty()) return measured;
  }

  auto const start = host_clock::now();
  for (int i = 0; i < limits.max_runs; ++i) {
    if (i >= limits.min_runs && microseconds_since(start) > limits.seconds * 1e6) break;
    measured.device.push_back(run.on_device());
    if (limits.wall_clock) measured.wall.push_back(run.on_wall());
  }
  std::sort(measured.device.begin(), measured.device.end());
  std::sort(measured.wall.begin(), measured.wall.end());
  return measured;
}

}  // namespace perf
