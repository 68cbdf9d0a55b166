// What data sets of all families share: their memory, how it is filled, and sums over all items.
#pragma once
#include <harness/dataset.h>
#include <harness/distributions.h>
#include <algorithm>

namespace perf {

namespace impl {

constexpr int threads_per_block = 256;

inline unsigned blocks_for(std::int64_t n) {
  return static_cast<unsigned>(std::clamp<std::int64_t>(n / threads_per_block, 1, 4096));
}

__device__ inline std::int64_t first_item() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t item_stride() { return static_cast<std::int64_t>(gridDim.x) * blockDim.x; }

__device__ inline void add_to(unsigned long long* sum, unsigned long long term) {
  for (int distance = 16; distance > 0; distance /= 2) term += __shfl_down_sync(0xffffffffu, term, distance);
  if (threadIdx.x % 32 == 0 && term != 0) atomicAdd(sum, term);
}

template <class Key, class Value>
__global__ void generate_kernel(distribution from, Key* keys, Value* values, std::int64_t n) {
  for (std::int64_t i = first_item(); i < n; i += item_stride()) {
    keys[i] = key_at<Key>(from, static_cast<u64>(i), static_cast<u64>(n));
    if constexpr (!std::is_same_v<Value, none>) values[i] = value_of<Value>(static_cast<u64>(i));
  }
}

}  // namespace impl

// Keys and values, and results in place of the keys.
template <class Key, class Value, class Result = Key>
class column_dataset : public dataset {
 public:
  // With keys and results that begin so many items after where memory is aligned.
  explicit column_dataset(int offset = 0) : offset_(offset) {}

  void generate(distribution from, std::int64_t n, cudaStream_t stream) final {
    if (from == from_ && n == n_) return;
    n_ = 0;  // in case there is no memory
    input_keys_.reserve(static_cast<std::size_t>(n + offset_) * sizeof(Key));
    work_keys_.reserve(static_cast<std::size_t>(results(n) + offset_) * sizeof(Result));
    for (device_memory* const values : {&input_values_, &work_values_}) {
      values->reserve(static_cast<std::size_t>(n) * bytes_of<Value>);
    }
    impl::generate_kernel<<<impl::blocks_for(n), impl::threads_per_block, 0, stream>>>(
        from, static_cast<Key*>(input().keys), static_cast<Value*>(input().values), n);
    check(cudaGetLastError(), "generate_kernel");
    from_ = from;
    n_ = n;
    remember_input(stream);
  }

  columns input() const final { return {static_cast<Key*>(input_keys_.get()) + offset_, input_values_.get()}; }
  columns work() const final { return {static_cast<Result*>(work_keys_.get()) + offset_, work_values_.get()}; }

  void refill(bool with_input, cudaStream_t stream) final {
    refill(with_input, work().keys, input().keys, result_bytes(), stream);
    if (value_bytes() > 0) refill(with_input, work().values, input().values, value_bytes(), stream);
  }

  void spoil(columns result, cudaStream_t stream) final {
    Result* const middle = static_cast<Result*>(result.keys) + results(n_) / 2;
    check(cudaMemsetAsync(middle, 0x5a, sizeof(Result), stream), "cudaMemsetAsync");
  }

  std::size_t item_bytes() const final { return sizeof(Key) + bytes_of<Value>; }
  std::size_t traffic_bytes() const final {
    return static_cast<std::size_t>(n_) * sizeof(Key) + result_bytes() + 2 * value_bytes();
  }

  void release() final {
    n_ = 0;
    for (device_memory* const memory : {&input_keys_, &input_values_, &work_keys_, &work_values_, &sum_}) {
      memory->release();
    }
  }

 protected:
  // How many results there are of n keys.
  virtual std::int64_t results(std::int64_t n) const { return n; }

  // Notes what of a new input verify will need.
  virtual void remember_input(cudaStream_t) {}

  distribution from() const { return from_; }
  std::int64_t size() const { return n_; }

  // The sum that a kernel makes over all items. Its last parameters are their number and where the sum goes.
  template <class... Parameters, class... Arguments>
  u64 sum_by(void (*kernel)(Parameters...), cudaStream_t stream, Arguments... arguments) {
    auto* const on_device = static_cast<unsigned long long*>(sum_.reserve(sizeof(unsigned long long)));
    unsigned long long sum = 0;
    check(cudaMemsetAsync(on_device, 0, sizeof(sum), stream), "cudaMemsetAsync");
    kernel<<<impl::blocks_for(n_), impl::threads_per_block, 0, stream>>>(arguments..., n_, on_device);
    check(cudaGetLastError(), "a kernel of the verification");
    check(cudaMemcpyAsync(&sum, on_device, sizeof(sum), cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "verification");
    return sum;
  }

 private:
  std::size_t result_bytes() const { return static_cast<std::size_t>(results(n_)) * sizeof(Result); }
  std::size_t value_bytes() const { return static_cast<std::size_t>(n_) * bytes_of<Value>; }

  static void refill(bool with_input, void* to, void const* from, std::size_t bytes, cudaStream_t stream) {
    if (with_input) {
      check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
    } else {
      check(cudaMemsetAsync(to, 0xa5, bytes, stream), "cudaMemsetAsync");
    }
  }

  int offset_;
  distribution from_ = distribution::uniform;
  std::int64_t n_ = 0;
  device_memory input_keys_, input_values_, work_keys_, work_values_, sum_;
};

}  // namespace perf
