// What candidates that scan have in common: the input and the output.
#pragma once
#include <harness/access.cuh>
#include <harness/candidate.h>

namespace perf {

template <class Key, class Scan>
class scan_candidate : public candidate {
 public:
  void prepare(dataset const& data, std::int64_t n, cudaStream_t stream) override {
    input_ = data.input();
    work_ = data.work();
    n_ = n;
    prepare_scratch(stream);
  }
  bool in_place() const final { return false; }

 protected:
  virtual void prepare_scratch(cudaStream_t) {}

  auto in() const { return input_iterator<typename Scan::Access>(static_cast<Key const*>(input_.keys)); }
  auto out() const { return output_iterator<typename Scan::Access>(static_cast<Key*>(work_.keys)); }
  std::int64_t size() const { return n_; }
  columns work() const { return work_; }

 private:
  columns input_, work_;
  std::int64_t n_ = 0;
};

}  // namespace perf
