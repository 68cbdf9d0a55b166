// This makes rows of a program's problems, and runs those that are asked for in Google Benchmark, which reports to
// the console and in JSON. It is given one iteration a row, whose manual time is the median of the device clock. How
// often a row is repeated, and on which clocks, is for measure.h to say.
#include <harness/data.cuh>
#include <harness/measure.h>
#include <benchmark/benchmark.h>
#include <mgpu/version.h>
#include <perf_commit.h>
#include <cuda/std/version>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <optional>
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

constexpr char const* usage = R"(Options, of which those that begin with --benchmark are Google Benchmark's:
  --benchmark_filter=REGEX  of all rows, those whose name has a match (sort/mgpu/u32/none/natural/uniform/268435456)
  --all                     all rows; without a filter or --all a selection that takes a minute or two
  --random_sizes            instead: 1500 random sizes up to 64 M for each kind of row, device clock only
  --list                    prints the rows instead of running them; needs no GPU
  --benchmark_out=FILE      writes JSON there
  --inject_wrong_result     spoils the results, which must make the program fail
Exit status: 0; 1 if a row failed; 2 for wrong options; 3 if no row is chosen; 77 where there is no GPU.

)";

// --- The GPU
__global__ void probe_kernel() {}

// Returns nothing if there is a GPU that this program has code for, else why none can be used.
std::string why_no_gpu() {
  cudaFuncAttributes attributes{};
  cudaError_t const status = cudaFuncGetAttributes(&attributes, probe_kernel);
  return status == cudaSuccess ? "" : cudaGetErrorString(status);
}

template <class... Numbers>
std::string dotted(int first, Numbers... others) {
  return (std::to_string(first) + ... + ('.' + std::to_string(others)));
}

// Adds to the head of the JSON what the GPU is, its clocks, and versions.
void add_context() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  char bus_id[32] = "";
  check(cudaDeviceGetPCIBusId(bus_id, sizeof(bus_id), 0), "cudaDeviceGetPCIBusId");
  // nvidia-smi, which comes with the driver, writes these as a report shows them.
  std::string const command = "nvidia-smi --query-gpu=clocks.max.sm,clocks.max.memory,driver_version" +
                              std::string(" --format=csv,noheader --id=") + bus_id + " 2>/dev/null";
  char sm_clock[32] = "unknown", memory_clock[32] = "unknown", driver[32] = "unknown";
  if (std::FILE* const output = popen(command.c_str(), "r")) {
    int const read = std::fscanf(output, "%31[^,], %31[^,], %31[^\n]", sm_clock, memory_clock, driver);
    if (pclose(output) != 0 || read != 3) std::fputs("nvidia-smi does not tell clocks and driver\n", stderr);
  }
  benchmark::AddCustomContext("gpu", properties.name);
  benchmark::AddCustomContext("gpu_sm_clock", sm_clock);
  benchmark::AddCustomContext("gpu_memory_clock", memory_clock);
  benchmark::AddCustomContext("driver", driver);
  benchmark::AddCustomContext("cuda_runtime", dotted(CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10));
  benchmark::AddCustomContext("cccl", dotted(CCCL_MAJOR_VERSION, CCCL_MINOR_VERSION, CCCL_PATCH_VERSION));
  benchmark::AddCustomContext("mgpu", dotted(MGPU_VERSION_MAJOR, MGPU_VERSION_MINOR, MGPU_VERSION_PATCH));
  benchmark::AddCustomContext("mgpu_commit", MGPU_COMMIT);
}

// --- Which rows there are
// Returns the problem of how fast the GPU copies its own memory, which is measured in the same run as all that is
// held against that.
problem copy_problem() {
  problem of = make_problem<u32>("copy", "none");
  of.sizes = {1 << 28};
  of.distributions = {distribution::sorted};  // so that the result stands the same test as all others
  of.by_default = [](distribution, std::int64_t) { return true; };
  of.generate = generate_to_be_sorted<u32, none, false>;
  of.candidates = {{"cuda", [](job& of) {
                      copy_async(of.data.work.keys, of.data.in.keys, of.data.key_bytes);
                      return of.data.work;
                    }}};
  return of;
}

struct row {
  problem const* of;
  candidate const* by;
  distribution from;
  std::int64_t n;
  bool by_default;                     // tells whether it runs when no others are asked for
  std::optional<measurement> found{};  // is there once the row is measured

  std::string name() const {
    return of->algorithm + '/' + by->library + '/' + of->key + '/' + of->value + '/' + of->comparator + '/' +
           name_of(from) + '/' + std::to_string(n);
  }
  bool has_same_input(row const& other) const { return of == other.of && from == other.from && n == other.n; }
};

// Returns random sizes up to 2^26. Every other one is uniform, so that the curve has no gaps where calls take long.
// The rest are log-uniform from 2^10, so that it has none where they are short.
std::set<std::int64_t> random_sizes() {
  std::set<std::int64_t> sizes;
  for (u64 i = 0; i < 1500; ++i) {
    double const random = (random_word(i, 7) >> 11) * 0x1p-53;
    double const size = i % 2 == 0 ? std::exp2(26) * random : std::exp2(10 + random * (26 - 10));
    sizes.insert(std::max<std::int64_t>(size, 1));
  }
  return sizes;
}

void add_rows(std::vector<row>& rows, problem const& of, distribution from, std::int64_t n, bool by_default) {
  for (candidate const& by : of.candidates) rows.push_back({&of, &by, from, n, by_default});
}

void add_rows(std::vector<row>& rows, problem const& of) {
  for (distribution const from : of.distributions) {
    for (std::int64_t const n : of.sizes) add_rows(rows, of, from, n, of.by_default(from, n));
  }
  for (std::int64_t const n : of.further_sizes) add_rows(rows, of, of.distributions.front(), n, false);
}

