// The command line of a benchmark program.
#pragma once
#include <harness/measure.h>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <string>
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
  bool all = false, by_default = false, list = false, help = false, inject_wrong_result = false;
  int random_sizes = 0;
  effort limits;
  std::vector<std::string> rest;  // for Google Benchmark
};

inline options parse(int argc, char** argv) {
  options found;
  std::map<std::string, bool*> const flags = {{"--all", &found.all},
                                              {"--default", &found.by_default},
                                              {"--list", &found.list},
                                              {"--inject_wrong_result", &found.inject_wrong_result}};
  std::map<std::string, std::function<void(std::string const&)>> const settings = {
      {"--filter", [&](std::string const& value) { found.filter = std::regex(value, std::regex::extended); }},
      {"--random_sizes", [&](std::string const& value) { found.random_sizes = std::stoi(value); }},
      {"--seconds", [&](std::string const& value) { found.limits.seconds = std::stod(value); }},
      {"--out", [&](std::string const& value) {
         found.rest.insert(found.rest.end(), {"--benchmark_out=" + value, "--benchmark_out_format=json"});
       }}};
  for (int i = 0; i < argc; ++i) {
    std::string const argument = std::string(argv[i]) == "--random_sizes" ? "--random_sizes=1500" : argv[i];
    std::size_t const equals = argument.find('=');
    if (auto const flag = flags.find(argument); flag != flags.end()) {
      *flag->second = true;
    } else if (auto const set = settings.find(argument.substr(0, equals));
               set != settings.end() && equals != std::string::npos) {
      set->second(argument.substr(equals + 1));
    } else {
      found.help |= argument == "--help";
      found.rest.push_back(argument);
    }
  }
  if (found.random_sizes > 0) {
    found.limits.wall_clock = false;
    found.limits.min_runs = found.limits.max_runs = 3;
  }
  return found;
}

}  // namespace perf
