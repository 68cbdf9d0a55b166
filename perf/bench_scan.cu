// bench_scan: exclusive and inclusive scans of mgpu, Thrust and CUB; scan_problems.h says which.
#include <scan_problems.h>
#include <harness/data.cuh>
#include <harness/libraries.cuh>
#include <mgpu/scan.h>
#include <cub/device/device_scan.cuh>
#include <thrust/scan.h>

namespace perf {

namespace {

// --- Inputs
template <class Scan>
u64 wrong_results(input const& data, columns result, cudaStream_t stream) {
  auto const* const results = static_cast<typename Scan::Key const*>(result.keys);
  return sum_on_gpu(data.n, stream, [results, from = data.from, n = data.n] __device__(std::int64_t i) {
    return follows<Scan>(results, from, static_cast<u64>(i), static_cast<u64>(n)) ? 0 : 1;
  });
}

template <class Scan>
void generate_to_be_scanned(input& data, distribution from, std::int64_t n, cudaStream_t stream) {
  constexpr int offset = std::is_same_v<typename Scan::Access, unaligned> ? 1 : 0;
  generate_columns<typename Scan::Key, none>(data, from, n, n, offset, stream);
  data.verify = [&data](columns result, bool, cudaStream_t stream) {
    u64 const wrong = wrong_results<Scan>(data, result, stream);
    return wrong == 0 ? "" : std::to_string(wrong) + " results do not follow from the one before them";
  };
}

// --- Libraries
template <class Scan>
auto first_of(job const& of) {
  return iterator_over<typename Scan::Access>(static_cast<typename Scan::Key const*>(of.data.in.keys));
}
template <class Scan>
auto result_of(job const& of) {
  return iterator_over<typename Scan::Access>(static_cast<typename Scan::Key*>(of.data.work.keys));
}

template <class Scan>
std::vector<candidate> libraries() {
  using Key = typename Scan::Key;
  using Op = typename Scan::Op;
  std::vector<candidate> found;
  found.push_back(with_mgpu([](auto const& policy, job& of) {
    auto const first = first_of<Scan>(of);
    auto const last = first + of.data.n;
    if constexpr (Scan::inclusive) {
      mgpu::inclusive_scan(policy, first, last, result_of<Scan>(of), Op{});
    } else {
      mgpu::exclusive_scan(policy, first, last, result_of<Scan>(of), initial<Key>(), Op{});
    }
    return of.data.work;
  }));
  if constexpr (has_peers) {
    found.push_back(with_thrust([](auto const& policy, job& of) {
      auto const first = first_of<Scan>(of);
      auto const last = first + of.data.n;
      if constexpr (Scan::inclusive) {
        thrust::inclusive_scan(policy, first, last, result_of<Scan>(of), Op{});
      } else {
        thrust::exclusive_scan(policy, first, last, result_of<Scan>(of), initial<Key>(), Op{});
      }
      return of.data.work;
    }));
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
    found.push_back(with_cub<std::uint32_t>(cub_scan));
    found.push_back(with_cub<std::uint64_t>(cub_scan));
  }
  return found;
}

// --- Rows
template <class Scan>
problem scanning(Scan) {
  using Key = typename Scan::Key;
  problem of{"scan", name_of(Key{}), name_of(none{}), Scan::name(), sizeof(Key), generate_to_be_scanned<Scan>};
  of.candidates = libraries<Scan>();
  of.distributions = {distribution::summands};
  of.by_default = [](distribution, std::int64_t n) {
    return is_in_curve(sizeof(Key), n, std::is_same_v<Scan, exclusive<u32, plus>>);
  };
  return of;
}

[[maybe_unused]] bool const added = add_problems(scans{}, [](auto of) { return scanning(of); });

}  // namespace

}  // namespace perf
