// The command line of a benchmark program.
#pragma once
#include <harness/measure.h>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

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

struct options {
  std::optional<std::regex> filter;
  bool all = false;
  bool by_default = false;
  bool list = false;
  bool help = false;
  bool inject_wrong_result = false;
  int random_sizes = 0;
  effort limits;
  std::vector<std::string> rest;  // for Google Benchmark
};

inline options parse(int argc, char** argv) {
  options parsed;
  for (int i = 0; i < argc; ++i) {
    std::string const argument = argv[i];
    std::size_t const equals = argument.find('=');
    std::string const name = argument.substr(0, equals);
    std::optional<std::string> value;
    if (equals != std::string::npos) value = argument.substr(equals + 1);

    if (name == "--filter" && value) {
      parsed.filter = std::regex(*value, std::regex::extended);
    } else if (argument == "--all") {
      parsed.all = true;
    } else if (argument == "--default") {
      parsed.by_default = true;
    } else if (argument == "--list") {
      parsed.list = true;
    } else if (argument == "--inject_wrong_result") {
      parsed.inject_wrong_result = true;
    } else if (name == "--random_sizes") {
      parsed.random_sizes = value ? std::stoi(*value) : 1500;
    } else if (name == "--seconds" && value) {
      parsed.limits.seconds = std::stod(*value);
    } else if (name == "--out" && value) {
      parsed.rest.insert(parsed.rest.end(), {"--benchmark_out=" + *value, "--benchmark_out_format=json"});
    } else {
      parsed.help |= argument == "--help";
      parsed.rest.push_back(argument);
    }
  }
  if (parsed.random_sizes > 0) {
    parsed.limits.wall_clock = false;
    parsed.limits.min_runs = parsed.limits.max_runs = 3;
  }
  return parsed;
}

}  // namespace perf
