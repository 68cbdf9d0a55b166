// bench_merge: merge and merge_by_key of mgpu, Thrust and CUB, of two runs of n/2 items. This file says which rows
// there are, and which of them run by default; merge/ has the libraries' calls, harness/ the rest.
#include <harness/rows.h>

namespace perf {

namespace {

constexpr std::initializer_list<distribution> distributions = {
    distribution::mixed_runs,
    distribution::apart_runs,
    distribution::distinct_16_runs,
};

bool runs_by_default(candidate_kind const& kind, distribution from, std::int64_t n) {
  bool const is_main = kind.key == "u32" && (kind.value == "none" || kind.value == "u32");
  bool const large = n == std::min<std::int64_t>(std::int64_t{1} << 26, largest_size(kind));
  if (from == distribution::mixed_runs && is_main) return is_even_power(n);
  return large;
}

std::vector<row> all_rows() { return rows_of_powers(distributions, runs_by_default); }

}  // namespace

family this_family() { return {all_rows}; }

}  // namespace perf
