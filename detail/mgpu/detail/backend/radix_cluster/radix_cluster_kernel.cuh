// The kernel of a radix sort by one block, or by one cluster of blocks, of as many items as these can hold.
#pragma once
#include <mgpu/detail/backend/radix_cluster/tuning.h>
#include <mgpu/detail/block/loaded_keys.cuh>
#include <mgpu/detail/block/radix_sort.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/number_range.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/grid/cluster_partition.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The memory of a block.
template <class Tuning, class Key, class Value>
struct radix_cluster {
  template <int arch>
  using of_sort = block_radix_storage<Key, Value, Tuning::at(arch).threads_per_block,
                                      Tuning::at(arch).items_per_thread, Tuning::at(arch).max_digit_bits>;
  template <int arch>
  using partition = cluster_partition_storage<typename of_sort<arch>::pass, typename of_sort<arch>::ranker,
                                              ordered_bits_t<Key>, Tuning::at(arch).max_blocks>;
  template <int arch>
  using block_of_cluster =
      block_radix_storage<Key, Value, Tuning::at(arch).threads_per_block, Tuning::at(arch).items_per_thread,
                          Tuning::at(arch).max_digit_bits, partition<arch>>;

  template <int arch>
  using storage = loaded_keys_storage<block_of_cluster<arch>, Tuning::at(arch).max_blocks != 1 &&
                                                                  can_order_loaded_keys<block_of_cluster<arch>>>;
};

// Sorts num_items items from the input to the output. The grid is one block, with at most a tile, or one cluster, whose
// blocks run at the same time and wait for each other, with at most what the tuning says. Input and output may be the
// same range.
template <class Tuning, bool descending, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
__global__ void __launch_bounds__(Tuning::at(current_arch()).threads_per_block)
    radix_cluster_kernel(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                         std::uint32_t num_items) {
  constexpr radix_cluster_tuning tuning = Tuning::at(current_arch());
  static_assert(tuning.is_valid(),
                "mgpu: with_tuning: a block has whole warps, at most 32; a tile has 1 to 65,536 items; a digit has 1 "
                "to 12 bits; a cluster has 1 to 16 blocks");
  using Key = iterator_value_t<KeysIn>;
  using of_blocks = radix_cluster<Tuning, Key, iterator_value_t<ValuesIn>>;
  using storage = typename of_blocks::template block_of_cluster<current_arch()>;
  auto& memory = simt::shared<typename of_blocks::template storage<current_arch()>>();
  storage& shared = memory.sort;
  // The blocks share out the input evenly.
  unsigned const blocks = tuning.max_blocks > 1 ? simt::blocks_per_cluster() : 1;
  std::uint32_t const most = divide_up(num_items, blocks);
  std::uint32_t const begin = tuning.max_blocks > 1 ? smaller(num_items, simt::cluster_rank() * most) : 0;
  auto const count = static_cast<int>(smaller(num_items - begin, most));
  if (blocks > 1) simt::arrive_cluster_relaxed();
  block_radix_sort<storage, descending, KeysIn, ValuesIn, KeysOut, ValuesOut> sort{
      shared, keys_in + std::int64_t{begin}, values_in + std::int64_t{begin}, keys_out, values_out, count};
  auto const any = detail::directed_bits<descending>(static_cast<Key>(*keys_in));
  auto differing = sort.load(any);
  number_range<ordered_bits_t<Key>> range;
  if constexpr (tuning.max_blocks > 1) {
    if (blocks > 1) {
      // All blocks look at the same keys, a key a thread, for the bits that tell keys apart.
      std::uint32_t const at = simt::thread_rank() * num_items / tuning.threads_per_block;
      auto of_some = detail::directed_bits<descending>(static_cast<Key>(*(keys_in + std::int64_t{at})));
      of_some ^= any;
      simt::wait_cluster();
      auto const share = cluster_partition<storage, descending>(shared, num_items, {begin, count, false})
                             .run(any, of_some, differing);
      sort.keys_out = keys_out + std::int64_t{share.begin};
      sort.values_out = values_out + std::int64_t{share.begin};
      sort.num_items = share.count;
      if (share.is_sorted || share.count == 0) return sort.write(0, 0);
      if (detail::block_write_loaded_keys<descending>(memory, share.count, share.range, sort.keys_out)) return;
      differing = sort.differing_of_loaded();
      range = share.range;
    }
  }
  sort.sort_loaded(differing, range);
}

}  // namespace mgpu::detail
