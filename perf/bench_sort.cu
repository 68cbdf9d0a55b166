// bench_sort: sort and sort_by_key of mgpu, Thrust and CUB. This file says which rows there are, and which of them
// run by default; sort/ has the libraries' calls, harness/ the rest.
//
// By default: the kinds that matter most over all sizes, the others at a small and two large sizes, and what the
// distribution does at a large one.
#include <harness/rows.h>
#include <algorithm>

namespace perf {

namespace {

constexpr std::initializer_list<distribution> distributions = {
    distribution::uniform,  distribution::entropy_0_544, distribution::entropy_0_201, distribution::entropy_0,
    distribution::sorted,   distribution::reversed,      distribution::distinct_16,   distribution::disturbed_1,
    distribution::low_half, distribution::long_runs,
};

bool is_main(candidate_kind const& kind) {
  return (kind.key == "u32" && (kind.value == "none" || kind.value == "u32")) ||
         (kind.key == "u64" && kind.value == "none");
}

bool runs_by_default(candidate_kind const& kind, distribution from, std::int64_t n) {
  bool const large = n == std::min<std::int64_t>(std::int64_t{1} << 26, largest_size(kind));
  bool const largest = n == largest_size(kind, std::size_t{2} << 30);
  if (from == distribution::uniform) {
    return largest || (is_main(kind) ? is_even_power(n) : large || n == std::int64_t{1} << 20);
  }
  return large && is_main(kind) && (kind.key == "u32" || kind.comparator == "natural");
}

// One launch of a digit pass takes fewer than 2^30 items, and the rate must hold where there is more than one launch.
// These rows only run when they are asked for.
void add_rows_of_several_launches(std::vector<row>& rows) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  for (auto const& group : kinds_by_problem()) {
    candidate_kind const& first = *group.front();
    if (first.key != "u32" || first.comparator != "natural" || !is_main(first)) continue;
    for (std::int64_t const n : {most / 2, most, most + 4096, 2 * most}) {
      for (candidate_kind const* const kind : group) rows.push_back({kind, distribution::uniform, n, false});
    }
  }
}

std::vector<row> all_rows() {
  std::vector<row> rows = rows_of_powers(distributions, runs_by_default);
  add_rows_of_several_launches(rows);
  return rows;
}

// The curve of Merrill and Grimshaw (CS2010-03): u32 keys, and pairs of u32.
std::vector<row> random_rows(int count) {
  std::vector<row> rows;
  for (auto const& group : kinds_by_problem()) {
    candidate_kind const& first = *group.front();
    if (first.key != "u32" || (first.value != "none" && first.value != "u32")) continue;
    for (std::int64_t const n : random_sizes(count, std::int64_t{64} << 20)) {
      for (candidate_kind const* const kind : group) {
        bool const by_default = kind->library != "thrust" && kind->comparator == "natural";
        rows.push_back({kind, distribution::uniform, n, by_default});
      }
    }
  }
  return rows;
}

}  // namespace

family this_family() { return {all_rows, random_rows}; }

}  // namespace perf
