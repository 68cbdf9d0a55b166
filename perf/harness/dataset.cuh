// Data sets for a key type with each of some value types. Included by one translation unit per key type.
#pragma once
#include <harness/dataset.h>
#include <harness/distributions.h>
#include <harness/item_check.h>
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

template <class T>
__device__ T load(T const* column, std::int64_t i) {
  if constexpr (std::is_same_v<T, none>) {
    return {};
  } else {
    return column[i];
  }
}

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

template <class Key, class Value>
__global__ void hash_kernel(Key const* keys, Value const* values, std::int64_t n, unsigned long long* hash) {
  unsigned long long sum = 0;
  for (std::int64_t i = first_item(); i < n; i += item_stride()) sum += hash_of_item(keys[i], load(values, i));
  add_to(hash, sum);
}

template <class Key, class Value>
__global__ void order_kernel(Key const* keys, Value const* values, std::int64_t n, unsigned long long* breaches) {
  unsigned long long sum = 0;
  for (std::int64_t i = first_item(); i + 1 < n; i += item_stride()) {
    sum += in_order(keys[i], load(values, i), keys[i + 1], load(values, i + 1)) ? 0 : 1;
  }
  add_to(breaches, sum);
}

}  // namespace impl

template <class Key, class Value>
class typed_dataset final : public dataset {
  static constexpr bool has_values = !std::is_same_v<Value, none>;

 public:
  void generate(distribution from, std::int64_t n, cudaStream_t stream) override {
    if (from == from_ && n == n_) return;
    n_ = 0;  // in case there is no memory
    std::size_t const count = static_cast<std::size_t>(n);
    for (device_memory* const keys : {&input_keys_, &work_keys_}) keys->reserve(count * sizeof(Key));
    for (device_memory* const values : {&input_values_, &work_values_}) values->reserve(count * bytes_of<Value>);
    sums_.reserve(2 * sizeof(unsigned long long));
    impl::generate_kernel<<<impl::blocks_for(n), impl::threads_per_block, 0, stream>>>(from, keys(input()),
                                                                                       values(input()), n);
    check(cudaGetLastError(), "generate_kernel");
    from_ = from;
    n_ = n;
    hash_ = sums(input(), stream).hash;
  }

  columns input() const override { return {input_keys_.get(), input_values_.get()}; }
  columns work() const override { return {work_keys_.get(), work_values_.get()}; }

  void refill(bool with_input, cudaStream_t stream) override {
    refill(with_input, work_keys_.get(), input_keys_.get(), sizeof(Key), stream);
    if (has_values) refill(with_input, work_values_.get(), input_values_.get(), bytes_of<Value>, stream);
  }

  std::string verify(columns result, cudaStream_t stream) override {
    totals const found = sums(result, stream);
    if (found.breaches != 0) {
      return std::to_string(found.breaches) + " items stand before one that belongs before them";
    }
    if (found.hash != hash_) return "items are missing, doubled or altered";
    return {};
  }

  void spoil(columns result, cudaStream_t stream) override {
    Key* const middle = keys(result) + n_ / 2;
    check(cudaMemsetAsync(middle, 0x5a, sizeof(Key), stream), "cudaMemsetAsync");
  }

  std::size_t item_bytes() const override { return sizeof(Key) + bytes_of<Value>; }

  void release() override {
    n_ = 0;
    for (device_memory* const memory : {&input_keys_, &input_values_, &work_keys_, &work_values_, &sums_}) {
      memory->release();
    }
  }

 private:
  struct totals {
    unsigned long long hash;
    unsigned long long breaches;
  };

  static Key* keys(columns of) { return static_cast<Key*>(of.keys); }
  static Value* values(columns of) { return static_cast<Value*>(of.values); }

  void refill(bool with_input, void* to, void const* from, std::size_t item_bytes, cudaStream_t stream) const {
    std::size_t const bytes = static_cast<std::size_t>(n_) * item_bytes;
    if (with_input) {
      check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
    } else {
      check(cudaMemsetAsync(to, 0xa5, bytes, stream), "cudaMemsetAsync");
    }
  }

  totals sums(columns of, cudaStream_t stream) {
    auto* const on_device = static_cast<totals*>(sums_.get());
    totals found{};
    check(cudaMemsetAsync(on_device, 0, sizeof(totals), stream), "cudaMemsetAsync");
    impl::hash_kernel<Key, Value>
        <<<impl::blocks_for(n_), impl::threads_per_block, 0, stream>>>(keys(of), values(of), n_, &on_device->hash);
    check(cudaGetLastError(), "hash_kernel");
    impl::order_kernel<Key, Value><<<impl::blocks_for(n_), impl::threads_per_block, 0, stream>>>(
        keys(of), values(of), n_, &on_device->breaches);
    check(cudaGetLastError(), "order_kernel");
    check(cudaMemcpyAsync(&found, on_device, sizeof(totals), cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "verification");
    return found;
  }

  distribution from_ = distribution::uniform;
  std::int64_t n_ = 0;
  u64 hash_ = 0;
  device_memory input_keys_, input_values_, work_keys_, work_values_, sums_;
};

// Defines the data sets of a key type. The result is only there to be a static initialiser.
template <class Key, class... Values>
bool register_datasets() {
  ((dataset_makers()[{name_of<Key>, name_of<Values>}] = []() -> std::unique_ptr<dataset> {
     return std::make_unique<typed_dataset<Key, Values>>();
   }),
   ...);
  return true;
}

}  // namespace perf
