// mgpu's reductions: on the device clock into device memory, in stream order, on the wall clock until the host has
// the value; scratch memory from its warm pool.
#pragma once
#include <reduce/candidate.h>
#include <reduce/problems.h>
#include <mgpu/reduce.h>

namespace perf {

template <class Key, class, class Reduction>
class mgpu_reduce final : public reduce_candidate<Key, Reduction> {
  using typename reduce_candidate<Key, Reduction>::Op;
  using typename reduce_candidate<Key, Reduction>::Sum;

 public:
  static constexpr bool possible = true;

  columns enqueue(cudaStream_t stream) override {
    mgpu::reduce_into(mgpu::par_nosync.on(stream), this->first(), this->last(), this->out(), initial<Sum>(), Op{});
    return this->work();
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
