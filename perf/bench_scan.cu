// bench_scan: exclusive and inclusive scans of mgpu, Thrust and CUB; operations.h says which.
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
  return sum_on_gpu(n, stream, [from, n, results = result.keys_of<typename Scan::Key>()] __device__(std::int64_t i) {
    return follows<Scan>(results, from, static_cast<u64>(i), static_cast<u64>(n)) ? 0 : 1;
  });
}

template <class Scan>
input generate_to_be_scanned(distribution from, std::int64_t n, cudaStream_t stream) {
  constexpr int offset = std::is_same_v<typename Scan::Access, unaligned> ? 1 : 0;
  input data = generate_columns<typename Scan::Key, none>(from, n, n, offset, stream);
  data.verify = [from, n](columns result, bool, cudaStream_t stream) {
    u64 const wrong = wrong_results<Scan>(result, from, n, stream);
    return wrong == 0 ? "" : std::to_string(wrong) + " results do not follow from the one before them";
  };
  return data;
}

// --- Libraries
template <class Scan>
auto first_of(job const& of) {
  return iterator_over<typename Scan::Access>(of.data.in.keys_of<typename Scan::Key const>());
}
template <class Scan>
auto result_of(job const& of) {
  return iterator_over<typename Scan::Access>(of.data.work.keys_of<typename Scan::Key>());
}

template <class Scan>
std::vector<candidate> libraries() {
  using Key = typename Scan::Key;
  using Op = typename Scan::Op;
  auto const mgpu_scan = [](auto const& policy, job& of) {
    auto const first = first_of<Scan>(of);
    if constexpr (Scan::inclusive) {
      mgpu::inclusive_scan(policy, first, first + of.data.n, result_of<Scan>(of), Op{});
    } else {
      mgpu::exclusive_scan(policy, first, first + of.data.n, result_of<Scan>(of), initial<Key>(), Op{});
    }
    return of.data.work;
  };
  auto const thrust_scan = [](auto const& policy, job& of) {
    auto const first = first_of<Scan>(of);
    if constexpr (Scan::inclusive) {
      thrust::inclusive_scan(policy, first, first + of.data.n, result_of<Scan>(of), Op{});
    } else {
      thrust::exclusive_scan(policy, first, first + of.data.n, result_of<Scan>(of), initial<Key>(), Op{});
    }
    return of.data.work;
  };
  auto const cub_scan = [](void* temp, std::size_t& bytes, auto n, job& of) {
    auto const first = first_of<Scan>(of);
    auto const result = result_of<Scan>(of);
    if constexpr (Scan::inclusive) {
      check(cub::DeviceScan::InclusiveScan(temp, bytes, first, result, Op{}, n, of.stream), "CUB's scan");
    } else {
      check(cub::DeviceScan::ExclusiveScan(temp, bytes, first, result, Op{}, initial<Key>(), n, of.stream),
            "CUB's scan");
    }
    return of.data.work;
  };
  std::vector<candidate> found = {with_mgpu(mgpu_scan)};
  add_peers(found, thrust_scan, cub_scan);
  return found;
}

[[maybe_unused]] bool const added = add_problems(scans{}, [](auto scan) {
  using Scan = decltype(scan);
  constexpr bool is_main = std::is_same_v<Scan, exclusive<u32, plus>>;
  return one_pass_problem<Scan>("scan", generate_to_be_scanned<Scan>, libraries<Scan>(), is_main);
});

}  // namespace

}  // namespace perf
