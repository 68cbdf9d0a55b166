// This makes inputs on the GPU, and looks at results there.
#pragma once
#include <harness/problem.h>
#include <string>

namespace perf {

// These fill a GPU. A thread takes many items where there are more.
constexpr int num_blocks = 1024;
constexpr int threads_per_block = 256;

__device__ inline std::int64_t first_item() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t item_stride() { return static_cast<std::int64_t>(gridDim.x) * blockDim.x; }

template <class Key, class Value>
__global__ void generate_kernel(distribution from, Key* keys, Value* values, std::int64_t n) {
  for (std::int64_t i = first_item(); i < n; i += item_stride()) {
    keys[i] = key_at<Key>(from, static_cast<u64>(i), static_cast<u64>(n));
    if constexpr (!std::is_same_v<Value, none>) values[i] = value_of<Value>(static_cast<u64>(i));
  }
}

template <class Term>
__global__ void sum_kernel(std::int64_t n, Term term, unsigned long long* sum) {
  unsigned long long part = 0;
  for (std::int64_t i = first_item(); i < n; i += item_stride()) part += term(i);
  for (int distance = 16; distance > 0; distance /= 2) part += __shfl_down_sync(0xffffffffu, part, distance);
  if (threadIdx.x % 32 == 0 && part != 0) atomicAdd(sum, part);
}

// Returns the sum of term(i) over all i below n. It waits for the stream.
template <class Term>
u64 sum_on_gpu(std::int64_t n, cudaStream_t stream, Term term) {
  memory const owner = device_memory(sizeof(unsigned long long));
  auto* const on_device = static_cast<unsigned long long*>(owner.get());
  unsigned long long sum = 0;
  check(cudaMemsetAsync(on_device, 0, sizeof(sum), stream), "cudaMemsetAsync");
  sum_kernel<<<num_blocks, threads_per_block, 0, stream>>>(n, term, on_device);
  check(cudaGetLastError(), "a kernel of the verification");
  check(cudaMemcpyAsync(&sum, on_device, sizeof(sum), cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
  check(cudaStreamSynchronize(stream), "verification");
  return sum;
}

// Returns an input with room for n keys with their values, and for the results in place of the keys. Keys and results begin
// `offset` items after where memory is aligned.
template <class Key, class Value, class Result = Key>
input allocate_columns(std::int64_t n, std::int64_t num_results, int offset) {
  input data;
  data.n = n;
  data.key_bytes = static_cast<std::size_t>(n) * sizeof(Key);
  data.value_bytes = static_cast<std::size_t>(n) * bytes_of<Value>;
  data.result_bytes = static_cast<std::size_t>(num_results) * sizeof(Result);
  auto const allocate = [&data](std::size_t bytes, std::size_t skipped) {
    data.owners.push_back(device_memory(skipped + bytes));
    return as<char>(data.owners.back().get()) + skipped;
  };
  std::size_t const skipped = static_cast<std::size_t>(offset);
  data.in = {allocate(data.key_bytes, skipped * sizeof(Key)), allocate(data.value_bytes, 0)};
  data.work = {allocate(data.result_bytes, skipped * sizeof(Result)), allocate(data.value_bytes, 0)};
  return data;
}

// Makes such an input.
template <class Key, class Value, class Result = Key>
input generate_columns(distribution from, std::int64_t n, std::int64_t num_results, int offset, cudaStream_t stream) {
  input data = allocate_columns<Key, Value, Result>(n, num_results, offset);
  generate_kernel<<<num_blocks, threads_per_block, 0, stream>>>(from, as<Key>(data.in.keys),
                                                                as<Value>(data.in.values), n);
  check(cudaGetLastError(), "generate_kernel");
  return data;
}

template <class T>
__device__ T load(T const* column, std::int64_t i) {
  if constexpr (std::is_same_v<T, none>) {
    return {};
  } else {
    return column[i];
  }
}

template <class Key, class Value>
u64 hash_of_items(columns of, std::int64_t n, cudaStream_t stream) {
  auto const term = [keys = as<Key>(of.keys), values = as<Value>(of.values)] __device__(std::int64_t i) {
    return hash_of_item(keys[i], load(values, i));
  };
  return sum_on_gpu(n, stream, term);
}

template <class Key, class Value>
u64 breaches_of_order(columns of, std::int64_t n, cudaStream_t stream) {
  auto const term = [keys = as<Key>(of.keys), values = as<Value>(of.values)] __device__(std::int64_t i) {
    return in_order(keys[i], load(values, i), keys[i + 1], load(values, i + 1)) ? 0 : 1;
  };
  return sum_on_gpu(n - 1, stream, term);
}

// Makes an input whose result must be the same items, sorted and stable.
template <class Key, class Value, bool in_place>
input generate_to_be_sorted(distribution from, std::int64_t n, cudaStream_t stream) {
  input data = generate_columns<Key, Value>(from, n, n, 0, stream);
  data.in_place = in_place;
  u64 const hash = hash_of_items<Key, Value>(data.in, n, stream);
  data.verify = [n, hash](columns result, bool, cudaStream_t stream) -> std::string {
    u64 const breaches = breaches_of_order<Key, Value>(result, n, stream);
    if (breaches != 0) return std::to_string(breaches) + " items stand before one that belongs before them";
    if (hash_of_items<Key, Value>(result, n, stream) != hash) return "items are missing, doubled or altered";
    return {};
  };
  return data;
}

}  // namespace perf
