// tune_merge_sort: mgpu's merge sort with every tuning of merge_sort_tunings.txt, on uniform keys, at a large size
// and at one where launches count. Prints the landscape per item type, and the best; its JSON is for report.py.
#include <harness/rows.h>
#include <cstdio>
#include <string>

namespace perf {

namespace {

std::vector<row> all_rows() {
  std::vector<row> rows;
  for (std::int64_t const n : {std::int64_t{1} << 26, std::int64_t{1} << 20}) {
    for (auto const& group : kinds_by_problem()) {
      for (candidate_kind const* const kind : group) rows.push_back({kind, distribution::uniform, n, true});
    }
  }
  // Those of the same input together.
  std::stable_sort(rows.begin(), rows.end(), [](row const& a, row const& b) {
    return std::tie(a.kind->key, a.kind->value) < std::tie(b.kind->key, b.kind->value);
  });
  return rows;
}

void print_landscape(std::vector<row_result> results) {
  auto const time = [](row_result const& of) { return median(of.measured.device); };
  std::sort(results.begin(), results.end(), [&](auto const& a, auto const& b) { return time(a) < time(b); });
  double shipped = 0;
  for (row_result const& each : results) {
    if (each.what.kind->comparator == "shipped") shipped = time(each);
  }
  row const& first = results.front().what;
  std::printf(
      "\nkeys %s, values %s, n = %lld (threads x items b minimum blocks, of the tile sort and of the merge)\n",
      first.kind->key.c_str(), first.kind->value.c_str(), static_cast<long long>(first.n));
  for (row_result const& each : results) {
    std::printf("  %-28s %10.1f us", each.what.kind->comparator.c_str(), time(each));
    if (shipped > 0) std::printf("  %5.3f x shipped", shipped / time(each));
    std::printf("%s\n", &each == results.data() ? "  <- best" : "");
  }
}

void print_landscapes(std::vector<row_result> const& results) {
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::vector<row_result>> by_input;
  for (row_result const& each : results) {
    if (each.what.kind->algorithm == "copy") continue;
    by_input[{each.what.kind->key, each.what.kind->value, each.what.n}].push_back(each);
  }
  for (auto const& [input, landscape] : by_input) print_landscape(landscape);
}

}  // namespace

family this_family() { return {all_rows, nullptr, print_landscapes, false}; }

}  // namespace perf
