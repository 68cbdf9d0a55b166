// Thrust's scans: on the device clock with scratch memory that is kept, on the wall clock as they come, with
// cudaMalloc.
#pragma once
#include <harness/arena.h>
#include <scan/candidate.h>
#include <scan/problems.h>
#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>

namespace perf {

template <class Key, class, class Scan>
class thrust_scan final : public scan_candidate<Key, Scan> {
 public:
  static constexpr bool possible = true;

  columns enqueue(cudaStream_t stream) override {
    scan(thrust::cuda::par_nosync(arena_).on(stream));
    return this->work();
  }
  columns call(cudaStream_t stream) override {
    scan(thrust::cuda::par.on(stream));
    return this->work();
  }

 private:
  template <class Policy>
  void scan(Policy const& policy) const {
    auto const first = this->in();
    auto const last = first + this->size();
    typename Scan::Op const op{};
    if constexpr (Scan::inclusive) {
      thrust::inclusive_scan(policy, first, last, this->out(), op);
    } else {
      thrust::exclusive_scan(policy, first, last, this->out(), initial<Key>(), op);
    }
  }
  arena arena_;
};

template <class Key>
bool register_thrust() {
  return register_candidates<thrust_scan, Key>("scan", "thrust", typename scan_problems<Key>::all{});
}

}  // namespace perf
