// The kernel of a radix sort by one block, or by one cluster of blocks, of as many items as these can hold.
#pragma once
#include <mgpu/detail/backend/radix_cluster/tuning.h>
#include <mgpu/detail/block/bare_key_sort.cuh>
#include <mgpu/detail/block/radix_sort.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/bare_key.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
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

  // Keys that are made anew from their bits are ordered without the indices that tell equal ones apart.
  template <int arch>
  static constexpr bool orders_bare_keys = Tuning::at(arch).max_blocks > 1 && !has_values<Value> &&
                                           is_bare_key<Key> && Tuning::at(arch).items_per_thread % 2 == 0;
  template <int arch, bool with_bare_keys>
  union memory {
    block_of_cluster<arch> sort;
    __device__ memory() {}
  };
  template <int arch>
  union memory<arch, true> {
    block_of_cluster<arch> sort;
    struct {
      uninitialized_array<Key, Tuning::at(arch).tile_items()> loaded;  // the first member of what is above
      bare_key_storage<ordered_bits_t<Key>, Tuning::at(arch).threads_per_block, Tuning::at(arch).items_per_thread,
                       larger(1, bit_width(static_cast<std::uint32_t>(Tuning::at(arch).tile_items())) - 1)>
          ordered;
    } bare;
    __device__ memory() {}
  };
  template <int arch>
  using storage = memory<arch, orders_bare_keys<arch>>;
};

namespace impl {

// Writes what a block of a cluster has for its share, in order, and returns true, or returns false, having written
// nothing, where many keys lie close together, or zeros of two kinds have an order to keep. Called by all threads of the
// block.
template <bool descending, class Memory, class Bits, class KeysOut>
__device__ __forceinline__ bool write_bare_keys(Memory& memory, cluster_share<Bits> const& share, KeysOut out) {
  using Key = typename decltype(memory.sort)::key_type;
  auto& loaded = memory.bare.loaded;
  auto& ordered = memory.bare.ordered;
  auto const for_each_item = [&](auto f) {
#pragma unroll 4
    for (int i = static_cast<int>(simt::thread_rank()); i < share.count; i += ordered.threads_per_block) f(i);
  };
  std::uint32_t zeros = 0;
  if constexpr (has_two_zeros<Key>) {
    // One block has all zeros, as their bits are the same.
    for_each_item([&](int i) { zeros |= detail::kind_of_zero(loaded[i]); });
    zeros = detail::block_or_of_bits(zeros, ordered.warps);
    if (zeros == 3) {
      simt::sync_block();
      return false;
    }
  }
  auto const bits_at = [&](int i) { return detail::directed_bits<descending>(loaded[i]); };
  if (!detail::block_order_numbers(ordered, bits_at, bits_at(0), share.count, share.range)) return false;
  simt::sync_block();
  bare_key_maker<descending, Key> const make_key{zeros == 2};
  for_each_item([&](int i) { *(out + i) = make_key(ordered.keys[i]); });
  return true;
}

}  // namespace impl

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
  if (blocks > 1) simt::arrive_cluster();
  block_radix_sort<storage, descending, KeysIn, ValuesIn, KeysOut, ValuesOut> sort{
      shared, keys_in + std::int64_t{begin}, values_in + std::int64_t{begin}, keys_out, values_out, count};
  auto const any = detail::directed_bits<descending>(static_cast<Key>(*keys_in));
  auto differing = sort.load(any);
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
      if constexpr (of_blocks::template orders_bare_keys<current_arch()>) {
        if (impl::write_bare_keys<descending>(memory, share, sort.keys_out)) return;
      }
      differing = sort.differing_of_loaded();
    }
  }
  sort.sort_loaded(differing);
}

}  // namespace mgpu::detail
