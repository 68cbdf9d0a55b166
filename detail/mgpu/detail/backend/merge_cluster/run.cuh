// A block's part of the input of a merge sort by one block or one cluster: an item a thread, which it sorts.
#pragma once
#include <mgpu/detail/block/rank_sort.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The memory of a block.
template <class Key, class Value, int max_threads>
struct cluster_run_storage {
  rank_sort_storage<Key, max_threads> sort;
  uninitialized_array<Value, has_values<Value> ? max_threads : 1> values;  // as they came
  __device__ cluster_run_storage() {}
};

// Thread t has the item that is at place t of the run. All functions are called by all threads.
template <class Key, class Value, int max_threads>
class cluster_run {
 public:
  using storage = cluster_run_storage<Key, Value, max_threads>;

  // Loads the block's run of num_items, and sorts it. The cluster has at most as many blocks as there are items, and a block
  // as many threads as a run has items, or more, as block_rank_sort says.
  template <class KeysIn, class ValuesIn, class Comp>
  __device__ __forceinline__ cluster_run(storage& shared, KeysIn keys_in, ValuesIn values_in, int num_items,
                                         Comp& comp)
      : shared_(shared),
        max_items_(divide_up(num_items, static_cast<int>(simt::blocks_per_cluster()))),
        begin_(static_cast<int>(simt::cluster_rank()) * max_items_),
        count_(smaller(num_items - begin_, max_items_)),
        items_(shared.sort, *(keys_in + std::int64_t{begin_ + smaller(thread(), count_ - 1)}), count_) {
    if constexpr (has_values<Value>) {
      if (has_item()) shared.values[thread()] = *(values_in + std::int64_t{begin_ + thread()});
    }
    items_.sort(comp);
  }

  __device__ __forceinline__ int max_items() const { return max_items_; }  // of any run
  __device__ __forceinline__ int begin() const { return begin_; }          // of the run in the input
  __device__ __forceinline__ bool has_item() const { return thread() < count_; }
  __device__ __forceinline__ Key const& key() const { return items_.key(); }
  __device__ __forceinline__ Value const& value() const { return shared_.values[items_.source()]; }

 private:
  static __device__ __forceinline__ int thread() { return static_cast<int>(simt::thread_rank()); }

  storage& shared_;
  int max_items_;
  int begin_;
  int count_;
  block_rank_sort<Key, max_threads> items_;
};

}  // namespace mgpu::detail
