// bench_sort measures sort and sort_by_key of mgpu, Thrust and CUB.
#include <harness/data.cuh>
#include <harness/libraries.cuh>
#include <mgpu/sort.h>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <thrust/detail/temporary_buffer.h>
#include <thrust/gather.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <algorithm>

namespace perf {

namespace {

// --- Problems, which without a comparator have the natural order
template <class Key, class Value, class... Comp>
struct sort_of {};
using sorts = std::tuple<
    sort_of<u32, none>, sort_of<u32, none, custom>, sort_of<u32, u32>, sort_of<u32, u32, custom>, sort_of<u32, u64>,
    sort_of<u32, b32>, sort_of<u32, b32, custom>, sort_of<u32, b200>, sort_of<u32, b200, custom>,  //
    sort_of<u64, none>, sort_of<u64, none, custom>, sort_of<u64, u32>, sort_of<u64, u64>, sort_of<u64, u64, custom>,
    sort_of<f32, none>, sort_of<f32, none, custom>, sort_of<f32, u32>, sort_of<f64, none>, sort_of<f64, none, custom>,
    sort_of<s16, none, custom>, sort_of<s16, u32, custom>, sort_of<u8, none>, sort_of<u16, none>>;

// --- Libraries
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

template <class Key, class Value, class Count>
columns cub_radix_sort(void* temp, std::size_t& bytes, Count n, job& of) {
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
columns cub_merge_sort(void* temp, std::size_t& bytes, Count n, job& of, Comp comp) {
  Key* const keys = as<Key>(of.data.work.keys);
  if constexpr (std::is_same_v<Value, none>) {
    check(cub::DeviceMergeSort::StableSortKeys(temp, bytes, keys, n, comp, of.stream), "CUB");
  } else {
    Value* const values = as<Value>(of.data.work.values);
    check(cub::DeviceMergeSort::StableSortPairs(temp, bytes, keys, values, n, comp, of.stream), "CUB");
  }
  return of.data.work;
}

template <class Key, class Value, class... Comp>
std::vector<candidate> libraries() {
  auto const mgpu_sort = [](auto const& policy, job& of) {
    Key* const keys = as<Key>(of.data.work.keys);
    if constexpr (std::is_same_v<Value, none>) {
      mgpu::sort(policy, keys, keys + of.data.n, Comp{}...);
    } else {
      mgpu::sort_by_key(policy, keys, keys + of.data.n, as<Value>(of.data.work.values), Comp{}...);
    }
    return of.data.work;
  };
  auto const thrust_sort_in_place = [](auto const& policy, job& of) {
    thrust_sort(policy, as<Key>(of.data.work.keys), of.data.n, as<Value>(of.data.work.values), Comp{}...);
    return of.data.work;
  };
  auto const cub_sort = [](void* temp, std::size_t& bytes, auto n, job& of) {
    if constexpr (sizeof...(Comp) == 0) {
      return cub_radix_sort<Key, Value>(temp, bytes, n, of);
    } else {
      return cub_merge_sort<Key, Value>(temp, bytes, n, of, Comp{}...);
    }
  };
  std::vector<candidate> found = {with_mgpu(mgpu_sort)};
  // The radix sorts do not compile for values of 124 bytes and more, as their blocks would need too much shared memory.
  constexpr bool has_sorts = sizeof...(Comp) > 0 || bytes_of<Value> < 124;
  if constexpr (has_sorts) add_peers<u32, u64>(found, thrust_sort_in_place, cub_sort);
  if constexpr (has_peers && sizeof(Value) > 8) {
    auto const gather_sort = [](auto const& policy, job& of) {
      columns const work = of.data.work;
      thrust_gather_sort(policy, as<Key>(work.keys), of.data.n, as<Value>(work.values), of.stream, Comp{}...);
      return work;
    };
    found.push_back(with_thrust(gather_sort, "thrust_gather"));
  }
  return found;
}

// --- Rows
template <class Key, class Value, class... Comp>
problem sorting(sort_of<Key, Value, Comp...>) {
  constexpr bool is_natural = sizeof...(Comp) == 0;
  constexpr bool is_u32 = std::is_same_v<Key, u32>;
  constexpr bool has_values = !std::is_same_v<Value, none>;
  constexpr bool is_main =
      (is_u32 && (!has_values || std::is_same_v<Value, u32>)) || (std::is_same_v<Key, u64> && !has_values);
  problem of{has_values ? "sort_by_key" : "sort", name_of(Key{}), name_of(Value{}), is_natural ? "natural" : "custom",
             sizeof(Key) + bytes_of<Value>};
  of.generate = generate_to_be_sorted<Key, Value, true>;
  of.candidates = libraries<Key, Value, Comp...>();
  of.distributions = {
      distribution::uniform,  distribution::entropy_0_544, distribution::entropy_0_201, distribution::entropy_0,
      distribution::sorted,   distribution::reversed,      distribution::distinct_16,   distribution::disturbed_1,
      distribution::low_half, distribution::long_runs,     distribution::sorted_runs,   distribution::zipf,
  };
  if constexpr (std::is_floating_point_v<Key> && is_natural) {
    of.distributions.insert(of.distributions.end(), {distribution::fractions, distribution::normal});
  }
  // By default there are the kinds that matter most over all sizes, the others at a small and two large sizes, and what
  // the distribution does at a large one, or, of floats, at the largest.
  of.by_default = [bytes = of.item_bytes](distribution from, std::int64_t n) {
    bool const large = n == std::min(std::int64_t{1} << 26, largest_size(bytes));
    bool const largest = n == largest_size(bytes, std::size_t{2} << 30);
    if (from == distribution::fractions || from == distribution::normal) return largest;
    if (from != distribution::uniform) return large && is_main && (is_u32 || is_natural);
    return largest || (is_main ? is_even_power(n) : large || n == std::int64_t{1} << 20);
  };
  // One launch of a digit pass takes fewer than 2^30 items, and the rate must hold where there is more than one.
  constexpr std::int64_t most = std::int64_t{1} << 30;
  if (is_u32 && is_main && is_natural) of.further_sizes = {most / 2, most, most + 4096, 2 * most};
  of.has_random_sizes = is_u32 && is_main;  // as in the curve of Merrill and Grimshaw (CS2010-03)
  return of;
}

[[maybe_unused]] bool const added = add_problems(sorts{}, [](auto of) { return sorting(of); });

}  // namespace

}  // namespace perf
