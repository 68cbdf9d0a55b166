// mgpu's reductions: on the device clock into device memory, on the wall clock until the host has the value.
#pragma once
#include <harness/mgpu_candidate.h>
#include <reduce/candidate.h>
#include <reduce/problems.h>
#include <mgpu/reduce.h>

namespace perf {

template <class Key, class Unused, class Reduction>
class mgpu_reduce final
    : public mgpu_candidate<mgpu_reduce<Key, Unused, Reduction>, reduce_candidate<Key, Reduction>> {
  using typename reduce_candidate<Key, Reduction>::Op;
  using typename reduce_candidate<Key, Reduction>::Sum;

 public:
  static constexpr bool possible = true;

  template <class Policy>
  void run(Policy const& policy) const {
    mgpu::reduce_into(policy, this->first(), this->last(), this->out(), initial<Sum>(), Op{});
  }
  columns call(cudaStream_t stream) override {
    return this->on_host(mgpu::reduce(mgpu::par.on(stream), this->first(), this->last(), initial<Sum>(), Op{}));
  }
};

template <class Key>
bool register_mgpu() {
  return register_candidates<mgpu_reduce, Key>("reduce", "mgpu", typename reduce_problems<Key>::all{});
}

}  // namespace perf
