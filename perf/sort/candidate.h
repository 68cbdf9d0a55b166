// What candidates that sort have in common: where the columns are.
#pragma once
#include <harness/candidate.h>
#include <harness/types.h>

namespace perf {

template <class Key, class Value>
class sort_candidate : public candidate {
 public:
  void prepare(dataset const& data, std::int64_t n, cudaStream_t stream) override {
    work_ = data.work();
    n_ = n;
    prepare_scratch(stream);
  }
  bool in_place() const final { return true; }

 protected:
  virtual void prepare_scratch(cudaStream_t) {}

  Key* keys() const { return static_cast<Key*>(work_.keys); }
  Value* values() const { return static_cast<Value*>(work_.values); }
  columns work() const { return work_; }
  std::int64_t size() const { return n_; }

 private:
  columns work_;
  std::int64_t n_ = 0;
};

}  // namespace perf
