// These calls must not compile, one for each MISUSE_..., each with a message that says why. Without one all is right.
#include <mgpu/mgpu.h>
#include <thrust/device_ptr.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <complex>
#include <cstdint>
#include <list>
#include <string>
#include <utility>
#include <vector>

namespace {

#if defined(MGPU_EMULATED) || defined(__CUDACC__)
auto const policy = mgpu::par;
#else
auto const policy = mgpu::host;
#endif

struct point {
  int x, y;
};
struct to_point {
  __host__ __device__ point operator()(int x) const { return {x, x}; }
};
struct by_long {
  long double x;
  __host__ __device__ friend bool operator<(by_long a, by_long b) { return a.x < b.x; }
};
struct takes_one {
  __host__ __device__ int operator()(int) const { return 0; }
};
struct changes_keys {
  __host__ __device__ bool operator()(int& a, int& b) const { return a < b; }
};
struct returns_point {
  __host__ __device__ point operator()(int a, int b) const { return {a, b}; }
};
struct by_x {
  __host__ __device__ bool operator()(point a, point b) const { return a.x < b.x; }
};
#if MGPU_HAS_DEVICE
struct of_one_block {
  __host__ __device__ static constexpr mgpu::detail::radix_cluster_tuning at(int) { return {64, 4, 8}; }
};
struct by_sweeps {
  __host__ __device__ static constexpr mgpu::detail::onesweep_tuning at(int) { return {64, 4, 1, true}; }
};
// No kernel can follow these tunings.
using mgpu::detail::merge_sort_tuning, mgpu::detail::msd_radix_tuning, mgpu::detail::onesweep_tuning;
struct bucket_of_wide_threads {
  __host__ __device__ static constexpr msd_radix_tuning at(int) {
    return {8, 8, {64, 1, 1}, {64, 1, 1}, {1024, 24, 1}, 9};
  }
};
struct launch_of_less_than_a_tile {
  __host__ __device__ static constexpr onesweep_tuning at(int) { return {64, 4, 1, true, 8, 4, 8, 64, 1, 255}; }
};
template <int items>
struct sort_by_tiles {
  __host__ __device__ static constexpr merge_sort_tuning at(int) { return mgpu::detail::merge_sort_tiles(items, 1); }
};
template <int threads, int few_tiles>
struct merge_by_tiles {
  __host__ __device__ static constexpr mgpu::detail::merge_tuning at(int) { return {{threads, 4, 1}, 32, few_tiles}; }
};
template <int stages, int groups, int rows>
struct scan_by {
  __host__ __device__ static constexpr mgpu::scan_tuning at(int) { return {2, 4, stages, groups, 1, rows, 8}; }
};
struct clustered_pipeline {
  __host__ __device__ static constexpr mgpu::scan_tuning at(int) { return {1, 4, 2, 1, 1, 1, 8, 8}; }
};
struct reduce_by_no_rows {
  __host__ __device__ static constexpr mgpu::detail::reduce_tuning at(int) { return {{64, 4}, 1, 1, 1, {64, 0}, 1}; }
};
#endif
struct large_key {
  int x[9];
};
struct deduced {
  __device__ auto operator()(int x) const { return 0.5f * static_cast<float>(x); }
};

}  // namespace

template <>
struct mgpu::radix_key<large_key> {
  __host__ __device__ static int of(large_key const& key) { return key.x[0]; }
};
template <>
struct mgpu::radix_key<by_long> {
  __host__ __device__ static auto of(by_long const& key) { return cuda::std::tie(key.x); }
};

struct large_floats {
  float x[64];
};

