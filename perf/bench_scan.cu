// bench_scan: exclusive and inclusive scans of mgpu, Thrust and CUB. scan/ has the kinds, the libraries' calls and
// the check of results, harness/ the rest.
#include <harness/rows.h>

namespace perf {

namespace {
std::vector<row> all_rows() { return rows_of_passes("u32", "exclusive_plus"); }
}  // namespace

family this_family() { return {all_rows}; }

}  // namespace perf
