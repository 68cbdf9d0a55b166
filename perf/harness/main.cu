// This makes rows of a program's problems, and runs those that are asked for in Google Benchmark, which reports to the
// console and in JSON. It is given one iteration a row, whose manual time is the median of the device clock. How often
// a row is repeated, and on which clocks, is for measure.h to say.
#include <harness/measure.h>
#include <benchmark/benchmark.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace perf;

constexpr int exit_without_rows = 3;
constexpr int exit_without_gpu = 77;

// Libraries take turns on inputs of up to so many bytes, as what a launch takes drifts by more than they differ there.
constexpr std::size_t in_turns_bytes = std::size_t{64} << 20;

constexpr char const* usage = R"(Options:
  --filter=REGEX           of all rows, those whose name has a match (sort/mgpu/u32/none/natural/uniform/268435456)
  --all                    all rows; without --filter or --all a selection that takes a minute or two
  --default                only rows of that selection, together with --filter
  --random_sizes[=COUNT]   instead: COUNT (1500) random sizes up to 64 M for each kind of row, device clock only
  --list                   prints the rows instead of running them; needs no GPU
  --out=FILE               writes JSON there
  --seconds=S              per row, after which no further repetition starts (0.1); there are 5 to 401
  --inject_wrong_result    adds a row whose result is spoilt, which must make the program fail
Others go to Google Benchmark (--help shows them). Exit status: 0; 1 if a row failed; 2 for wrong
options; 3 if no row is chosen; 77 where there is no GPU.
)";

// The options above that are given, each with its value, which may be empty. All other arguments are the rest.
struct options {
  options(int argc, char** argv) {
    std::regex const own("(--(filter|all|default|random_sizes|list|out|seconds|inject_wrong_result))(=(.*))?");
    for (int i = 0; i < argc; ++i) {
      if (std::cmatch parts; std::regex_match(argv[i], parts, own)) {
        given[parts[1]] = parts[4];
      } else {
        rest.push_back(argv[i]);
      }
    }
  }
  bool has(char const* name) const { return given.count(name) > 0; }
  std::string value(char const* name, char const* otherwise) const {
    return has(name) && !given.at(name).empty() ? given.at(name) : otherwise;
  }

  std::map<std::string, std::string> given;
  std::vector<char*> rest;
};

struct row {
  problem const* of;
  candidate const* by;
  distribution from;
  std::int64_t n;
  bool by_default;  // tells whether it runs when no others are asked for

  std::string name() const {
    return of->algorithm + '/' + by->library + '/' + of->key + '/' + of->value + '/' + of->comparator + '/' +
           name_of(from) + '/' + std::to_string(n);
  }
  bool has_same_input(row const& other) const { return of == other.of && from == other.from && n == other.n; }
};

// --- Which rows there are
// Returns random sizes up to 2^26. Every other one is uniform, so that the curve has no gaps where calls take long. The
// rest are log-uniform from 2^10, so that it has none where they are short.
std::set<std::int64_t> random_sizes(int count) {
  std::set<std::int64_t> sizes;
  for (int i = 0; i < count; ++i) {
    double const random = static_cast<double>(random_word(static_cast<u64>(i), 7) >> 11) * 0x1p-53;
    double const size = i % 2 == 0 ? std::exp2(26) * random : std::exp2(10 + random * (26 - 10));
    sizes.insert(std::max<std::int64_t>(static_cast<std::int64_t>(size), 1));
  }
  return sizes;
}

void add_rows(std::vector<row>& rows, problem const& of, distribution from, std::int64_t n, bool by_default) {
  for (candidate const& by : of.candidates) rows.push_back({&of, &by, from, n, by_default});
}

void add_rows(std::vector<row>& rows, problem const& of) {
  std::vector<std::int64_t> sizes = of.sizes;
  if (sizes.empty()) {
    for (std::int64_t n = std::int64_t{1} << 10; n <= largest_size(of.item_bytes); n *= 2) sizes.push_back(n);
  }
  for (distribution const from : of.distributions) {
    for (std::int64_t const n : sizes) add_rows(rows, of, from, n, of.by_default(from, n));
  }
  for (std::int64_t const n : of.further_sizes) add_rows(rows, of, of.distributions.front(), n, false);
}

