// This kernel of a sort of keys with values by their highest digits sorts each bucket by one block, stable.
#pragma once
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/block/merge_by_rank.cuh>
#include <mgpu/detail/block/pair_sort.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/grid/for_each_tile.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The memory of a block that sorts a bucket.
template <class Tuning, class Key, class Value>
struct msd_pairs_bucket {
  template <int arch>
  struct storage : pair_sort_storage<Key, Value, Tuning::at(arch).bucket.threads_per_block,
                                     Tuning::at(arch).bucket.items_per_thread, Tuning::at(arch).bin_bits> {
    std::uint32_t tile;
    __device__ storage() {}
  };
};

// Sorts the pairs of each bucket in place. A bucket of more pairs than a block sorts at a time is sorted in two runs,
// which go to other memory, and are merged from there. The grid has any number of blocks.
template <class Tuning, bool descending, class Key, class Value>
__global__ void __launch_bounds__(Tuning::at(current_arch()).bucket.threads_per_block,
                                  Tuning::at(current_arch()).bucket.min_blocks_per_sm)
    msd_pairs_sort_kernel(Key* keys, Value* values, Key* other_keys, Value* other_values, msd_radix_digits digits,
                          msd_radix_state<ordered_bits_t<Key>> state) {
  using storage = typename msd_pairs_bucket<Tuning, Key, Value>::template storage<current_arch()>;
  using Bits = ordered_bits_t<Key>;
  auto& shared = simt::shared<storage>();
  simt::wait_for_primary();
  simt::launch_dependents();
  if (state.found->is_taken == 0) return;
  Bits const lowest = state.found->lowest;
  int const lowest_bit = state.found->width - digits.bits();
  int const most = detail::most_of_run(storage::tile_items, digits);
  detail::for_each_tile(
      state.found->sort_ticket, static_cast<std::uint32_t>(digits.num_buckets()), shared.tile,
      [&](std::uint32_t bucket) {
        std::uint32_t const begin = state.starts[bucket];
        int const count = static_cast<int>(state.starts[bucket + 1] - begin);
        auto const prefix = static_cast<Bits>(lowest | static_cast<Bits>(bucket) << lowest_bit);
        Key* const keys_out = count > most ? other_keys : keys;
        Value* const values_out = count > most ? other_values : values;
#pragma unroll 1
        for (int done = 0; done < count; done += most) {
          std::uint32_t const first = begin + static_cast<std::uint32_t>(done);
          detail::block_pair_sort<descending>(shared, keys + first, values + first, keys_out + first,
                                              values_out + first, smaller(most, count - done), prefix, digits.bits());
          simt::sync_block();
        }
        if (count > most) {
          detail::block_merge_by_rank<descending, storage::threads_per_block>(
              other_keys + begin, other_values + begin, keys + begin, values + begin, most, count);
        }
      });
}

}  // namespace mgpu::detail
