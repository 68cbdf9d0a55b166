// What candidates that reduce have in common: the input, where the result goes on the device clock, and on the host.
#pragma once
#include <harness/access.cuh>
#include <harness/candidate.h>
#include <string>

namespace perf {

template <class Key, class Reduction>
class reduce_candidate : public candidate {
 public:
  void prepare(dataset const& data, std::int64_t n, cudaStream_t stream) override {
    input_ = data.input();
    work_ = data.work();
    n_ = n;
    prepare_scratch(stream);
  }
  bool in_place() const final { return false; }

 protected:
  using Op = typename Reduction::Op;
  using Sum = typename Reduction::template Sum<Key>;

  virtual void prepare_scratch(cudaStream_t) {}

  auto first() const { return input_iterator<typename Reduction::Access>(static_cast<Key const*>(input_.keys)); }
  auto last() const { return first() + n_; }
  std::int64_t size() const { return n_; }
  Sum* out() const { return static_cast<Sum*>(work_.keys); }
  columns work() const { return work_; }

  // Keeps a result that the host was given.
  columns on_host(Sum const& value) {
    value_ = value;
    return {&value_, nullptr};
  }

 private:
  columns input_, work_;
  std::int64_t n_ = 0;
  Sum value_{};
};

// CUB and Thrust ask for an operator that commutes, and reorder the items. With one that does not they still show
// what that is worth; their name says so.
template <class Key, class Reduction>
class reordering_reduce_candidate : public reduce_candidate<Key, Reduction> {
 public:
  bool keeps_order() const final { return commutes<typename Reduction::Op>; }
};
template <class Key>
std::string name_if_reordering(char const* library) {
  return library + std::string(std::is_same_v<Key, affine> ? "_unordered" : "");
}

}  // namespace perf
