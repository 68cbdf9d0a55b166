// mgpu's scans: on the device clock stream-ordered, on the wall clock blocking; scratch memory from its warm pool.
#pragma once
#include <scan/candidate.h>
#include <scan/problems.h>
#include <mgpu/scan.h>

namespace perf {

template <class Key, class, class Scan>
class mgpu_scan final : public scan_candidate<Key, Scan> {
 public:
  static constexpr bool possible = true;

  columns enqueue(cudaStream_t stream) override {
    scan(mgpu::par_nosync.on(stream));
    return this->work();
  }
  columns call(cudaStream_t stream) override {
    scan(mgpu::par.on(stream));
    return this->work();
  }

 private:
  template <class Policy>
  void scan(Policy const& policy) const {
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
