// These are the sorts of mgpu, Thrust and CUB as the benchmarks call them: in place, by the natural order, or by a
// comparator that is made for each call.
#pragma once
#include <harness/data.cuh>
#include <harness/libraries.cuh>
#include <mgpu/sort.h>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <thrust/copy.h>
#include <thrust/detail/temporary_array.h>
#include <thrust/gather.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

namespace perf {

// This is a kind of sort, which without a comparator has the natural order.
template <class Key, class Value, class... Comp>
struct sort_of {};

template <class Key, class Value, class... Comp>
problem problem_of(sort_of<Key, Value, Comp...>) {
  return make_problem<Key, Value>("sort", sizeof...(Comp) == 0 ? "natural" : "custom",
                                  generate_to_be_sorted<Key, Value, true>);
}

// Makes a call of mgpu or Thrust.
template <class Policy, class Key, class Value, class... Comp>
void sort_items(Policy const& policy, Key* keys, [[maybe_unused]] Value* values, std::int64_t n, Comp... comp) {
  using thrust::stable_sort, thrust::stable_sort_by_key;
  if constexpr (std::is_same_v<Value, none>) {
    stable_sort(policy, keys, keys + n, comp...);
  } else {
    stable_sort_by_key(policy, keys, keys + n, values, comp...);
  }
}

// A user of Thrust has another way for large values: indices are sorted, and the values gathered.
template <class Policy, class Key, class Value, class... Comp>
void gather_sort(Policy policy, Key* keys, Value* values, std::int64_t n, Comp... comp) {
  thrust::detail::temporary_array<u32, Policy> order(0, policy, n);  // without values, for which the 0 stands
  thrust::detail::temporary_array<Value, Policy> source(0, policy, n);
  u32* const indices = thrust::raw_pointer_cast(order.data());
  Value* const copy = thrust::raw_pointer_cast(source.data());
  thrust::sequence(policy, indices, indices + n);
  sort_items(policy, keys, indices, n, comp...);
  thrust::copy(policy, values, values + n, copy);
  thrust::gather(policy, indices, indices + n, copy, values);
}

// CUB sorts by digits, between two halves of a double buffer, or by a comparator.
template <class Key, class Value, class Count>
cudaError_t cub_sort(void* temp, std::size_t& bytes, Count n, job& of) {
  columns const &work = of.data.work, &other = of.other;
  if (other.keys == nullptr) of.other = allocate_columns(work.key_bytes, work.value_bytes);
  cub::DoubleBuffer<Key> keys(as<Key>(work.keys), as<Key>(other.keys));
  cub::DoubleBuffer<cub_value<Value>> values(as<cub_value<Value>>(work.values), as<cub_value<Value>>(other.values));
  auto const status = cub::DeviceRadixSort::SortPairs(temp, bytes, keys, values, n, 0, 8 * sizeof(Key), stream());
  of.result = keys.selector == 0 ? &work : &other;
  return status;
}
template <class Key, class Value, class Count, class Comp>
cudaError_t cub_sort(void* temp, std::size_t& bytes, Count n, job& of, Comp comp) {
  columns const& work = of.data.work;
  return cub::DeviceMergeSort::StableSortPairs(temp, bytes, as<Key>(work.keys), as<cub_value<Value>>(work.values), n,
                                               comp, stream());
}

// Returns what sorts by comp_of(job)..., which is one comparator, or nothing for the natural order.
template <class Key, class Value, class... CompOf>
std::vector<candidate> candidates_for_sorting(CompOf... comp_of) {
  auto const call = [=](auto const& policy, job& of) {
    sort_items(policy, as<Key>(of.data.work.keys), as<Value>(of.data.work.values), of.data.n, comp_of(of)...);
  };
  std::vector<candidate> found = {with_mgpu(call)};
  // The radix sorts do not compile for values of 124 bytes and more, as their blocks would need too much shared
  // memory.
  if constexpr (sizeof...(CompOf) > 0 || bytes_of<Value> < 124) {
    found = with_peers<u32, u64>(found[0], call, [=](void* temp, std::size_t& bytes, auto n, job& of) {
      return cub_sort<Key, Value>(temp, bytes, n, of, comp_of(of)...);
    });
  }
  if constexpr (!is_self_test && sizeof(Value) > 8) {
    auto const gather_call = [=](auto const& policy, job& of) {
      gather_sort(policy, as<Key>(of.data.work.keys), as<Value>(of.data.work.values), of.data.n, comp_of(of)...);
    };
    found.push_back(with_thrust(gather_call, "thrust_gather"));
  }
  return found;
}

}  // namespace perf
