// What candidates that merge have in common: the input's two halves, each sorted, and the output.
#pragma once
#include <harness/candidate.h>
#include <harness/types.h>
#include <cuda/std/functional>
#include <type_traits>

namespace perf {

// For libraries that want a comparator in any case.
template <class Comp>
using comp_or_less = std::conditional_t<std::is_same_v<Comp, natural>, cuda::std::less<>, Comp>;

template <class Key, class Value>
class merge_candidate : public candidate {
 public:
  void prepare(dataset const& data, std::int64_t n, cudaStream_t stream) override {
    input_ = data.input();
    work_ = data.work();
    half_ = n / 2;
    n_ = n;
    prepare_scratch(stream);
  }
  bool in_place() const final { return false; }

 protected:
  virtual void prepare_scratch(cudaStream_t) {}

  Key const* keys(int run) const { return static_cast<Key const*>(input_.keys) + (run == 0 ? 0 : half_); }
  Value const* values(int run) const { return static_cast<Value const*>(input_.values) + (run == 0 ? 0 : half_); }
  std::int64_t size(int run) const { return run == 0 ? half_ : n_ - half_; }
  Key* keys_out() const { return static_cast<Key*>(work_.keys); }
  Value* values_out() const { return static_cast<Value*>(work_.values); }
  columns work() const { return work_; }

 private:
  columns input_, work_;
  std::int64_t half_ = 0;
  std::int64_t n_ = 0;
};

}  // namespace perf
