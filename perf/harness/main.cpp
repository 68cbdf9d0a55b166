// Makes rows of a program's problems, and runs those that are asked for in Google Benchmark, into its console and JSON
// reports. Google Benchmark is given one iteration a row, whose manual time is the median of the device clock; how
// often a row is repeated, and on which clocks, is measure.h's.
#include <harness/context.h>
#include <harness/measure.h>
#include <harness/options.h>
#include <benchmark/benchmark.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace {

using namespace perf;

constexpr int exit_without_rows = 3;
constexpr int exit_without_gpu = 77;
constexpr char const* spoilt_library = "spoilt";

struct row {
  problem const* of;
  candidate const* by;
  distribution from;
  std::int64_t n;
  bool by_default;  // in the selection that runs when none is asked for
  bool is_spoilt = false;

  std::string name() const {
    std::string const library = is_spoilt ? spoilt_library : by->library;
    return of->algorithm + '/' + library + '/' + of->key + '/' + of->value + '/' + of->comparator + '/' +
           name_of(from) + '/' + std::to_string(n);
  }
};

// --- Which rows there are
void add_rows(std::vector<row>& rows, problem const& of, distribution from, std::int64_t n, bool by_default) {
  for (candidate const& by : of.candidates) rows.push_back({&of, &by, from, n, by_default});
}

std::vector<row> rows_of(std::vector<problem> const& all) {
  std::vector<row> rows;
  for (problem const& of : all) {
    std::vector<std::int64_t> sizes = of.sizes;
    if (sizes.empty()) {
      for (std::int64_t n = std::int64_t{1} << 10; n <= largest_size(of.item_bytes); n *= 2) sizes.push_back(n);
    }
    for (distribution const from : of.distributions) {
      for (std::int64_t const n : sizes) add_rows(rows, of, from, n, of.by_default(from, n));
    }
  }
  for (problem const& of : all) {
    for (std::int64_t const n : of.further_sizes) add_rows(rows, of, of.distributions.front(), n, false);
  }
  return rows;
}

// Random sizes up to 2^26, in rising order: every other one uniform, so that the curve has no gaps where calls take
// long, the rest log-uniform from 2^10, so that it has none where they are short.
std::vector<row> random_rows(std::vector<problem> const& all, int count) {
  constexpr double log_largest = 26;
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < count; ++i) {
    double const random = static_cast<double>(random_word(static_cast<std::uint64_t>(i), 7) >> 11) * 0x1p-53;
    double const size = i % 2 == 0 ? std::exp2(log_largest) * random : std::exp2(10 + random * (log_largest - 10));
    sizes.push_back(std::max<std::int64_t>(static_cast<std::int64_t>(size), 1));
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());

  std::vector<row> rows;
  for (problem const& of : all) {
    if (!of.has_random_sizes) continue;
    for (std::int64_t const n : sizes) add_rows(rows, of, of.distributions.front(), n, of.comparator == "natural");
  }
  for (row& each : rows) each.by_default &= each.by->library != "thrust";
  return rows;
}

std::vector<row> selected_rows(options const& chosen) {
  // The order is by name, which does not depend on the linker's.
  std::vector<problem>& all = problems();
  auto const by_name = [](problem const& of) { return std::tie(of.key, of.value, of.algorithm, of.comparator); };
  std::sort(all.begin(), all.end(), [&](auto const& a, auto const& b) { return by_name(a) < by_name(b); });
  for (problem& of : all) {
    std::sort(of.candidates.begin(), of.candidates.end(), [](auto& a, auto& b) { return a.library < b.library; });
  }

  static std::vector<problem> const copy = {copy_problem()};
  std::vector<row> rows = rows_of(copy);
  bool const random_sizes = chosen.random_sizes > 0;
  std::vector<row> const own = random_sizes ? random_rows(all, chosen.random_sizes) : rows_of(all);
  rows.insert(rows.end(), own.begin(), own.end());

  if (chosen.inject_wrong_result) {  // any row will do
    row spoilt = *std::find_if(rows.begin(), rows.end(), [](row const& of) { return of.by->library == "mgpu"; });
    spoilt.by_default = spoilt.is_spoilt = true;
    rows.push_back(spoilt);
  }

  bool const only_default = chosen.by_default || (!chosen.all && !chosen.filter);
  auto const is_unwanted = [&](row const& of) {
    return (only_default && !of.by_default) || (chosen.filter && !std::regex_search(of.name(), *chosen.filter));
  };
  rows.erase(std::remove_if(rows.begin(), rows.end(), is_unwanted), rows.end());
  return rows;
}

// --- Running them
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

