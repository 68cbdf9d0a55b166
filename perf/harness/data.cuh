// This makes inputs on the GPU, and looks at results there, by Thrust.
//
// Lambdas for the GPU are `__device__` alone. Of one that is `__host__ __device__`, nvcc keeps the host's half by
// pointers that each translation unit has to itself. Where several instantiate the function that the lambda stands
// in, the linker may join one unit's constructor with another's destructor, which then finds its pointer null.
#pragma once
#include <harness/problem.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>
#include <cuda/std/functional>

namespace perf {

// Returns an input with room for n keys and values of so many bytes each, and for all results in place of the keys.
// Keys and results begin `offset` bytes after where memory is aligned.
inline input allocate_columns(std::int64_t n, std::size_t key_bytes, std::size_t value_bytes,
                              std::size_t result_bytes, std::size_t offset = 0) {
  input data{n};
  data.key_bytes = n * key_bytes;
  data.value_bytes = n * value_bytes;
  data.result_bytes = result_bytes;
  auto const allocate = [&data](std::size_t bytes, std::size_t skipped = 0) {
    data.owners.push_back(device_memory(skipped + bytes));
    return as<char>(data.owners.back().get()) + skipped;
  };
  data.in = {allocate(data.key_bytes, offset), allocate(data.value_bytes)};
  data.work = {allocate(data.result_bytes, offset), allocate(data.value_bytes)};
  return data;
}

// Sets each item i of a column to item_at(i).
template <class T, class ItemAt>
void fill_column(void* column, std::int64_t n, ItemAt item_at) {
  thrust::tabulate(thrust::cuda::par.on(stream()), as<T>(column), as<T>(column) + n, item_at);
}

// Makes such an input.
template <class Key, class Value = none>
input generate_columns(distribution from, std::int64_t n, std::size_t result_bytes, std::size_t offset = 0) {
  input data = allocate_columns(n, sizeof(Key), bytes_of<Value>, result_bytes, offset);
  fill_column<Key>(data.in.keys, n, [=] __device__(u64 i) -> Key { return key_at<Key>(from, i, n); });
  if constexpr (!std::is_same_v<Value, none>) {
    fill_column<Value>(data.in.values, n, [] __device__(u64 i) -> Value { return value_of<Value>(i); });
  }
  return data;
}

// Returns the sum of term(i) over all i below n.
template <class Term>
u64 sum_on_gpu(std::int64_t n, Term term) {
  thrust::counting_iterator<std::int64_t> const first(0);
  return thrust::transform_reduce(thrust::cuda::par.on(stream()), first, first + n, term, u64{0},
                                  cuda::std::plus<>());
}

// Where there are no values, the following look at none: `none` has no bytes to read.
template <class Key, class Value>
u64 hash_of_items(columns of, std::int64_t n) {
  return sum_on_gpu(
      n, [=] __device__(u64 i) -> u64 { return hash_of_item(as<Key>(of.keys)[i], as<Value>(of.values)[i]); });
}

template <class Key, class Value, class Less>
u64 breaches_of_order(columns of, std::int64_t n, Less less) {
  return sum_on_gpu(n - 1, [=] __device__(u64 i) -> u64 {
    Key const* const keys = as<Key>(of.keys) + i;
    Value const* const values = as<Value>(of.values) + i;
    return in_order(keys[0], values[0], keys[1], values[1], less) ? 0 : 1;
  });
}

// Has the result verified to be the items of the input, in order of `less` and stable. Which items they are is looked
// at first, as a comparator may follow what they say.
template <class Key, class Value, class Less = custom>
void expect_sorted(input& data, Less less = {}) {
  data.verify = [n = data.n, hash = hash_of_items<Key, Value>(data.in, data.n), less](columns result, bool) {
    if (hash_of_items<Key, Value>(result, n) != hash) return std::string("items are missing, doubled or altered");
    u64 const breaches = breaches_of_order<Key, Value>(result, n, less);
    return breaches == 0 ? "" : std::to_string(breaches) + " items stand before one that belongs before them";
  };
}

// Makes an input whose result must be the same items, sorted and stable.
template <class Key, class Value, bool in_place>
input generate_to_be_sorted(distribution from, std::int64_t n) {
  input data = generate_columns<Key, Value>(from, n, n * sizeof(Key));
  data.in_place = in_place;
  expect_sorted<Key, Value>(data);
  return data;
}

}  // namespace perf
