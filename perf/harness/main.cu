// This makes rows of a program's problems, and runs those that are asked for in Google Benchmark, which reports to
// the console and in JSON. It is given one iteration a row, whose manual time is the median of the device clock. How
// often a row is repeated, and on which clocks, is for measure.h to say.
#include <harness/data.cuh>
#include <harness/measure.h>
#include <benchmark/benchmark.h>
#include <mgpu/version.h>
#include <perf_commit.h>
#include <cuda/std/version>
#include <cstdio>
#include <regex>
#include <set>
#include <tuple>

namespace {

using namespace perf;

constexpr char const* usage = R"(Options, of which those that begin with --benchmark are Google Benchmark's:
  --benchmark_filter=REGEX  of all rows, those whose name has a match (sort/mgpu/u32/none/natural/uniform/268435456)
  --all                     all rows; without a filter or --all a selection that takes a minute or two
  --default                 only rows of that selection, together with a filter
  --random_sizes            instead: 1500 random sizes up to 64 M for each kind of row, device clock only
  --list                    prints the rows instead of running them; needs no GPU
  --inject_wrong_result     spoils the results, which must make the program fail
Exit status: 0; 1 if a row failed; 2 for wrong options; 3 if no row is chosen; 77 where there is no GPU.

)";

// --- The head of the JSON
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
  problem of = make_problem<u32>("copy", "none", generate_to_be_sorted<u32, none, false>);
  of.inputs = {{distribution::sorted, 1 << 28, true}};  // so that the result stands the same test as all others
  of.candidates = {{"cuda", [](job& of) { copy_async(of.data.work, of.data.in); }}};
  return of;
}

// A contest is between libraries on one input. They take turns, when the first of their rows is run.
struct contest {
  problem const* of;
  problem::input_of_row on;
  std::vector<candidate const*> candidates{};
  std::vector<measurement> measured{};  // has one for each candidate, once they were measured

  std::string row(candidate const& by) const {
    return of->algorithm + '/' + by.library + '/' + of->key + '/' + of->value + '/' + of->comparator + '/' +
           name_of(on.from) + '/' + std::to_string(on.n);
  }
};

// Returns the contests between those whose rows are asked for.
std::vector<contest> wanted_contests(std::set<std::string> const& options) {
  // The order is by name, as the linker may put the translation units in any. The copy is the first.
  auto const by_name = [](problem const& of) { return std::tie(of.key, of.value, of.algorithm, of.comparator); };
  std::sort(problems.begin(), problems.end(), [&](auto& a, auto& b) { return by_name(a) < by_name(b); });
  problems.insert(problems.begin(), copy_problem());

  std::string const wanted = benchmark::GetBenchmarkFilter();
  std::regex const filter(wanted, std::regex::extended);
  bool const only_default = options.count("--default") > 0 || (wanted.empty() && options.count("--all") == 0);
  bool const random = options.count("--random_sizes") > 0;
  std::vector<contest> contests;
  for (problem const& of : problems) {
    for (problem::input_of_row const& on : of.inputs) {
      if (on.is_random != random && &of != &problems.front()) continue;
      contest added{&of, on};
      for (candidate const& by : of.candidates) {
        bool const is_default = on.by_default && !(random && by.library == "thrust");
        if ((only_default && !is_default) || !std::regex_search(added.row(by), filter)) continue;
        added.candidates.push_back(&by);
      }
      if (!added.candidates.empty()) contests.push_back(added);
    }
  }
  return contests;
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

// Reports a candidate's row, and holds the contest if it has not been held. This throws where the row fails.
void run(contest& what, std::size_t index, effort const& limits, benchmark::State& state) {
  int num_gpus = 0;
  std::size_t free_bytes = 0, total_bytes = 0;
  check(cudaGetDeviceCount(&num_gpus), "cudaGetDeviceCount");
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
  bool const lacks_gpus = what.candidates[index]->num_gpus > num_gpus;
  if (lacks_gpus) return state.SkipWithError("skipped: this machine has fewer GPUs");
  // There must be memory for the input, for calls to work in, and for what the libraries take and may keep.
  bool const lacks_memory = what.on.n * what.of->item_bytes * 8 >= total_bytes;
  if (lacks_memory) return state.SkipWithError("skipped: too large for this GPU's memory");
  if (what.measured.empty()) {
    what.measured = measure(what.candidates, what.of->generate(what.on.from, what.on.n), limits);
  }
  measurement const& found = what.measured[index];
  if (!found.failure.empty()) throw std::runtime_error(found.failure);
  double const seconds = median(found.device) * 1e-6;
  for (auto _ : state) state.SetIterationTime(seconds);
  auto& counters = state.counters;
  counters["min_us"] = found.device.front();
  if (!found.wall.empty()) {
    counters["wall_us"] = median(found.wall);
    counters["wall_min_us"] = found.wall.front();
  }
  counters["repetitions"] = found.device.size();
  counters["items_per_second"] = what.on.n / seconds;
  counters["bytes"] = found.bytes;
}

__global__ void probe_kernel() {}  // tells whether this program has code for the GPU

}  // namespace

int main(int argc, char** argv) try {
  auto const is_output = [](std::string const& argument) { return argument.rfind("--benchmark_out=", 0) == 0; };
  bool const writes_json = std::any_of(argv, argv + argc, is_output);
  benchmark::Initialize(&argc, argv, [] { std::fputs(usage, stdout), benchmark::PrintDefaultHelp(); });
  std::set<std::string> const options(argv + 1, argv + argc);
  for (std::string const& option : options) {
    if (std::regex_match(option, std::regex("--(all|default|list|random_sizes|inject_wrong_result)"))) continue;
    throw std::invalid_argument("no such option: " + option);
  }

  std::vector<contest> contests = wanted_contests(options);
  if (options.count("--list") > 0) {
    for (contest const& each : contests) {
      for (candidate const* const by : each.candidates) std::puts(each.row(*by).c_str());
    }
    return 0;
  }
  if (contests.empty()) {
    std::fputs("No row has a name that matches.\n", stderr);
    return 3;
  }
  cudaFuncAttributes attributes{};
  if (cudaError_t const status = cudaFuncGetAttributes(&attributes, probe_kernel); status != cudaSuccess) {
    std::fprintf(stderr, "No GPU to measure on: %s.\n", cudaGetErrorString(status));
    return 77;
  }

  effort limits;
  limits.spoils_results = options.count("--inject_wrong_result") > 0;
  bool const has_random_sizes = options.count("--random_sizes") > 0;
  if (has_random_sizes) limits.wall_clock = false, limits.min_runs = limits.max_runs = 3;
  add_context();
  benchmark::AddCustomContext("mode", has_random_sizes ? "random_sizes" : "rows");

  int failures = 0;
  for (contest& each : contests) {
    for (std::size_t i = 0; i < each.candidates.size(); ++i) {
      auto const run_row = [&, i](benchmark::State& state) {
        try {
          run(each, i, limits, state);
        } catch (std::exception const& error) {
          ++failures;
          state.SkipWithError(error.what());
        }
      };
      benchmark::RegisterBenchmark(each.row(*each.candidates[i]).c_str(), run_row)
          ->Iterations(1)
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
    }
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
