// Thrust's merges: on the device clock with scratch memory that is kept, on the wall clock as they come, with
// cudaMalloc.
#pragma once
#include <harness/arena.h>
#include <merge/candidate.h>
#include <merge/problems.h>
#include <thrust/merge.h>
#include <thrust/system/cuda/execution_policy.h>

namespace perf {

template <class Key, class Value, class Comp>
class thrust_merge final : public merge_candidate<Key, Value> {
 public:
  static constexpr bool possible = true;

  columns enqueue(cudaStream_t stream) override {
    merge(thrust::cuda::par_nosync(arena_).on(stream));
    return this->work();
  }
  columns call(cudaStream_t stream) override {
    merge(thrust::cuda::par.on(stream));
    return this->work();
  }

 private:
  template <class Policy>
  void merge(Policy const& policy) const {
    auto const* const a = this->keys(0);
    auto const* const b = this->keys(1);
    auto const* const a_end = a + this->size(0);
    auto const* const b_end = b + this->size(1);
    comp_or_less<Comp> const comp{};
    if constexpr (std::is_same_v<Value, none>) {
      thrust::merge(policy, a, a_end, b, b_end, this->keys_out(), comp);
    } else {
      thrust::merge_by_key(policy, a, a_end, b, b_end, this->values(0), this->values(1), this->keys_out(),
                           this->values_out(), comp);
    }
  }
  arena arena_;
};

template <class Key>
bool register_thrust() {
  return register_candidates<thrust_merge, Key>("merge", "thrust", typename merge_problems<Key>::all{});
}

}  // namespace perf
