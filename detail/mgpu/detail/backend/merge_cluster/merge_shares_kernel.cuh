// The kernel of a merge sort by one cluster of blocks, each of which merges its share of the runs that all have sorted.
#pragma once
#include <mgpu/detail/backend/merge_cluster/run.cuh>
#include <mgpu/detail/backend/merge_cluster/shares.cuh>
#include <mgpu/detail/backend/merge_cluster/tuning.h>
#include <mgpu/detail/block/rank_merge.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// The memory of a block.
template <class Tuning, class Key, class Value>
struct merge_shares {
  template <int arch>
  struct storage {
    static constexpr int threads = Tuning::at(arch).max_threads_per_block;
    using shares = cluster_shares<Key, threads>;
    using merge = block_rank_merge<Key, shares::max_share_items, shares::max_share_items / threads>;

    typename cluster_run<Key, Value, threads>::storage run;
    typename shares::storage runs;
    uninitialized_array<Value, has_values<Value> ? threads : 1> run_values;
    piece_bounds bounds;
    typename merge::storage share;
    uninitialized_array<Value, has_values<Value> ? shares::max_share_items : 1> share_values;
    __device__ storage() {}
  };
};

namespace impl {

// Merges the block's share of the runs that the blocks of a cluster have sorted and put in shared memory. Called by all
// threads of the cluster.
template <class Key, class Value, class Storage, class KeysOut, class ValuesOut, class Comp>
__device__ __forceinline__ void merge_share(Storage& shared, typename Storage::shares& shares, KeysOut keys_out,
                                            ValuesOut values_out, Comp& comp) {
  int const begin = shares.find(shared.bounds, comp);
  int const count = shared.bounds.num_items();
  auto const write = [&](int i, Key const& key, Value const& value) {
    *(keys_out + std::int64_t{begin + i}) = key;
    if constexpr (has_values<Value>) *(values_out + std::int64_t{begin + i}) = value;
  };
  // Calls f(key, value) for item i of the share, which is of that run, wherever it stands.
  auto const load = [&](int i, int run, auto f) {
    int const index = shares.index(run, i - shared.bounds.begins[run]);
    auto const block = static_cast<unsigned>(run);
    f(simt::in_cluster_block(shared.runs.run[index], block),
      simt::in_cluster_block(shared.run_values[has_values<Value> ? index : 0], block));
  };
  auto const threads = static_cast<int>(simt::threads_per_block());
  using merge = typename Storage::merge;
  if (count > merge::items_per_thread * threads) {  // comp is no order
#pragma unroll 1
    for (auto i = static_cast<int>(simt::thread_rank()); i < count; i += threads)
      load(i, shared.bounds.piece_of(i), [&](Key const& key, Value const& value) { write(i, key, value); });
    simt::arrive_cluster_relaxed();
  } else {
    merge share(shared.share, shared.bounds);
    uninitialized_array<Key, merge::items_per_thread> keys;
    share.for_each([&](int k, int i) {
      load(i, share.piece(k), [&](Key const& key, Value const& value) {
        keys[k] = key;
        if constexpr (has_values<Value>) shared.share_values[i] = value;
      });
    });
    share.put(keys.items);
    // Nothing of other blocks is read any more: what was read has been stored.
    simt::arrive_cluster_relaxed();
    bool const is_merged = share.merge(keys.items, shares.num_rounds(), comp);
    share.for_each([&](int k, int i) {
      write(i, is_merged ? share.key(i) : keys[k],
            shared.share_values[has_values<Value> ? (is_merged ? share.source(i) : i) : 0]);
    });
  }
  simt::wait_cluster();
}

}  // namespace impl

// Sorts num_items items from the input to the output. The grid is one cluster of 4, 8 or 16 blocks, each of which has as
// many threads as its run has items, or more: it sorts its run, and then merges its share of all runs. Input and output may
// be the same range. By a comparator that is no order the items are still all there.
template <class Tuning, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).max_threads_per_block, 1)
    merge_shares_kernel(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                        std::uint32_t num_items, Comp comp) {
  constexpr merge_cluster_tuning tuning = Tuning::at(current_arch());
  static_assert(tuning.is_valid(), "mgpu: a tuning of the merge sort by a cluster is not possible");
  // The kernel is never launched where its tuning is for no items, so that nothing is compiled then.
  if constexpr (tuning.has_shares()) {
    using Key = iterator_value_t<KeysIn>;
    using Value = iterator_value_t<ValuesIn>;
    auto& shared = simt::shared<typename merge_shares<Tuning, Key, Value>::template storage<current_arch()>>();
    auto const count = static_cast<int>(num_items);
    typename std::remove_reference_t<decltype(shared)>::shares shares(shared.runs, count);
    shares.start();
    cluster_run<Key, Value, tuning.max_threads_per_block> const run(shared.run, keys_in, values_in, count, comp);
    if (run.has_item()) {
      unsigned const thread = simt::thread_rank();
      shared.runs.run[thread] = run.key();
      if constexpr (has_values<Value>) shared.run_values[thread] = run.value();
    }
    impl::merge_share<Key, Value>(shared, shares, keys_out, values_out, comp);
  }
}

}  // namespace mgpu::detail