// Returns a candidate whose result has a wrong item or more, which must be found.
candidate spoilt(candidate of) {
  of.library = "spoilt";
  of.enqueue = [enqueue = of.enqueue](job& of) {
    columns const result = enqueue(of);
    std::size_t const bytes = std::min<std::size_t>(of.data.result_bytes, 16);
    char* const middle = as<char>(result.keys) + (of.data.result_bytes - bytes) / 2;
    check(cudaMemsetAsync(middle, 0x5a, bytes, of.stream), "cudaMemsetAsync");
    return result;
  };
  return of;
}

std::vector<row> selected_rows(options const& chosen) {
  // The order is by name, as the linker may put the translation units in any.
  auto const by_name = [](problem const& of) { return std::tie(of.key, of.value, of.algorithm, of.comparator); };
  std::sort(problems.begin(), problems.end(), [&](auto& a, auto& b) { return by_name(a) < by_name(b); });

  static problem const copy = copy_problem();
  std::vector<row> rows;
  add_rows(rows, copy);
  if (!chosen.has("--random_sizes")) {
    for (problem const& of : problems) add_rows(rows, of);
  } else {
    auto const sizes = random_sizes(std::stoi(chosen.value("--random_sizes", "1500")));
    for (problem const& of : problems) {
      if (!of.has_random_sizes) continue;
      for (std::int64_t const n : sizes) add_rows(rows, of, of.distributions.front(), n, of.comparator == "natural");
    }
    for (row& each : rows) each.by_default &= each.by->library != "thrust";
  }

  if (chosen.has("--inject_wrong_result")) {  // of any row
    row right = *std::find_if(rows.begin(), rows.end(), [](row const& of) { return of.by->library == "mgpu"; });
    static candidate const wrong = spoilt(*right.by);
    rows.push_back({right.of, &wrong, right.from, right.n, true});
  }

  bool const only_default = chosen.has("--default") || (!chosen.has("--all") && !chosen.has("--filter"));
  std::regex const filter(chosen.value("--filter", ""), std::regex::extended);
  auto const is_unwanted = [&](row const& of) {
    return (only_default && !of.by_default) || !std::regex_search(of.name(), filter);
  };
  rows.erase(std::remove_if(rows.begin(), rows.end(), is_unwanted), rows.end());
  return rows;
}

// --- Running them
// Google Benchmark adds to a row's name how it was run. Here that is the same for all, so this takes it away.
template <class Reporter>
struct plain_names final : Reporter {
  using Reporter::Reporter;
  void ReportRuns(std::vector<benchmark::BenchmarkReporter::Run> const& runs) override {
    auto renamed = runs;
    for (auto& run : renamed) run.run_name.iterations = run.run_name.time_type = "";
    Reporter::ReportRuns(renamed);
  }
};

// This runs rows. Those of the same input are measured together.
struct bench {
  std::vector<row> const& rows;
  effort limits;
  cudaStream_t stream;
  std::map<std::size_t, measurement> measured{};  // is not yet reported, by the row's index
  input data{};                                   // is that of the rows measured last
  int failures = 0;

  void run(std::size_t index, benchmark::State& state) {
    try {
      if (rows[index].by->num_gpus > num_gpus()) return state.SkipWithError("skipped: this machine has fewer GPUs");
      if (!fits(rows[index])) return state.SkipWithError("skipped: too large for this GPU's memory");
      if (measured.count(index) == 0) measure_from(index);
      measurement const found = std::move(measured.extract(index).mapped());
      if (!found.failure.empty()) throw std::runtime_error(found.failure);
      report(state, found);
    } catch (std::exception const& error) {
      ++failures;
      state.SkipWithError(error.what());
    }
  }

