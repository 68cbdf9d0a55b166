// These kernels of a sort of keys with values by their highest digits sort each bucket by one block, stable: the first one
// those whose keys are evenly spread, the second one all others.
#pragma once
#include <mgpu/detail/backend/msd_radix/pairs_tuning.h>
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/block/merge_by_rank.cuh>
#include <mgpu/detail/block/pair_sort.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/core/tile_shape.h>
#include <mgpu/detail/grid/for_each_tile.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The memory of a block that sorts a bucket, and of one that sorts an uneven one by merging, which takes a power of two of
// threads.
template <class Tuning, bool is_doubled, class Key, class Value>
struct msd_pairs_bucket {
  static __host__ __device__ constexpr tile_shape shape(int arch) {
    return Tuning::at(arch).bucket_shape(is_doubled);
  }
  template <int arch>
  struct storage : even_pairs_storage<Key, Value, shape(arch).threads_per_block, shape(arch).items_per_thread,
                                      Tuning::at(arch).bucket_bin_bits(is_doubled)> {
    std::uint32_t tile;
    __device__ storage() {}
  };
  static __host__ __device__ constexpr int uneven_threads(int arch) { return threads_of_uneven_buckets(shape(arch)); }
  template <int arch>
  using uneven_storage =
      any_pairs_storage<Key, Value, uneven_threads(arch), divide_up(shape(arch).tile_items(), uneven_threads(arch))>;
};

// Sorts the pairs of each bucket in place, but lists the buckets whose keys are unevenly spread, or that have more pairs
// than a block sorts at a time. The grid has any number of blocks.
template <class Tuning, bool descending, bool is_doubled, class Key, class Value>
__global__ void __launch_bounds__(Tuning::at(current_arch()).bucket_shape(is_doubled).threads_per_block,
                                  Tuning::at(current_arch()).bucket_shape(is_doubled).min_blocks_per_sm)
    msd_pairs_sort_kernel(Key* keys, Value* values, msd_radix_digits digits,
                          msd_radix_state<ordered_bits_t<Key>> state) {
  using storage = typename msd_pairs_bucket<Tuning, is_doubled, Key, Value>::template storage<current_arch()>;
  if constexpr (is_doubled && !Tuning::at(current_arch()).doubles_buckets) return;  // another architecture does
  auto& shared = simt::shared<storage>();
  simt::wait_for_primary();
  simt::launch_dependents();
  if (state.found->is_taken == 0) return;
  pair_range<Key, Value> const pairs{keys, values};
  detail::for_each_taken_tile(state.found->sort_ticket, static_cast<std::uint32_t>(digits.num_buckets()), shared.tile,
                              [&](std::uint32_t bucket, auto take_next) {
                                std::uint32_t const begin = state.starts[bucket];
                                int const count = static_cast<int>(state.starts[bucket + 1] - begin);
                                block_pair_sort<descending, storage, Key, Value> sort{shared, pairs, pairs,
                                                                                      begin,  count, digits.bits()};
                                // The plan has listed what is larger than a tile.
                                bool const is_small = count <= most_of_run(storage::tile_items, digits);
                                bool const is_sorted = count == 0 || (is_small && sort.order_if_even());
                                take_next();
                                if (count > storage::tile_items) return;
                                if (!is_sorted && simt::thread_rank() == 0) {
                                  state.uneven[simt::add_relaxed<std::uint32_t>(state.found->num_uneven, 1)] = bucket;
                                }
                                if (is_sorted && count > 0) sort.write();
                              });
}

// Sorts the buckets that the kernel above leaves over, in place. Those of more pairs than a block sorts at a time are
// sorted in two runs, which go to other memory, and are merged from there. The grid has any number of blocks.
template <class Tuning, bool descending, bool is_doubled, class Key, class Value>
__global__ void __launch_bounds__(msd_pairs_bucket<Tuning, is_doubled, Key, Value>::uneven_threads(current_arch()))
    msd_pairs_uneven_kernel(pair_range<Key, Value> pairs, pair_range<Key, Value> others, msd_radix_digits digits,
                            msd_radix_state<ordered_bits_t<Key>> state) {
  using bucket = msd_pairs_bucket<Tuning, is_doubled, Key, Value>;
  using storage = typename bucket::template uneven_storage<current_arch()>;
  if constexpr (is_doubled && !Tuning::at(current_arch()).doubles_buckets) return;  // another architecture does
  auto& shared = simt::shared<storage>();
  simt::wait_for_primary();
  simt::launch_dependents();
  if (state.found->is_taken == 0) return;
  int const most = most_of_run(bucket::shape(current_arch()).tile_items(), digits);
  for (unsigned i = simt::block_rank(); i < state.found->num_uneven; i += simt::block_count()) {
    std::uint32_t const uneven = state.uneven[i];
    std::uint32_t const begin = state.starts[uneven];
    int const count = static_cast<int>(state.starts[uneven + 1] - begin);
    bool const is_large = count > most;
#pragma unroll 1
    for (int done = 0; done < count; done += most) {
      block_pair_sort<descending, storage, Key, Value>{shared,
                                                       pairs,
                                                       is_large ? others : pairs,
                                                       begin + static_cast<std::uint32_t>(done),
                                                       smaller(most, count - done),
                                                       digits.bits()}
          .run();
      simt::sync_block();
    }
    if (is_large) {
      detail::block_merge_by_rank<descending, storage::threads_per_block>(
          others.keys + begin, others.values + begin, pairs.keys + begin, pairs.values + begin, most, count);
    }
  }
}

}  // namespace mgpu::detail
