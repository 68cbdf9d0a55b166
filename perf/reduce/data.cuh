// Data sets for reductions. Included by one translation unit per item type.
#pragma once
#include <harness/column_dataset.cuh>
#include <reduce/check.h>
#include <reduce/problems.h>

namespace perf {

// A call writes its one result alone, so the input is for the next call where this one left it: up to the size of the
// L2 cache, there.
template <class Key, class Reduction>
class reduce_dataset final : public column_dataset<Key, none, typename Reduction::template Sum<Key>> {
  using Sum = typename Reduction::template Sum<Key>;

 public:
  std::string verify(columns result, bool keeps_order, cudaStream_t stream) override {
    Sum found{};
    check(cudaMemcpyAsync(&found, result.keys, sizeof(found), cudaMemcpyDefault, stream), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "verification");
    bool const right = keeps_order ? found == expected_ : equal_but_for_order(found, expected_);
    return right ? "" : "not what the CPU makes of the same items";
  }

 private:
  std::int64_t results(std::int64_t) const override { return 1; }
  void remember_input(cudaStream_t) override { expected_ = reference<Reduction, Key>(this->from(), this->size()); }

  Sum expected_{};
};

template <class Key>
bool register_data() {
  return register_datasets_of<reduce_dataset, Key>(typename reduce_problems<Key>::all{});
}

}  // namespace perf
