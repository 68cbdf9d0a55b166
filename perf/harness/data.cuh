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

// Sets each item i of a column to item_at(i).
template <class T, class ItemAt>
void fill_column(memory const& column, std::int64_t n, ItemAt item_at) {
  thrust::tabulate(thrust::cuda::par.on(stream()), as<T>(column), as<T>(column) + n, item_at);
}

// Makes an input, with room for so many bytes of results. Keys and results begin `offset` bytes after where memory is
// aligned.
template <class Key, class Value = none>
input generate_columns(distribution from, std::int64_t n, std::size_t result_bytes, std::size_t offset = 0) {
  std::size_t const value_bytes = n * bytes_of<Value>;
  input data{n, allocate_columns(n * sizeof(Key), value_bytes, offset),
             allocate_columns(result_bytes, value_bytes, offset)};
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
u64 hash_of_items(columns const& of, std::int64_t n) {
  return sum_on_gpu(n, [keys = as<Key>(of.keys), values = as<Value>(of.values)] __device__(u64 i) -> u64 {
    return hash_of_item(keys[i], values[i]);
  });
}

template <class Key, class Value, class Less>
u64 breaches_of_order(columns const& of, std::int64_t n, Less less) {
  return sum_on_gpu(n - 1, [=, keys = as<Key>(of.keys), values = as<Value>(of.values)] __device__(u64 i) -> u64 {
    return in_order(keys[i], values[i], keys[i + 1], values[i + 1], less) ? 0 : 1;
  });
}

// Has the result verified to be the items of the input, in order of `less` and stable. Which items they are is looked
// at first, as a comparator may follow what they say.
template <class Key, class Value, class Less = custom>
void expect_sorted(input& data, Less less = {}) {
  data.verify = [n = data.n, hash = hash_of_items<Key, Value>(data.in, data.n), less](columns const& result, bool) {
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
