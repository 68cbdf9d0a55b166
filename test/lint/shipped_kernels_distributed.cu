// These are the kernels that calls over ranks have of their own, with the usual tuning on the usual types. They never
// run, but are compiled for the assembler's report on each of them.
#include <mgpu/detail/backend/counting_sort/slice_kernel.cuh>
#include <mgpu/detail/backend/distributed/copy_kernel.cuh>
#include <mgpu/detail/backend/distributed/cuts_kernel.cuh>
#include <mgpu/detail/backend/distributed/fold_ranks_kernel.cuh>
#include <mgpu/detail/backend/distributed/rank_aggregate.h>
#include <mgpu/detail/backend/merge_sort/tuning.h>
#include <mgpu/detail/backend/msd_radix/joined_plan_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/joined_sort_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/backend/multiway_merge/multiway_merge_kernel.cuh>
#include <mgpu/detail/backend/reduce/reduce_kernel.cuh>
#include <mgpu/detail/backend/reduce/tuning.h>
#include <mgpu/detail/backend/reduce/vector_source.cuh>
#include <mgpu/detail/backend/scan/scan_kernel.cuh>
#include <mgpu/detail/backend/scan/tuning.h>
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/no_transform.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/scan_problem.h>
#include <mgpu/detail/dispatch/order.h>
#include <cstdint>

namespace mgpu::detail {

template <class Key, class Value>
struct tuning_of_passes {
  __host__ __device__ static constexpr multiway_merge_tuning at(int arch) {
    constexpr int value_bytes = has_values<Value> ? static_cast<int>(sizeof(Value)) : 0;
    return {merge_sort_large_tuning<static_cast<int>(sizeof(Key)), value_bytes>::at(arch).merge};
  }
};

void const* kept_kernel;
template <class... Params>
void keep(void (*kernel)(Params...)) {
  kept_kernel = reinterpret_cast<void const*>(kernel);
}

template <class Key, class Value>
void keep_sort() {
  using tuning = tuning_of_passes<Key, Value>;
  using comp = compare_bits<false>;
  keep(take_samples_kernel<Key>);
  keep(narrow_windows_kernel<Key, comp>);
  keep(multiway_partition_kernel<tuning, Key, comp, 4>);
  keep(multiway_merge_kernel<tuning, Key, Value, Key*, column<Value>, comp, 4>);
}

// Integers that are sorted by buckets.
template <class Key>
void keep_joined_sort() {
  using tuning = msd_radix_default_tuning<static_cast<int>(sizeof(Key)), false>;
  using Bits = ordered_bits_t<Key>;
  keep(msd_radix_join_counts_kernel<tuning, Bits>);
  keep(msd_radix_cut_kernel<Bits>);
  keep(msd_radix_joined_sort_kernel<tuning, false, false, Key>);
  keep(msd_radix_joined_sort_kernel<tuning, false, true, Key>);
  keep(msd_radix_joined_finish_kernel<tuning, false, Key>);
}

template <class T>
void keep_aggregates() {
  using op = cuda::std::plus<>;
  using source = vector_source<T, T, no_transform>;
  using reduce_selector = reduce_default_tuning<static_cast<int>(sizeof(typename source::unit)), sizeof(T)>;
  using problem = scan_problem<false, T, T*, T*, no_values, init_in_memory<T>>;
  keep(fold_ranks_kernel<T, T, op, T*>);
  keep(reduce_partials_kernel<reduce_selector, T, source, op, aggregate_output<T>, no_value>);
  keep(reduce_cluster_kernel<reduce_selector, T, source, op, aggregate_output<T>, no_value>);
  keep(scan_kernel<scan_large_tuning<sizeof(T)>, problem, op>);
  keep(scan_kernel<scan_small_tuning<sizeof(T)>, problem, op>);
}

void keep_all() {
  keep(copy_kernel<copy_words_per_thread>);
  keep(counting_sort_slice_kernel<16, 1024>);
  keep_sort<std::uint32_t, no_value>();
  keep_sort<std::uint32_t, std::uint32_t>();
  keep_sort<std::uint64_t, no_value>();
  keep_sort<std::uint64_t, std::uint64_t>();
  keep_joined_sort<std::uint32_t>();
  keep_joined_sort<std::int64_t>();
  keep_aggregates<std::uint32_t>();
  keep_aggregates<double>();
}

}  // namespace mgpu::detail
