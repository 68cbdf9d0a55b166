// These are the sorts of mgpu, Thrust and CUB as the benchmarks call them: in place, by the natural order, or by a comparator
// that is made for each call.
#pragma once
#include <harness/libraries.cuh>
#include <harness/types.h>
#include <mgpu/sort.h>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <thrust/detail/temporary_buffer.h>
#include <thrust/gather.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace perf {

template <class Policy, class Key, class Value, class... Comp>
void mgpu_sort(Policy const& policy, Key* keys, std::int64_t n, [[maybe_unused]] Value* values, Comp... comp) {
  if constexpr (std::is_same_v<Value, none>) {
    mgpu::sort(policy, keys, keys + n, comp...);
  } else {
    mgpu::sort_by_key(policy, keys, keys + n, values, comp...);
  }
}

template <class Policy, class Key, class Value, class... Comp>
void thrust_sort(Policy const& policy, Key* keys, std::int64_t n, [[maybe_unused]] Value* values, Comp... comp) {
  if constexpr (std::is_same_v<Value, none>) {
    thrust::stable_sort(policy, keys, keys + n, comp...);
  } else {
    thrust::stable_sort_by_key(policy, keys, keys + n, values, comp...);
  }
}

// A user has another way for large values: indices are sorted, and the values gathered.
template <class Policy, class Key, class Value, class... Comp>
void thrust_gather_sort(Policy const& policy, Key* keys, std::int64_t n, Value* values, cudaStream_t stream,
                        Comp... comp) {
  auto const order = thrust::get_temporary_buffer<u32>(policy, n).first;
  auto const source = thrust::get_temporary_buffer<Value>(policy, n).first;
  auto* const indices = thrust::raw_pointer_cast(order);
  auto* const copy = thrust::raw_pointer_cast(source);
  thrust::sequence(policy, indices, indices + n);
  thrust_sort(policy, keys, n, indices, comp...);
  std::size_t const bytes = static_cast<std::size_t>(n) * sizeof(Value);
  check(cudaMemcpyAsync(copy, values, bytes, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
  thrust::gather(policy, indices, indices + n, copy, values);
  thrust::return_temporary_buffer(policy, order, n);
  thrust::return_temporary_buffer(policy, source, n);
}

// CUB sorts by digits, between two halves of a double buffer, or by a comparator.
template <class Key, class Value, class Count>
columns cub_sort(void* temp, std::size_t& bytes, Count n, job& of) {
  constexpr int bits = 8 * sizeof(Key);
  if (of.other_keys == nullptr) of.other_keys = device_memory(of.data.key_bytes);
  cub::DoubleBuffer<Key> keys(as<Key>(of.data.work.keys), static_cast<Key*>(of.other_keys.get()));
  if constexpr (std::is_same_v<Value, none>) {
    check(cub::DeviceRadixSort::SortKeys(temp, bytes, keys, n, 0, bits, of.stream), "CUB");
    return {keys.Current(), nullptr};
  } else {
    if (of.other_values == nullptr) of.other_values = device_memory(of.data.value_bytes);
    cub::DoubleBuffer<Value> values(as<Value>(of.data.work.values), static_cast<Value*>(of.other_values.get()));
    check(cub::DeviceRadixSort::SortPairs(temp, bytes, keys, values, n, 0, bits, of.stream), "CUB");
    return {keys.Current(), values.Current()};
  }
}
template <class Key, class Value, class Count, class Comp>
columns cub_sort(void* temp, std::size_t& bytes, Count n, job& of, Comp comp) {
  Key* const keys = as<Key>(of.data.work.keys);
  if constexpr (std::is_same_v<Value, none>) {
    check(cub::DeviceMergeSort::StableSortKeys(temp, bytes, keys, n, comp, of.stream), "CUB");
  } else {
    Value* const values = as<Value>(of.data.work.values);
    check(cub::DeviceMergeSort::StableSortPairs(temp, bytes, keys, values, n, comp, of.stream), "CUB");
  }
  return of.data.work;
}

// Returns what sorts by comp_of(job)..., which is one comparator, or nothing for the natural order.
template <class Key, class Value, class... CompOf>
std::vector<candidate> candidates_for_sorting(CompOf... comp_of) {
  // Returns what calls sort(policy, job, keys, values, comp...).
  auto const with_columns = [comp_of...](auto sort) {
    return [=](auto const& policy, job& of) {
      columns const work = of.data.work;
      sort(policy, of, as<Key>(work.keys), as<Value>(work.values), comp_of(of)...);
      return work;
    };
  };
  std::vector<candidate> found = {
      with_mgpu(with_columns([](auto const& policy, job& of, Key* keys, Value* values, auto... comp) {
        mgpu_sort(policy, keys, of.data.n, values, comp...);
      }))};
  // The radix sorts do not compile for values of 124 bytes and more, as their blocks would need too much shared memory.
  if constexpr (sizeof...(CompOf) > 0 || bytes_of<Value> < 124) {
    add_peers<u32, u64>(found, with_columns([](auto const& policy, job& of, Key* keys, Value* values, auto... comp) {
                          thrust_sort(policy, keys, of.data.n, values, comp...);
                        }),
                        [comp_of...](void* temp, std::size_t& bytes, auto n, job& of) {
                          return cub_sort<Key, Value>(temp, bytes, n, of, comp_of(of)...);
                        });
  }
  if constexpr (has_peers && sizeof(Value) > 8) {
    found.push_back(with_thrust(with_columns([](auto const& policy, job& of, Key* keys, Value* values, auto... comp) {
                                  thrust_gather_sort(policy, keys, of.data.n, values, of.stream, comp...);
                                }),
                                "thrust_gather"));
  }
  return found;
}

}  // namespace perf
