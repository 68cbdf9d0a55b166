// Runs the rows of a family in Google Benchmark: which are asked for, one after the other, into its console and JSON
// reports. Google Benchmark is given one iteration a row, whose manual time is the median of the device clock; how
// often a row is repeated, and on which clocks, is measure.h's.
#include <harness/candidate.h>
#include <harness/context.h>
#include <harness/copy_row.h>
#include <harness/measure.h>
#include <harness/options.h>
#include <benchmark/benchmark.h>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace {

using namespace perf;

constexpr int exit_without_rows = 3;
constexpr int exit_without_gpu = 77;
constexpr char const* spoilt_library = "spoilt";

// Google Benchmark adds to a row's name how it was run; here that is the same for all.
template <class Reporter>
class plain_names final : public Reporter {
 public:
  using Reporter::Reporter;
  void ReportRuns(std::vector<benchmark::BenchmarkReporter::Run> const& runs) override {
    auto renamed = runs;
    for (auto& run : renamed) {
      run.run_name.iterations.clear();
      run.run_name.time_type.clear();
    }
    Reporter::ReportRuns(renamed);
  }
};

// Runs rows. Rows that follow one another with the same input share it, and take turns where calls are short.
class bench {
 public:
  bench(std::vector<row> const& rows, effort const& limits) : rows_(rows), limits_(limits) {}
  ~bench() {
    if (data_ != nullptr) data_->release();
  }

  // To be called for each row in order.
  void run(std::size_t index, benchmark::State& state) {
    row const& what = rows_[index];
    try {
      dataset& data = select(what.kind->key, what.kind->data);
      if (!fits(what, data)) return skip(state);
      if (measured_.count(index) == 0) measure_from(index, data);
      measurement measured = std::move(measured_.extract(index).mapped());
      if (!measured.failure.empty()) return fail(state, measured.failure);
      report(state, what, data, measured);
      results_.push_back({what, std::move(measured)});
    } catch (std::exception const& error) {
      fail(state, error.what());
    }
  }

  int failures() const { return failures_; }
  std::vector<row_result> const& results() const { return results_; }

 private:
  cudaStream_t stream() {
    if (stream_ == nullptr) check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    return stream_;
  }

  dataset& select(std::string const& key, std::string const& data) {
    if (data_ == nullptr || data_names_ != std::pair(key, data)) {
      if (data_ != nullptr) data_->release();
      data_ = dataset_makers().at({key, data})();
      data_names_ = {key, data};
    }
    return *data_;
  }

  // The row, and those after it that take turns with it.
  void measure_from(std::size_t index, dataset& data) {
    row const& what = rows_[index];
    data.generate(what.from, what.n, stream());
    bool const spoil = what.kind->library == spoilt_library;
    bool const in_turns = !spoil && static_cast<std::size_t>(what.n) * data.item_bytes() <= limits_.in_turns_bytes;
    std::vector<std::unique_ptr<candidate>> solvers;
    std::vector<candidate*> candidates;
    std::size_t end = index;
    do {
      candidates.push_back(solvers.emplace_back(rows_[end].kind->make()).get());
      ++end;
    } while (in_turns && end < rows_.size() && differ_in_library(what, rows_[end]));
    std::vector<measurement> measured = measure(candidates, data, what.n, stream(), limits_, spoil);
    for (std::size_t k = 0; k < measured.size(); ++k) measured_[index + k] = std::move(measured[k]);
  }

  // And in nothing else.
  static bool differ_in_library(row const& a, row const& b) {
    auto const problem = [](row const& of) {
      candidate_kind const& kind = *of.kind;
      return std::tie(kind.algorithm, kind.key, kind.value, kind.comparator, kind.data, of.from, of.n);
    };
    return problem(a) == problem(b) && b.kind->library != spoilt_library;
  }

  // Input, work, and what the libraries take for themselves, with room for those that keep it.
  static bool fits(row const& what, dataset const& data) {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
    return static_cast<std::size_t>(what.n) * data.item_bytes() * 6 < total_bytes;
  }

