// Thrust's sorts: on the device clock with scratch memory that is kept, on the wall clock as they come, with
// cudaMalloc. Large values also the other way that a user has: indices are sorted, and the values gathered (library
// thrust_gather).
#pragma once
#include <harness/arena.h>
#include <sort/candidate.h>
#include <sort/problems.h>
#include <thrust/device_ptr.h>
#include <thrust/gather.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

namespace perf {

template <class Policy, class Keys, class Values, class Comp>
void thrust_sort(Policy const& policy, Keys first, Keys last, [[maybe_unused]] Values values, Comp comp) {
  if constexpr (std::is_same_v<Values, none*>) {
    if constexpr (std::is_same_v<Comp, natural>) {
      thrust::stable_sort(policy, first, last);
    } else {
      thrust::stable_sort(policy, first, last, comp);
    }
  } else {
    if constexpr (std::is_same_v<Comp, natural>) {
      thrust::stable_sort_by_key(policy, first, last, values);
    } else {
      thrust::stable_sort_by_key(policy, first, last, values, comp);
    }
  }
}

template <class Key, class Value, class Comp>
class thrust_sort_candidate final : public sort_candidate<Key, Value> {
 public:
  // The radix sort does not compile for values of 124 bytes and more.
  static constexpr bool possible = !std::is_same_v<Comp, natural> || bytes_of<Value> < 124;

  columns enqueue(cudaStream_t stream) override {
    sort(thrust::cuda::par_nosync(arena_).on(stream));
    return this->work();
  }
  columns call(cudaStream_t stream) override {
    sort(thrust::cuda::par.on(stream));
    return this->work();
  }

 private:
  template <class Policy>
  void sort(Policy const& policy) const {
    thrust_sort(policy, this->keys(), this->keys() + this->size(), this->values(), Comp{});
  }
  arena arena_;
};

template <class Key, class Value, class Comp>
class thrust_gather_sort final : public sort_candidate<Key, Value> {
 public:
  static constexpr bool possible = bytes_of<Value> > 8;

  columns enqueue(cudaStream_t stream) override {
    auto const policy = thrust::cuda::par_nosync(arena_).on(stream);
    char* const order = arena_.allocate(static_cast<std::ptrdiff_t>(order_bytes()));
    char* const source = arena_.allocate(static_cast<std::ptrdiff_t>(source_bytes()));
    sort(policy, reinterpret_cast<u32*>(order), reinterpret_cast<Value*>(source), stream);
    arena_.deallocate(order, order_bytes());
    arena_.deallocate(source, source_bytes());
    return this->work();
  }
  columns call(cudaStream_t stream) override {
    void* order = nullptr;
    void* source = nullptr;
    check(cudaMalloc(&order, order_bytes()), "cudaMalloc");
    check(cudaMalloc(&source, source_bytes()), "cudaMalloc");
    sort(thrust::cuda::par.on(stream), static_cast<u32*>(order), static_cast<Value*>(source), stream);
    check(cudaFree(order), "cudaFree");
    check(cudaFree(source), "cudaFree");
    return this->work();
  }

 private:
  std::size_t order_bytes() const { return static_cast<std::size_t>(this->size()) * sizeof(u32); }
  std::size_t source_bytes() const { return static_cast<std::size_t>(this->size()) * sizeof(Value); }

  template <class Policy>
  void sort(Policy const& policy, u32* order, Value* source, cudaStream_t stream) const {
    thrust::sequence(policy, order, order + this->size());
    thrust_sort(policy, this->keys(), this->keys() + this->size(), order, Comp{});
    check(cudaMemcpyAsync(source, this->values(), source_bytes(), cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
    thrust::gather(policy, order, order + this->size(), source, this->values());
  }
  arena arena_;
};

template <class Key>
bool register_thrust() {
  return register_candidates<thrust_sort_candidate, Key>("sort", "thrust", typename sort_problems<Key>::all{}) &&
         register_candidates<thrust_gather_sort, Key>("sort", "thrust_gather", typename sort_problems<Key>::all{});
}

}  // namespace perf