  // Returns whether there is memory for the input, for calls to work in, and for what libraries take and may keep.
  static bool fits(row const& what) {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
    return static_cast<std::size_t>(what.n) * what.of->item_bytes * 6 < total_bytes;
  }

  // Measures the row, and those after it that have the same input, in turns where calls are short.
  void measure_from(std::size_t index) {
    row const& first = rows[index];
    data = {};  // gives its memory back first
    data = first.of->generate(first.from, first.n, stream);
    bool const in_turns = static_cast<std::size_t>(first.n) * first.of->item_bytes <= in_turns_bytes;
    std::vector<candidate const*> candidates;
    for (std::size_t end = index + 1; end <= rows.size() && rows[end - 1].has_same_input(first); ++end) {
      candidates.push_back(rows[end - 1].by);
      if (in_turns && end < rows.size() && rows[end].has_same_input(first)) continue;
      for (measurement& each : measure(candidates, data, stream, limits)) measured[index++] = std::move(each);
      candidates.clear();
    }
  }

  void report(benchmark::State& state, measurement const& found) const {
    double const seconds = median(found.device) * 1e-6;
    for (auto _ : state) state.SetIterationTime(seconds);
    auto& counters = state.counters;
    counters["min_us"] = found.device.front();
    if (!found.wall.empty()) {
      counters["wall_us"] = median(found.wall);
      counters["wall_min_us"] = found.wall.front();
    }
    counters["repetitions"] = static_cast<double>(found.device.size());
    counters["items_per_second"] = static_cast<double>(data.n) / seconds;
    // This is what a call has to read and write at the very least.
    counters["bytes"] = static_cast<double>(data.key_bytes + data.result_bytes + 2 * data.value_bytes);
  }
};

}  // namespace

int main(int argc, char** argv) try {
  options chosen(argc, argv);
  effort limits;
  limits.seconds = std::stod(chosen.value("--seconds", "0.1"));
  if (chosen.has("--random_sizes")) limits.wall_clock = false, limits.min_runs = limits.max_runs = 3;
  std::vector<row> const rows = selected_rows(chosen);
  if (chosen.has("--list")) {
    for (row const& what : rows) std::puts(what.name().c_str());
    return 0;
  }
  if (rows.empty()) {
    std::fputs("No row has a name that matches.\n", stderr);
    return exit_without_rows;
  }

  std::string out = "--benchmark_out=" + chosen.value("--out", "");
  if (chosen.has("--out")) chosen.rest.push_back(out.data());
  int count = static_cast<int>(chosen.rest.size());
  chosen.rest.push_back(nullptr);
  benchmark::Initialize(&count, chosen.rest.data(), [] { std::fputs(usage, stdout), benchmark::PrintDefaultHelp(); });
  if (benchmark::ReportUnrecognizedArguments(count, chosen.rest.data())) return 2;

  if (std::string const why = why_no_gpu(); !why.empty()) {
    std::fprintf(stderr, "No GPU to measure on: %s.\n", why.c_str());
    return exit_without_gpu;
  }
  for (auto const& [name, value] : gpu_context()) benchmark::AddCustomContext(name, value);
  benchmark::AddCustomContext("mode", chosen.has("--random_sizes") ? "random_sizes" : "rows");

  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  bench measuring{rows, limits, stream};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    benchmark::RegisterBenchmark(rows[i].name().c_str(), [&, i](benchmark::State& state) { measuring.run(i, state); })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
  plain_names<benchmark::ConsoleReporter> console(benchmark::ConsoleReporter::OO_None);
  plain_names<benchmark::JSONReporter> json;
  benchmark::RunSpecifiedBenchmarks(&console, chosen.has("--out") ? &json : nullptr);
  if (measuring.failures > 0) std::fprintf(stderr, "%d rows FAILED\n", measuring.failures);
  return measuring.failures > 0 ? 1 : 0;
} catch (std::exception const& error) {
  std::fprintf(stderr, "%s: %s\n%s", argv[0], error.what(), usage);
  return 2;
}