std::vector<row> selected_rows(std::set<std::string> const& options) {
  // The order is by name, as the linker may put the translation units in any.
  auto const by_name = [](problem const& of) { return std::tie(of.key, of.value, of.algorithm, of.comparator); };
  std::sort(problems.begin(), problems.end(), [&](auto& a, auto& b) { return by_name(a) < by_name(b); });

  static problem const copy = copy_problem();
  std::vector<row> rows;
  add_rows(rows, copy);
  if (options.count("--random_sizes") == 0) {
    for (problem const& of : problems) add_rows(rows, of);
  } else {
    for (problem const& of : problems) {
      if (!of.has_random_sizes) continue;
      for (auto const n : random_sizes()) add_rows(rows, of, of.distributions[0], n, of.comparator == "natural");
    }
    for (row& each : rows) each.by_default &= each.by->library != "thrust";
  }

  std::string const wanted = benchmark::GetBenchmarkFilter();
  std::regex const filter(wanted, std::regex::extended);
  bool const only_default = wanted.empty() && options.count("--all") == 0;
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

// Returns why the row cannot be measured here, or nothing if it can. There must be memory for the input, for calls to
// work in, and for what the libraries take and may keep.
char const* why_skipped(row const& what) {
  int num_gpus = 0;
  std::size_t free_bytes = 0, total_bytes = 0;
  check(cudaGetDeviceCount(&num_gpus), "cudaGetDeviceCount");
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
  if (what.by->num_gpus > num_gpus) return "skipped: this machine has fewer GPUs";
  return what.n * what.of->item_bytes * 8 < total_bytes ? nullptr : "skipped: too large for this GPU's memory";
}

// Measures the row, and those after it that have the same input.
void measure_from(std::size_t first, std::vector<row>& rows, effort const& limits) {
  std::size_t end = first;
  std::vector<candidate const*> candidates;
  while (end < rows.size() && rows[end].has_same_input(rows[first])) candidates.push_back(rows[end++].by);
  input const data = rows[first].of->generate(rows[first].from, rows[first].n);
  for (measurement& each : measure(candidates, data, limits)) rows[first++].found = std::move(each);
}

void report(benchmark::State& state, row const& what) {
  measurement const& found = *what.found;
  double const seconds = median(found.device) * 1e-6;
  for (auto _ : state) state.SetIterationTime(seconds);
  auto& counters = state.counters;
  counters["min_us"] = found.device.front();
  if (!found.wall.empty()) {
    counters["wall_us"] = median(found.wall);
    counters["wall_min_us"] = found.wall.front();
  }
  counters["repetitions"] = found.device.size();
  counters["items_per_second"] = what.n / seconds;
  counters["bytes"] = found.bytes;
}

// Measures rows[index], if it has not been, and reports it. It throws where the row fails.
void run(std::size_t index, std::vector<row>& rows, effort const& limits, benchmark::State& state) {
  row const& what = rows[index];
  if (char const* const why = why_skipped(what)) return state.SkipWithError(why);
  if (!what.found) measure_from(index, rows, limits);
  if (!what.found->failure.empty()) throw std::runtime_error(what.found->failure);
  report(state, what);
}

}  // namespace

int main(int argc, char** argv) try {
  auto const is_output = [](std::string const& argument) { return argument.rfind("--benchmark_out=", 0) == 0; };
  bool const writes_json = std::any_of(argv, argv + argc, is_output);
  benchmark::Initialize(&argc, argv, [] { std::fputs(usage, stdout), benchmark::PrintDefaultHelp(); });
  std::set<std::string> const options(argv + 1, argv + argc);
  for (std::string const& option : options) {
    if (std::regex_match(option, std::regex("--(all|list|random_sizes|inject_wrong_result)"))) continue;
    throw std::invalid_argument("no such option: " + option);
  }

  std::vector<row> rows = selected_rows(options);
  if (options.count("--list") > 0) {
    for (row const& what : rows) std::puts(what.name().c_str());
    return 0;
  }
  if (rows.empty()) {
    std::fputs("No row has a name that matches.\n", stderr);
    return exit_without_rows;
  }
  if (std::string const why = why_no_gpu(); !why.empty()) {
    std::fprintf(stderr, "No GPU to measure on: %s.\n", why.c_str());
    return exit_without_gpu;
  }

  effort limits;
  limits.spoils_results = options.count("--inject_wrong_result") > 0;
  bool const has_random_sizes = options.count("--random_sizes") > 0;
  if (has_random_sizes) limits.wall_clock = false, limits.min_runs = limits.max_runs = 3;
  add_context();
  benchmark::AddCustomContext("mode", has_random_sizes ? "random_sizes" : "rows");

  int failures = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto const run_row = [&, i](benchmark::State& state) {
      try {
        run(i, rows, limits, state);
      } catch (std::exception const& error) {
        ++failures;
        state.SkipWithError(error.what());
      }
    };
    benchmark::RegisterBenchmark(rows[i].name().c_str(), run_row)
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
  plain_names<benchmark::ConsoleReporter> console(benchmark::ConsoleReporter::OO_None);
  plain_names<benchmark::JSONReporter> json;
  benchmark::RunSpecifiedBenchmarks(&console, writes_json ? &json : nullptr, ".");
  if (failures > 0) std::fprintf(stderr, "%d rows FAILED\n", failures);
  return failures > 0 ? 1 : 0;
} catch (std::exception const& error) {
  std::fprintf(stderr, "%s: %s\n%s", argv[0], error.what(), usage);
  return 2;
}
