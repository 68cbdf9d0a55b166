// The ceiling: how fast this GPU copies its own memory, in the same run as everything that is held against it.
#pragma once
#include <harness/candidate.h>

namespace perf {

class device_copy final : public candidate {
 public:
  void prepare(dataset const& data, std::int64_t n, cudaStream_t) override {
    data_ = &data;
    bytes_ = static_cast<std::size_t>(n) * data.item_bytes();
  }
  columns enqueue(cudaStream_t stream) override {
    check(cudaMemcpyAsync(data_->work().keys, data_->input().keys, bytes_, cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
    return data_->work();
  }
  columns call(cudaStream_t stream) override {
    columns const result = enqueue(stream);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return result;
  }
  bool in_place() const override { return false; }

 private:
  dataset const* data_ = nullptr;
  std::size_t bytes_ = 0;
};

inline candidate_kind const& copy_kind() {
  static candidate_kind const kind{
      "copy", "cuda", "u32", "none", "none", "none", [] { return std::make_unique<device_copy>(); }};
  return kind;
}

// Of a sorted input, so that its result stands the same test as all others.
inline row copy_row() { return {&copy_kind(), distribution::sorted, std::int64_t{1} << 28, true}; }

}  // namespace perf
