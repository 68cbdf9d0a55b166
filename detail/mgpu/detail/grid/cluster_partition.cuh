// The blocks of a cluster hold items in their shared memory, and exchange them: each block gets a share, all items of
// some neighbouring bins of the highest digit; or, where a share would be too large, all items are put in order, by one
// digit after the other, the lowest first. Both are stable.
#pragma once
#include <mgpu/detail/block/or_of_bits.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The shared memory of a block for that, beside the memory of its items.
template <class Ranker, class Bits, int max_blocks>
struct cluster_partition_storage {
  typename Ranker::temp_storage rank;
  std::uint32_t counts[max_blocks][Ranker::num_bins];  // of each block's items by digit, in every block
  std::uint32_t targets[Ranker::num_bins];  // of a bin's first item in this block, less its index in the block's order
  std::uint32_t share_items[max_blocks];
  Bits differing[max_blocks];
};

// What a block holds: `count` items, the first of which has index `begin` among those of all blocks.
struct cluster_share {
  std::uint32_t begin;
  int count;
  bool is_sorted;  // or only all items of the blocks before come before these
};

// Storage has two arrays each for keys and values: the items come in the first ones, and are left there. All functions
// are called by all threads of the cluster, whose blocks have all started.
template <class Storage, bool descending>
class cluster_partition {
  using Key = typename Storage::key_type;
  using Value = typename Storage::value_type;
  using Bits = ordered_bits_t<Key>;
  using ranker = typename Storage::ranker;
  static constexpr int digit_bits = Storage::digits::bits;
  static constexpr int threads = Storage::threads_per_block;

 public:
  // `mine` is what this block holds, of num_items in all blocks.
  __device__ __forceinline__ cluster_partition(Storage& shared, std::uint32_t num_items, cluster_share mine)
      : shared_(shared), temp_(shared.before), num_items_(num_items), mine_(mine) {}

  // Exchanges the items. `differing` are the bits in which keys of this block differ from a key that all blocks know.
  __device__ __forceinline__ cluster_share run(Bits differing) {
    differing = of_all_blocks(differing);
    bool in_shares = true;
    int first_bit = larger(0, detail::width_of_bits(differing) - digit_bits);
    for (;;) {
      order_block(first_bit);
      if (find_targets(in_shares)) {
        move(in_shares ? bits_of_index : bits_of_even_share(), first_bit);
        if (in_shares) return mine_;
        first_bit += digit_bits;
      } else {
        in_shares = false;
        mine_.is_sorted = true;
        first_bit = 0;
        sync_cluster();  // before counts are written anew
      }
      constexpr auto digit_mask = static_cast<Bits>((Bits{1} << digit_bits) - 1);
      while (first_bit < Storage::digits::key_bits && static_cast<Bits>(differing >> first_bit & digit_mask) == 0)
        first_bit += digit_bits;
      if (first_bit >= Storage::digits::key_bits) return mine_;
    }
  }

 private:
  static constexpr int bits_of_index = 16;  // of an item in its block

  static __device__ __forceinline__ void sync_cluster() {
    simt::arrive_cluster();
    simt::wait_cluster();
  }
  static __device__ __forceinline__ int thread() { return static_cast<int>(simt::thread_rank()); }
  static __device__ __forceinline__ std::uint32_t digit_of(Key const& key, int first_bit) {
    return static_cast<std::uint32_t>(detail::directed_bits<descending>(key) >> first_bit) & (ranker::num_bins - 1);
  }
  // Items that are put in order lie in the first blocks: each of them has a power of two, but for the last.
  __device__ __forceinline__ int bits_of_even_share() const {
    return detail::bit_width(divide_up(num_items_, simt::blocks_per_cluster()) - 1);
  }

  // Returns the bits that are set in any block's number.
  __device__ __forceinline__ Bits of_all_blocks(Bits mine) {
    mine = detail::block_or_of_bits(mine, shared_.differing);
    unsigned const blocks = simt::blocks_per_cluster();
    if (simt::thread_rank() < blocks) {
      simt::in_cluster_block(temp_.differing[simt::cluster_rank()], simt::thread_rank()) = mine;
    }
    sync_cluster();
    Bits all = 0;
    for (unsigned block = 0; block < blocks; ++block) all |= temp_.differing[block];
    return all;
  }

