// CUB's merges, which count in 64 bits only. Scratch memory is at hand on both clocks, as for a user who keeps it.
#pragma once
#include <merge/candidate.h>
#include <merge/problems.h>
#include <cub/device/device_merge.cuh>

namespace perf {

template <class Key, class Value, class Comp>
class cub_merge final : public merge_candidate<Key, Value> {
 public:
  static constexpr bool possible = true;

  columns enqueue(cudaStream_t stream) override {
    std::size_t bytes = temp_.bytes();
    merge(temp_.get(), bytes, stream);
    return this->work();
  }
  columns call(cudaStream_t stream) override {
    columns const result = enqueue(stream);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return result;
  }

 private:
  void prepare_scratch(cudaStream_t stream) override {
    std::size_t bytes = 0;
    merge(nullptr, bytes, stream);
    temp_.reserve(bytes);
  }

  void merge(void* temp, std::size_t& bytes, cudaStream_t stream) const {
    comp_or_less<Comp> const comp{};
    if constexpr (std::is_same_v<Value, none>) {
      check(cub::DeviceMerge::MergeKeys(temp, bytes, this->keys(0), this->size(0), this->keys(1), this->size(1),
                                        this->keys_out(), comp, stream),
            "CUB's merge");
    } else {
      check(cub::DeviceMerge::MergePairs(temp, bytes, this->keys(0), this->values(0), this->size(0), this->keys(1),
                                         this->values(1), this->size(1), this->keys_out(), this->values_out(), comp,
                                         stream),
            "CUB's merge");
    }
  }

  device_memory temp_;
};

template <class Key>
bool register_cub() {
  return register_candidates<cub_merge, Key>("merge", "cub64", typename merge_problems<Key>::all{});
}

}  // namespace perf
