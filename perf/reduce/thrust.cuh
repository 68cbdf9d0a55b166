// Thrust's reductions: on the device clock with scratch memory that is kept, on the wall clock as they come, with
// cudaMalloc. They only ever return a value, so the device clock contains its way to the host.
#pragma once
#include <harness/arena.h>
#include <reduce/candidate.h>
#include <reduce/problems.h>
#include <thrust/reduce.h>
#include <thrust/system/cuda/execution_policy.h>

namespace perf {

template <class Key, class, class Reduction>
class thrust_reduce final : public reordering_reduce_candidate<Key, Reduction> {
  using typename reduce_candidate<Key, Reduction>::Op;
  using typename reduce_candidate<Key, Reduction>::Sum;

 public:
  static constexpr bool possible = true;

  columns enqueue(cudaStream_t stream) override { return reduce(thrust::cuda::par_nosync(arena_).on(stream)); }
  columns call(cudaStream_t stream) override { return reduce(thrust::cuda::par.on(stream)); }

 private:
  template <class Policy>
  columns reduce(Policy const& policy) {
    return this->on_host(thrust::reduce(policy, this->first(), this->last(), initial<Sum>(), Op{}));
  }
  arena arena_;
};

template <class Key>
bool register_thrust() {
  return register_candidates<thrust_reduce, Key>("reduce", name_if_reordering<Key>("thrust").c_str(),
                                                 typename reduce_problems<Key>::all{});
}

}  // namespace perf
