// Data sets for sorting and merging: a key type with each of some value types. Included by one translation unit per
// key type.
#pragma once
#include <harness/column_dataset.cuh>
#include <harness/item_check.h>

namespace perf {

namespace impl {

template <class T>
__device__ T load(T const* column, std::int64_t i) {
  if constexpr (std::is_same_v<T, none>) {
    return {};
  } else {
    return column[i];
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
class sort_dataset final : public column_dataset<Key, Value> {
 public:
  // A result must be the input, sorted and stable.
  std::string verify(columns result, bool, cudaStream_t stream) override {
    u64 const breaches = sum(impl::order_kernel<Key, Value>, result, stream);
    if (breaches != 0) return std::to_string(breaches) + " items stand before one that belongs before them";
    if (sum(impl::hash_kernel<Key, Value>, result, stream) != hash_) return "items are missing, doubled or altered";
    return {};
  }

 private:
  void remember_input(cudaStream_t stream) override {
    hash_ = sum(impl::hash_kernel<Key, Value>, this->input(), stream);
  }

  template <class Kernel>
  u64 sum(Kernel kernel, columns of, cudaStream_t stream) {
    return this->sum_by(kernel, stream, static_cast<Key const*>(of.keys), static_cast<Value const*>(of.values));
  }

  u64 hash_ = 0;
};

}  // namespace perf
