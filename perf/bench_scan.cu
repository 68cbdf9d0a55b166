// bench_scan measures scans of mgpu, Thrust and CUB; operations.h says which.
#include <operations.h>
#include <harness/data.cuh>
#include <harness/libraries.cuh>
#include <mgpu/scan.h>
#include <cub/device/device_scan.cuh>
#include <thrust/scan.h>

namespace perf {

namespace {

// --- Inputs
template <class Scan>
u64 wrong_results(columns result, distribution from, std::int64_t n, cudaStream_t stream) {
  return sum_on_gpu(n, stream, [from, n, results = as<typename Scan::Key>(result.keys)] __device__(std::int64_t i) {
    return follows<Scan>(results, from, static_cast<u64>(i), static_cast<u64>(n)) ? 0 : 1;
  });
}

template <class Scan>
input generate_to_be_scanned(distribution from, std::int64_t n, cudaStream_t stream) {
  constexpr bool is_unaligned = std::is_same_v<typename Scan::Access, unaligned>;
  input data = generate_columns<typename Scan::Key, none>(from, n, n, is_unaligned ? 1 : 0, stream);
  data.verify = [from, n](columns result, bool, cudaStream_t stream) {
    u64 const wrong = wrong_results<Scan>(result, from, n, stream);
    return wrong == 0 ? "" : std::to_string(wrong) + " results do not follow from the one before them";
  };
  return data;
}

// --- Libraries
// Returns where the input begins and ends, and where the result begins.
template <class Scan>
auto ranges_of(job const& of) {
  using Key = typename Scan::Key;
  auto const first = iterator_over<typename Scan::Access>(as<Key const>(of.data.in.keys));
  return std::tuple(first, first + of.data.n, iterator_over<typename Scan::Access>(as<Key>(of.data.work.keys)));
}

template <class Scan>
std::vector<candidate> libraries() {
  using Key = typename Scan::Key;
  using Op = typename Scan::Op;
  auto const mgpu_scan = [](auto const& policy, job& of) {
    auto const [first, last, result] = ranges_of<Scan>(of);
    if constexpr (Scan::inclusive) {
      mgpu::inclusive_scan(policy, first, last, result, Op{});
    } else {
      mgpu::exclusive_scan(policy, first, last, result, initial<Key>(), Op{});
    }
    return of.data.work;
  };
  auto const thrust_scan = [](auto const& policy, job& of) {
    auto const [first, last, result] = ranges_of<Scan>(of);
    if constexpr (Scan::inclusive) {
      thrust::inclusive_scan(policy, first, last, result, Op{});
    } else {
      thrust::exclusive_scan(policy, first, last, result, initial<Key>(), Op{});
    }
    return of.data.work;
  };
  auto const cub_scan = [](void* temp, std::size_t& bytes, auto n, job& of) {
    auto const [first, last, result] = ranges_of<Scan>(of);
    if constexpr (Scan::inclusive) {
      check(cub::DeviceScan::InclusiveScan(temp, bytes, first, result, Op{}, n, of.stream), "CUB");
    } else {
      check(cub::DeviceScan::ExclusiveScan(temp, bytes, first, result, Op{}, initial<Key>(), n, of.stream), "CUB");
    }
    return of.data.work;
  };
  std::vector<candidate> found = {with_mgpu(mgpu_scan)};
  add_peers<u32, u64>(found, thrust_scan, cub_scan);
  return found;
}

[[maybe_unused]] bool const added = add_problems(scans{}, [](auto scan) {
  using Scan = decltype(scan);
  constexpr bool is_main = std::is_same_v<Scan, exclusive<u32, plus>>;
  return one_pass_problem<Scan>("scan", generate_to_be_scanned<Scan>, libraries<Scan>(), is_main);
});

}  // namespace

}  // namespace perf