// Runs rows, in their order. Those that follow one another with the same input share it, and take turns where calls
// are short.
class bench {
 public:
  bench(std::vector<row> const& rows, effort const& limits) : rows_(rows), limits_(limits) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }

  void run(std::size_t index, benchmark::State& state) {
    row const& what = rows_[index];
    try {
      if (!fits(what)) return state.SkipWithError("skipped: too large for this GPU's memory");
      if (measured_.count(index) == 0) measure_from(index);
      measurement const measured = std::move(measured_.extract(index).mapped());
      if (!measured.failure.empty()) throw std::runtime_error(measured.failure);
      report(state, measured);
    } catch (std::exception const& error) {
      ++failures_;
      state.SkipWithError(error.what());
    }
  }

  int failures() const { return failures_; }

 private:
  // Input, work, and what the libraries take for themselves, with room for those that keep it.
  static bool fits(row const& what) {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
    return static_cast<std::size_t>(what.n) * what.of->item_bytes * 6 < total_bytes;
  }

  // The row, and those after it that take turns with it.
  void measure_from(std::size_t index) {
    row const& first = rows_[index];
    provide_input(first);
    std::size_t const bytes = static_cast<std::size_t>(first.n) * first.of->item_bytes;
    bool const in_turns = !first.is_spoilt && bytes <= limits_.in_turns_bytes;
    std::vector<candidate const*> candidates;
    std::size_t end = index;
    do {
      candidates.push_back(rows_[end].by);
      ++end;
    } while (in_turns && end < rows_.size() && has_same_input(first, rows_[end]) && !rows_[end].is_spoilt);
    effort limits = limits_;
    limits.wall_clock &= first.of->has_wall_clock;
    auto measured = measure(candidates, data_, stream_, limits, first.is_spoilt);
    for (std::size_t k = 0; k < measured.size(); ++k) measured_[index + k] = std::move(measured[k]);
  }

  static bool has_same_input(row const& a, row const& b) { return a.of == b.of && a.from == b.from && a.n == b.n; }

  void provide_input(row const& what) {
    if (has_same_input(what, generated_)) return;
    generated_ = {};  // in case there is no memory
    for (memory& each : data_.owners) each = nullptr;
    what.of->generate(data_, what.from, what.n, stream_);
    generated_ = what;
  }

  void report(benchmark::State& state, measurement const& measured) const {
    for (auto _ : state) state.SetIterationTime(median(measured.device) * 1e-6);
    auto& counters = state.counters;
    counters["min_us"] = measured.device.front();
    if (!measured.wall.empty()) {
      counters["wall_us"] = median(measured.wall);
      counters["wall_min_us"] = measured.wall.front();
    }
    counters["repetitions"] = static_cast<double>(measured.device.size());
    counters["items_per_second"] = static_cast<double>(data_.n) / (median(measured.device) * 1e-6);
    // What a call has to read and write at the very least.
    counters["bytes"] = static_cast<double>(data_.key_bytes + data_.result_bytes + 2 * data_.value_bytes);
  }

  std::vector<row> const& rows_;
  effort limits_;
  std::map<std::size_t, measurement> measured_;  // and not yet reported, by the row's index
  cudaStream_t stream_ = nullptr;
  input data_;
  row generated_{};
  int failures_ = 0;
};

int run(options& chosen) {
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

  int count = static_cast<int>(chosen.rest.size());
  bool const to_file = std::any_of(chosen.rest.begin(), chosen.rest.end(),
                                   [](std::string const& each) { return each.rfind("--benchmark_out=", 0) == 0; });
  std::vector<char*> arguments;
  for (std::string& argument : chosen.rest) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  if (std::string const why = why_no_gpu(); !why.empty()) {
    std::fprintf(stderr, "No GPU to measure on: %s.\n", why.c_str());
    return exit_without_gpu;
  }
  for (auto const& [name, value] : gpu_context()) benchmark::AddCustomContext(name, value);
  benchmark::AddCustomContext("mode", chosen.random_sizes > 0 ? "random_sizes" : "rows");

  bench measuring(rows, chosen.limits);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    benchmark::RegisterBenchmark(rows[i].name().c_str(), [&, i](benchmark::State& state) { measuring.run(i, state); })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
  plain_names<benchmark::ConsoleReporter> console(benchmark::ConsoleReporter::OO_None);
  plain_names<benchmark::JSONReporter> json;
  benchmark::RunSpecifiedBenchmarks(&console, to_file ? &json : nullptr);
  if (measuring.failures() > 0) std::fprintf(stderr, "%d rows FAILED\n", measuring.failures());
  return measuring.failures() > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    options chosen = parse(argc, argv);
    return run(chosen);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s: %s\n%s", argv[0], error.what(), usage);
    return 2;
  }
}