// Kernels cannot copy, or assign, what only the host can.
struct copied_by_host {
  __host__ __device__ explicit copied_by_host(int number) : x(number) {}
  copied_by_host(copied_by_host const& other) : x(other.x) {}
  __host__ __device__ copied_by_host& operator=(copied_by_host const& other) {
    x = other.x;
    return *this;
  }
  __host__ __device__ friend copied_by_host operator+(copied_by_host const& a, copied_by_host const& b) {
    return copied_by_host(a.x + b.x);
  }
  int x;
};
struct to_copied_by_host {
  __host__ __device__ copied_by_host operator()(int x) const { return copied_by_host(x); }
};
struct assigned_by_host {
  __host__ __device__ explicit assigned_by_host(int number) : x(number) {}
  __host__ __device__ assigned_by_host(assigned_by_host const& other) : x(other.x) {}
  assigned_by_host& operator=(assigned_by_host const& other) {
    x = other.x;
    return *this;
  }
  __host__ __device__ friend assigned_by_host operator+(assigned_by_host const& a, assigned_by_host const& b) {
    return assigned_by_host(a.x + b.x);
  }
  int x;
};

// A comparison that takes more registers than a merge leaves to a function that it calls.
struct by_sines {
  __host__ __device__ bool operator()(large_floats const& a, large_floats const& b) const {
    double sum_a = 0, sum_b = 0;
    for (int i = 0; i < 64; ++i) {
      sum_a += sin(static_cast<double>(a.x[i]));
      sum_b += sin(static_cast<double>(b.x[i]));
    }
    return sum_a < sum_b;
  }
};