  void report(benchmark::State& state, row const& what, dataset const& data, measurement const& measured) const {
    for (auto _ : state) state.SetIterationTime(median(measured.device) * 1e-6);
    auto const n = static_cast<double>(what.n);
    auto& counters = state.counters;
    counters["min_us"] = measured.device.front();
    if (!measured.wall.empty()) {
      counters["wall_us"] = median(measured.wall);
      counters["wall_min_us"] = measured.wall.front();
    }
    counters["repetitions"] = static_cast<double>(measured.device.size());
    counters["items_per_second"] = n / (median(measured.device) * 1e-6);
    counters["bytes"] = static_cast<double>(data.traffic_bytes());
  }

  void skip(benchmark::State& state) { state.SkipWithError("skipped: too large for this GPU's memory"); }
  void fail(benchmark::State& state, std::string const& why) {
    ++failures_;
    state.SkipWithError(why.c_str());
  }

  std::vector<row> const& rows_;
  effort limits_;
  std::map<std::size_t, measurement> measured_;  // and not yet reported, by the row's index
  cudaStream_t stream_ = nullptr;
  std::unique_ptr<dataset> data_;
  std::pair<std::string, std::string> data_names_;
  int failures_ = 0;
  std::vector<row_result> results_;
};

std::vector<row> selected_rows(options const& chosen) {
  family const here = this_family();
  bool const random_sizes = chosen.random_sizes > 0;
  if (random_sizes && here.random_rows == nullptr) throw std::runtime_error("no random sizes here");
  std::vector<row> rows = random_sizes ? here.random_rows(chosen.random_sizes) : here.rows();
  rows.insert(rows.begin(), copy_row());

  // Any row will do: the result is spoilt afterwards.
  static candidate_kind spoilt;
  for (row const& what : rows) {
    if (chosen.inject_wrong_result && spoilt.library.empty() && what.kind->library == "mgpu") {
      spoilt = *what.kind;
      spoilt.library = spoilt_library;
      rows.push_back({&spoilt, what.from, what.n, true});
      break;  // `what` may be gone
    }
  }

  bool const only_default = chosen.by_default || (!chosen.all && !chosen.filter);
  std::vector<row> selected;
  for (row const& what : rows) {
    if (only_default && !what.by_default) continue;
    if (chosen.filter && !std::regex_search(what.name(), *chosen.filter)) continue;
    selected.push_back(what);
  }
  return selected;
}

int run(options const& chosen) {
  if (chosen.help) std::fputs(usage, stdout);
  std::vector<row> const rows = selected_rows(chosen);
  if (chosen.list) {
    for (row const& what : rows) std::puts(what.name().c_str());
    return 0;
  }
  if (rows.empty()) {
    std::fputs("No row has a name that matches.\n", stderr);
    return exit_without_rows;
  }

  std::vector<char*> arguments;
  for (std::string const& argument : chosen.rest) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  int count = static_cast<int>(chosen.rest.size());
  bool to_file = false;
  for (std::string const& argument : chosen.rest) to_file |= argument.rfind("--benchmark_out=", 0) == 0;
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  if (std::string const why = why_no_gpu(); !why.empty()) {
    std::fprintf(stderr, "No GPU to measure on: %s.\n", why.c_str());
    return exit_without_gpu;
  }
  for (auto const& [name, value] : gpu_context()) benchmark::AddCustomContext(name, value);
  benchmark::AddCustomContext("mode", chosen.random_sizes > 0 ? "random_sizes" : "rows");

  family const here = this_family();
  effort limits = chosen.limits;
  limits.wall_clock &= here.wall_clock;
  bench measuring(rows, limits);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    benchmark::RegisterBenchmark(rows[i].name().c_str(), [&, i](benchmark::State& state) { measuring.run(i, state); })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
  plain_names<benchmark::ConsoleReporter> console(benchmark::ConsoleReporter::OO_None);
  plain_names<benchmark::JSONReporter> json;
  benchmark::RunSpecifiedBenchmarks(&console, to_file ? &json : nullptr);

  if (here.summary != nullptr) here.summary(measuring.results());
  if (measuring.failures() > 0) std::fprintf(stderr, "%d rows FAILED\n", measuring.failures());
  return measuring.failures() > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse(argc, argv));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s: %s\n%s", argv[0], error.what(), usage);
    return 2;
  }
}