  // Puts this block's items in order by the digit, into the second arrays, and tells all blocks how many each bin has.
  // The last thing in it is a barrier of the cluster, after which the first arrays can be written.
  __device__ __forceinline__ void order_block(int first_bit) {
    auto const rows = ranker::share_of(mine_.count);
    auto const digit_of_item = [&](int i) { return digit_of(shared_.keys[0][i], first_bit); };
    ranker::count_rows(temp_.rank, rows, digit_of_item);
    simt::sync_block();
    typename ranker::bins bins{};
    ranker::for_each_bin([&](int b, int bin) {
      bins.totals[b] = ranker::total(temp_.rank, bin);
      for (unsigned block = 0; block < simt::blocks_per_cluster(); ++block) {
        simt::in_cluster_block(temp_.counts[simt::cluster_rank()][bin], block) = bins.totals[b];
      }
    });
    ranker::scan_totals(temp_.rank, bins);
    ranker::for_each_bin([&](int b, int bin) {
      ranker::place_bin(temp_.rank, bin, bins.starts[b]);
      temp_.targets[bin] = 0u - bins.starts[b];
    });
    simt::sync_block();
    ranker::place_rows(temp_.rank, rows, digit_of_item, [&](int i, std::uint32_t target) {
      shared_.keys[1][target] = shared_.keys[0][i];
      if constexpr (has_values<Value>) shared_.values[1][target] = shared_.values[0][i];
    });
    sync_cluster();
  }

  // Finds where the items of this block go. Returns whether there is room for all shares; the order has room always.
  __device__ __forceinline__ bool find_targets(bool in_shares) {
    unsigned const blocks = simt::blocks_per_cluster();
    typename ranker::bins all{};
    std::uint32_t before[ranker::bins_per_thread];
    if (simt::thread_rank() < blocks) temp_.share_items[simt::thread_rank()] = 0;
    ranker::for_each_bin([&](int b, int bin) {
      before[b] = 0;
      for (unsigned block = 0; block < blocks; ++block) {
        std::uint32_t const count = temp_.counts[block][bin];
        all.totals[b] += count;
        if (block < simt::cluster_rank()) before[b] += count;
      }
    });
    ranker::scan_totals(temp_.rank, all);
    // A bin goes to the block in whose even share its middle lies.
    auto const block_of = [&](int b) { return (all.starts[b] + all.totals[b] / 2) * blocks / num_items_; };
    if (in_shares) {
      ranker::for_each_bin([&](int b, int) {
        if (all.totals[b] > 0) simt::add_shared(temp_.share_items[block_of(b)], all.totals[b]);
      });
    }
    simt::sync_block();
    ranker::for_each_bin([&](int b, int bin) {
      std::uint32_t target = all.starts[b] + before[b];
      if (in_shares && all.totals[b] > 0) {
        target += (block_of(b) << bits_of_index) - begin_of_share(block_of(b));
      }
      temp_.targets[bin] += target;
    });
    bool has_room = true;
    if (in_shares) {
      for (unsigned block = 0; block < blocks; ++block) {
        has_room = has_room && temp_.share_items[block] <= static_cast<std::uint32_t>(Storage::tile_items);
      }
    }
    simt::sync_block();
    return has_room;
  }

  __device__ __forceinline__ std::uint32_t begin_of_share(unsigned block) const {
    std::uint32_t begin = 0;
    for (unsigned lower = 0; lower < block; ++lower) begin += temp_.share_items[lower];
    return begin;
  }

  // Moves this block's items to the first arrays of their blocks: a target has so many bits of the index there, and the
  // block above. The last thing in it is a barrier of the cluster.
  __device__ __forceinline__ void move(int index_bits, int first_bit) {
#pragma unroll 4
    for (int i = thread(); i < mine_.count; i += threads) {
      Key const key = shared_.keys[1][i];
      std::uint32_t const target = temp_.targets[digit_of(key, first_bit)] + static_cast<std::uint32_t>(i);
      unsigned const block = target >> index_bits;
      std::uint32_t const at = target & ((1u << index_bits) - 1);
      simt::in_cluster_block(shared_.keys[0][at], block) = key;
      if constexpr (has_values<Value>) simt::in_cluster_block(shared_.values[0][at], block) = shared_.values[1][i];
    }
    unsigned const rank = simt::cluster_rank();
    if (mine_.is_sorted) {
      mine_.begin = smaller(num_items_, rank << index_bits);
      mine_.count = static_cast<int>(smaller(num_items_ - mine_.begin, 1u << index_bits));
    } else {
      mine_.begin = begin_of_share(rank);
      mine_.count = static_cast<int>(temp_.share_items[rank]);
    }
    sync_cluster();
  }

  Storage& shared_;
  decltype(Storage::before)& temp_;
  std::uint32_t num_items_;
  cluster_share mine_;
};

}  // namespace mgpu::detail