void calls(int* keys, [[maybe_unused]] int const* read_only, [[maybe_unused]] point* points,
           [[maybe_unused]] std::string* words, [[maybe_unused]] std::list<int>& list,
           [[maybe_unused]] std::vector<int> const& fixed, [[maybe_unused]] std::pair<int, int>* pairs,
           [[maybe_unused]] long double* longs, [[maybe_unused]] by_long* declared,
           [[maybe_unused]] large_key* large) {
  thrust::counting_iterator<int> const numbers(0);
  thrust::transform_iterator<to_point, int*> const made(keys, to_point{});
  thrust::constant_iterator<point> const same(point{1, 2});
  auto const rows = thrust::make_zip_iterator(keys, read_only);
  auto const numbered = thrust::make_zip_iterator(numbers, keys);
#if defined(MISUSE_DEVICE_POLICY)
  mgpu::sort(mgpu::par, keys, keys + 1);
#elif defined(MISUSE_DEVICE_ITERATORS)
  mgpu::sort(thrust::device_pointer_cast(keys), thrust::device_pointer_cast(keys + 1));
#elif defined(MISUSE_TOLD_BY_NVCC)
  mgpu::sort(policy, keys, keys + 1, [](int a, int b) { return a % 2 < b % 2; });
  mgpu::sort(policy, longs, longs + 1);
  mgpu::sort(policy, pairs, pairs + 1);
  mgpu::stable_sort(policy, fixed.begin(), fixed.end());
  mgpu::sort(policy, keys, keys + 1, takes_one{});
#elif defined(MISUSE_COPIES_BY_HOST)
  mgpu::transform_reduce(policy, keys, keys + 1, to_copied_by_host{}, copied_by_host(0), cuda::std::plus<>{});
  assigned_by_host* const assigned = nullptr;
  mgpu::inclusive_scan(policy, assigned, assigned + 1, assigned);
#elif defined(MISUSE_DEDUCED_NO_INIT)
  mgpu::transform_inclusive_scan(
      policy, keys, keys + 1, keys, [] __device__(int x) { return 0.5f * static_cast<float>(x); },
      cuda::std::plus<>{});
  mgpu::transform_inclusive_scan(policy, keys, keys + 1, keys, deduced{}, cuda::std::plus<>{});
#elif defined(MISUSE_NONE_LINKED_LATER)
  large_floats* const floats = nullptr;
  mgpu::merge(policy, floats, floats + 1, floats, floats + 1, floats, by_sines{});
#elif defined(MISUSE_STRING_KEYS)
  mgpu::sort(policy, words, words + 1);
#elif defined(MISUSE_STRING_VALUES)
  mgpu::sort_by_key(policy, keys, keys + 1, words);
#elif defined(MISUSE_STRING_MERGE)
  mgpu::merge(policy, words, words, words, words, words);
#elif defined(MISUSE_STRING_SCAN)
  mgpu::inclusive_scan(policy, words, words + 1, words);
#elif defined(MISUSE_STRING_ITEMS)
  mgpu::reduce(policy, words, words + 1);
#elif defined(MISUSE_STRING_INIT)
  char const* const texts[] = {"a"};
  mgpu::reduce(policy, texts, texts + 1, std::string());

#elif defined(MISUSE_LONG_KEYS)
  mgpu::sort(policy, longs, longs + 1);
#elif defined(MISUSE_LONG_VALUES)
  mgpu::sort_by_key(policy, keys, keys + 1, longs);
#elif defined(MISUSE_LONG_IN_PAIRS)
  std::pair<int, cuda::std::tuple<long double> >* const nested = nullptr;
  mgpu::sort_by_key(policy, keys, keys + 1, nested);
#elif defined(MISUSE_LONG_COMPLEX)
  std::complex<long double>* const complex = nullptr;
  mgpu::sort_by_key(policy, keys, keys + 1, complex);
#elif defined(MISUSE_LONG_OUTPUT)
  mgpu::sort_copy(policy, keys, keys + 1, longs);
#elif defined(MISUSE_LONG_MERGE)
  mgpu::merge(policy, keys, keys + 1, longs, longs + 1, keys);
#elif defined(MISUSE_LONG_INIT)
  mgpu::reduce(policy, keys, keys + 1, 0.0l);
#elif defined(MISUSE_LONG_ITEMS)
  mgpu::reduce(policy, longs, longs + 1, 0.0);
#elif defined(MISUSE_LONG_RESULT)
  mgpu::reduce_into(policy, keys, keys + 1, longs);
#elif defined(MISUSE_LONG_SCAN)
  mgpu::inclusive_scan(policy, keys, keys + 1, longs);
#elif defined(MISUSE_LONG_TOTAL)
  mgpu::inclusive_scan_with_total(policy, keys, keys + 1, keys, longs);
#elif defined(MISUSE_LONG_DECLARED)
  mgpu::sort(policy, declared, declared + 1);

#elif defined(MISUSE_STD_PAIRS)
  mgpu::sort(policy, pairs, pairs + 1);
#elif defined(MISUSE_TUNING_OF_ONE_BLOCK)
  mgpu::sort(mgpu::par.with_tuning(of_one_block{}), keys, keys + 1);
#elif defined(MISUSE_TUNING_OF_DIGITS)
  mgpu::sort(mgpu::par.with_tuning(by_sweeps{}), points, points + 1, by_x{});
#elif defined(MISUSE_TUNING_OF_LARGE_KEYS)
  mgpu::sort(mgpu::par.with_tuning(by_sweeps{}), large, large + 1);
#elif defined(MISUSE_MERGE_BY_TUNING_OF_SORT)
  mgpu::merge(mgpu::par.with_tuning(by_sweeps{}), keys, keys + 1, keys, keys + 1, keys);
#elif defined(MISUSE_SCAN_BY_TUNING_OF_SORT)
  mgpu::inclusive_scan(mgpu::par.with_tuning(by_sweeps{}), keys, keys + 1, keys);
#elif defined(MISUSE_REDUCE_BY_TUNING_OF_SORT)
  mgpu::reduce(mgpu::par.with_tuning(by_sweeps{}), keys, keys + 1);
#elif defined(MISUSE_RESULT_BY_TUNING_OF_SORT)
  mgpu::reduce_into(mgpu::par.with_tuning(by_sweeps{}), keys, keys + 1, keys);

#elif defined(MISUSE_TUNING_OF_SHORT_LAUNCHES)
  mgpu::sort(mgpu::par.with_tuning(launch_of_less_than_a_tile{}), keys, keys + 1);
#elif defined(MISUSE_TUNING_OF_NO_ITEMS)
  mgpu::sort(mgpu::par.with_tuning(sort_by_tiles<0>{}), keys, keys + 1);
#elif defined(MISUSE_TUNING_OF_HALF_A_WARP)
  mgpu::merge(mgpu::par.with_tuning(merge_by_tiles<16, 1>{}), keys, keys + 1, keys, keys + 1, keys);
#elif defined(MISUSE_TUNING_OF_LESS_THAN_NO_TILE)
  mgpu::merge(mgpu::par.with_tuning(merge_by_tiles<64, -1>{}), keys, keys + 1, keys, keys + 1, keys);
#elif defined(MISUSE_TUNING_OF_MANY_GROUPS)
  mgpu::inclusive_scan(mgpu::par.with_tuning(scan_by<2, 3, 1>{}), keys, keys + 1, keys);
#elif defined(MISUSE_TUNING_OF_A_CLUSTERED_PIPELINE)
  mgpu::inclusive_scan(mgpu::par.with_tuning(clustered_pipeline{}), keys, keys + 1, keys);
#elif defined(MISUSE_TUNING_OF_WIDE_THREADS)
  mgpu::sort(mgpu::par.with_tuning(sort_by_tiles<256>{}), keys, keys + 1);
#elif defined(MISUSE_TUNING_OF_WIDE_BUCKETS)
  mgpu::sort_by_key(mgpu::par.with_tuning(bucket_of_wide_threads{}), keys, keys + 1, keys + 1);
#elif defined(MISUSE_TUNING_OF_NO_LOOK_BACK)
  mgpu::inclusive_scan(mgpu::par.with_tuning(scan_by<1, 1, 0>{}), keys, keys + 1, keys);
#elif defined(MISUSE_TUNING_OF_NO_ROWS)
  mgpu::reduce(mgpu::par.with_tuning(reduce_by_no_rows{}), keys, keys + 1);

#elif defined(MISUSE_LIST_SORT)
  mgpu::sort(policy, list.begin(), list.end());
#elif defined(MISUSE_LIST_NO_POLICY)
  mgpu::sort(list.begin(), list.end());
#elif defined(MISUSE_LIST_OUTPUT)
  mgpu::sort_copy(policy, keys, keys + 1, list.begin());
#elif defined(MISUSE_LIST_MERGE)
  mgpu::merge(policy, keys, keys + 1, list.begin(), list.end(), keys);
#elif defined(MISUSE_LIST_REDUCE)
  mgpu::reduce(policy, list.begin(), list.end());
#elif defined(MISUSE_LIST_SCAN)
  mgpu::exclusive_scan(policy, list.begin(), list.end(), keys);
#elif defined(MISUSE_LIST_VALUES)
  mgpu::stable_sort_by_key(policy, keys, keys + 1, list.begin());
#elif defined(MISUSE_ENDS_OF_TWO_KINDS)
  mgpu::sort(policy, keys, read_only);

#elif defined(MISUSE_CONST_POINTER)
  mgpu::sort(policy, read_only, read_only + 1);
#elif defined(MISUSE_CONST_VECTOR)
  mgpu::stable_sort(policy, fixed.begin(), fixed.end());
#elif defined(MISUSE_CONST_VALUES)
  mgpu::sort_by_key(policy, keys, keys + 1, read_only);
#elif defined(MISUSE_CONST_IN_ZIP)
  mgpu::sort_by_key(policy, keys, keys + 1, rows);
#elif defined(MISUSE_COUNTING_SORT)
  mgpu::sort(policy, numbers, numbers + 1);
#elif defined(MISUSE_COUNTING_IN_ZIP)
  mgpu::sort_by_key(policy, keys, keys + 1, numbered);
#elif defined(MISUSE_TRANSFORMED_SORT)
  mgpu::sort(policy, made, made + 1, by_x{});
#elif defined(MISUSE_CONSTANT_OUTPUT)
  mgpu::sort_copy(policy, points, points + 1, same, by_x{});
#elif defined(MISUSE_COUNTING_INDICES)
  mgpu::argsort(policy, keys, keys + 1, numbers);
#elif defined(MISUSE_CONST_MERGE)
  mgpu::merge(policy, keys, keys + 1, keys, keys + 1, read_only);
#elif defined(MISUSE_CONST_SCAN)
  mgpu::inclusive_scan(policy, keys, keys + 1, read_only);
#elif defined(MISUSE_CONST_TOTAL)
  mgpu::inclusive_scan_with_total(policy, keys, keys + 1, keys, read_only);
#elif defined(MISUSE_CONST_RESULT)
  mgpu::reduce_into(policy, keys, keys + 1, read_only);

#elif defined(MISUSE_NO_ORDER)
  mgpu::sort(policy, points, points + 1);
#elif defined(MISUSE_COMPARATOR_OF_ONE)
  mgpu::sort(policy, keys, keys + 1, takes_one{});
#elif defined(MISUSE_COMPARATOR_OF_MUTABLE)
  mgpu::merge(policy, keys, keys + 1, keys, keys + 1, keys, changes_keys{});
#elif defined(MISUSE_COMPARATOR_RETURNS_POINT)
  mgpu::argsort(policy, keys, keys + 1, keys, returns_point{});
#elif defined(MISUSE_NO_SUM)
  mgpu::reduce(policy, points, points + 1);
#elif defined(MISUSE_OPERATOR_OF_ONE)
  mgpu::inclusive_scan(policy, keys, keys + 1, keys, takes_one{});
#elif defined(MISUSE_OPERATOR_RETURNS_POINT)
  mgpu::exclusive_scan(policy, keys, keys + 1, keys, 0, returns_point{});
#elif defined(MISUSE_UNARY_OF_OTHER)
  mgpu::transform_reduce(policy, points, points + 1, takes_one{}, 0, cuda::std::plus<>{});
#elif defined(MISUSE_UNARY_OF_OTHER_NO_INIT)
  mgpu::transform_inclusive_scan(policy, points, points + 1, keys, takes_one{}, cuda::std::plus<>{});

#elif defined(MISUSE_INIT_OF_OTHER)
  mgpu::reduce(policy, points, points + 1, 0);
#elif defined(MISUSE_UNARY_TO_OTHER)
  mgpu::transform_exclusive_scan(policy, keys, keys + 1, keys, to_point{}, 0, cuda::std::plus<>{});
#elif defined(MISUSE_OUTPUT_OF_OTHER)
  mgpu::sort_copy(policy, keys, keys + 1, points);
#elif defined(MISUSE_SCAN_TO_OTHER)
  mgpu::inclusive_scan(policy, keys, keys + 1, points);
#elif defined(MISUSE_RESULT_OF_OTHER)
  mgpu::reduce_into(policy, keys, keys + 1, points);
#elif defined(MISUSE_INDICES_OF_OTHER)
  mgpu::argsort(policy, keys, keys + 1, points);
#elif defined(MISUSE_SORT_INDICES_OF_OTHER)
  mgpu::sort_with_indices(policy, keys, keys + 1, points);
#elif defined(MISUSE_MERGE_OF_OTHER)
  mgpu::merge(policy, keys, keys + 1, points, points + 1, keys);

#else
  mgpu::sort(policy, keys, keys + 1);
  mgpu::sort(mgpu::host, words, words + 1);
  mgpu::sort_by_key(mgpu::host, longs, longs + 1, longs);
  mgpu::inclusive_scan(mgpu::host, longs, longs + 1, longs);
  mgpu::reduce(mgpu::host, longs, longs + 1);
  mgpu::sort_by_key(policy, keys, keys + 1, thrust::make_zip_iterator(keys, points));
  mgpu::sort_copy(policy, same, same + 1, points, by_x{});
  mgpu::sort_by_key_copy(policy, read_only, read_only + 1, made, thrust::make_discard_iterator(), points);
  mgpu::merge_by_key(policy, fixed.begin(), fixed.end(), numbers, numbers + 1, numbered, rows, keys,
                     thrust::make_zip_iterator(keys, keys));
  mgpu::reduce_into(policy, read_only, read_only + 1, keys, 'x');
#endif
}
