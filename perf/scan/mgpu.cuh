// mgpu's scans.
#pragma once
#include <harness/mgpu_candidate.h>
#include <scan/candidate.h>
#include <scan/problems.h>
#include <mgpu/scan.h>

namespace perf {

template <class Key, class Unused, class Scan>
class mgpu_scan final : public mgpu_candidate<mgpu_scan<Key, Unused, Scan>, scan_candidate<Key, Scan>> {
 public:
  static constexpr bool possible = true;

  template <class Policy>
  void run(Policy const& policy) const {
    auto const first = this->in();
    auto const last = first + this->size();
    typename Scan::Op const op{};
    if constexpr (Scan::inclusive) {
      mgpu::inclusive_scan(policy, first, last, this->out(), op);
    } else {
      mgpu::exclusive_scan(policy, first, last, this->out(), initial<Key>(), op);
    }
  }
};

template <class Key>
bool register_mgpu() {
  return register_candidates<mgpu_scan, Key>("scan", "mgpu", typename scan_problems<Key>::all{});
}

}  // namespace perf
