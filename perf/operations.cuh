// These are the inputs of scans and reductions, whose results are verified on the GPU and on the CPU, and what their
// problems have in common.
#pragma once
#include <operations.h>
#include <harness/data.cuh>
#include <thrust/scan.h>

namespace perf {

// Returns a problem whose solution passes over its items once. By default it is measured on inputs of up to 1 GB: the
// main problem at all sizes, others at enough for a curve and at the largest.
template <class Operation>
problem one_pass_problem(std::string const& algorithm, generator generate) {
  constexpr bool is_main =
      std::is_same_v<Operation, exclusive<u32, plus>> || std::is_same_v<Operation, reduction<u32, plus>>;
  problem of = make_problem<typename Operation::Key>(algorithm, Operation::name(), generate);
  std::int64_t const largest = largest_size(of.item_bytes, std::size_t{1} << 30);
  of.add_inputs({distribution::summands}, [=](distribution, std::int64_t n) {
    return n == largest || (n < largest && (is_main || is_even_power(n)));
  });
  return of;
}

// These are the items and the results of a call, as the operation reaches them.
template <class Operation>
auto items_of(job const& of) {
  return iterator_over<typename Operation::Access>(as<typename Operation::Key const>(of.data.in.keys));
}
template <class Operation>
auto results_of(job const& of) {
  return iterator_over<typename Operation::Access>(as<typename Operation::Key>(of.data.work.keys));
}

// --- Scans
template <class Scan>
u64 wrong_results(columns const& result, distribution from, std::int64_t n) {
  auto* const results = as<typename Scan::Key>(result.keys);
  return sum_on_gpu(n, [=] __device__(u64 i) -> u64 { return follows<Scan>(results, from, i, n) ? 0 : 1; });
}

template <class Scan>
input generate_to_be_scanned(distribution from, std::int64_t n) {
  using Key = typename Scan::Key;
  constexpr bool is_unaligned = std::is_same_v<typename Scan::Access, unaligned>;
  input data = generate_columns<Key>(from, n, n * sizeof(Key), is_unaligned ? sizeof(Key) : 0);
  data.verify = [from, n](columns const& result, bool) {
    u64 const wrong = wrong_results<Scan>(result, from, n);
    return wrong == 0 ? "" : std::to_string(wrong) + " results do not follow from the one before them";
  };
  return data;
}

// Makes a call of mgpu or Thrust.
template <class Scan, class Policy>
void scan_items(Policy const& policy, job& of) {
  using thrust::exclusive_scan, thrust::inclusive_scan;
  auto const first = items_of<Scan>(of);
  if constexpr (Scan::inclusive) {
    inclusive_scan(policy, first, first + of.data.n, results_of<Scan>(of), typename Scan::Op{});
  } else {
    auto const init = initial<typename Scan::Key>();
    exclusive_scan(policy, first, first + of.data.n, results_of<Scan>(of), init, typename Scan::Op{});
  }
}

// --- Reductions
// A call writes its one result alone, so the next call finds the input where this one left it, which for inputs of up
// to its size is the L2 cache.
template <class Reduction>
input generate_to_be_reduced(distribution from, std::int64_t n) {
  using Sum = typename Reduction::Sum;
  input data = generate_columns<typename Reduction::Key>(from, n, sizeof(Sum));
  data.on_host.keys = pinned_memory(sizeof(Sum));
  data.verify = [expected = reference<Reduction>(from, n)](columns const& result, bool keeps_order) {
    Sum found{};
    copy_async(&found, result.keys.get(), sizeof(found));
    wait_for_stream();
    bool const right = keeps_order ? found == expected : equal_but_for_order(found, expected);
    return std::string(right ? "" : "not what the CPU makes of the same items");
  };
  return data;
}

}  // namespace perf
