// bench_scan measures scans of mgpu, Thrust and CUB; operations.h says which.
#include <operations.cuh>
#include <harness/libraries.cuh>
#include <mgpu/scan.h>
#include <cub/device/device_scan.cuh>

using namespace perf;

namespace {

[[maybe_unused]] bool const added = add_problems(scans{}, [](auto scan) {
  using Scan = decltype(scan);
  using Op = typename Scan::Op;
  auto const call = [](auto const& policy, job& of) { scan_items<Scan>(policy, of); };
  auto const cub_call = [](void* temp, std::size_t& bytes, auto n, job& of) {
    auto const first = items_of<Scan>(of);
    auto const result = results_of<Scan>(of);
    if constexpr (Scan::inclusive) {
      return cub::DeviceScan::InclusiveScan(temp, bytes, first, result, Op{}, n, stream());
    } else {
      auto const init = initial<typename Scan::Key>();
      return cub::DeviceScan::ExclusiveScan(temp, bytes, first, result, Op{}, init, n, stream());
    }
  };
  problem of = one_pass_problem<Scan>("scan", generate_to_be_scanned<Scan>);
  of.candidates = with_peers<u32, u64>(with_mgpu(call), call, cub_call);
  return of;
});

}  // namespace
