// CUB's reductions, with 32-bit and with 64-bit counts (libraries cub32 and cub64), since CUB tunes by that type.
// Scratch memory is at hand on both clocks, as for a user who keeps it; so is, on the wall clock, pinned memory for
// the value.
#pragma once
#include <reduce/candidate.h>
#include <reduce/problems.h>
#include <cub/device/device_reduce.cuh>
#include <cstdint>

namespace perf {

template <class Count, class Key, class Reduction>
class cub_reduce final : public reordering_reduce_candidate<Key, Reduction> {
  using typename reduce_candidate<Key, Reduction>::Op;
  using typename reduce_candidate<Key, Reduction>::Sum;

 public:
  static constexpr bool possible = true;

  columns enqueue(cudaStream_t stream) override {
    std::size_t bytes = temp_.bytes();
    reduce(temp_.get(), bytes, stream);
    return this->work();
  }
  columns call(cudaStream_t stream) override {
    enqueue(stream);
    check(cudaMemcpyAsync(value_.get(), this->out(), sizeof(Sum), cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return {value_.get(), nullptr};
  }

 private:
  void prepare_scratch(cudaStream_t stream) override {
    std::size_t bytes = 0;
    reduce(nullptr, bytes, stream);
    temp_.reserve(bytes);
  }

  void reduce(void* temp, std::size_t& bytes, cudaStream_t stream) const {
    auto const n = static_cast<Count>(this->size());
    check(cub::DeviceReduce::Reduce(temp, bytes, this->first(), this->out(), n, Op{}, initial<Sum>(), stream),
          "CUB's reduce");
  }

  device_memory temp_;
  pinned<Sum> value_;
};

template <class Key, class, class Reduction>
using cub_reduce_32 = cub_reduce<std::uint32_t, Key, Reduction>;
template <class Key, class, class Reduction>
using cub_reduce_64 = cub_reduce<std::uint64_t, Key, Reduction>;

template <class Key>
bool register_cub() {
  using all = typename reduce_problems<Key>::all;
  return register_candidates<cub_reduce_32, Key>("reduce", name_if_reordering<Key>("cub32").c_str(), all{}) &&
         register_candidates<cub_reduce_64, Key>("reduce", name_if_reordering<Key>("cub64").c_str(), all{});
}

}  // namespace perf
