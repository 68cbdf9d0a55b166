// The blocks of a cluster hold items in their shared memory, and exchange them: each block gets a share, all items of
// some neighbouring bins of the highest digit; or, where a share would be too large, all items are put in order, by one
// digit after the other, the lowest first. Both are stable.
#pragma once
#include <mgpu/detail/block/or_of_bits.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/number_range.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The shared memory of a block for that, beside the memory of its items.
template <class Pass, class Ranker, class Bits, int max_blocks>
struct cluster_partition_storage {
  typename Pass::temp_storage pass;
  // How many items each block has in each bin, as every block is told; two bins are a word.
  union {
    std::uint16_t counts[max_blocks][Ranker::num_bins];
    std::uint32_t words[max_blocks][Ranker::num_bins / 2];
  };
  // The targets of each bin's first item in this block, less its index in the block's order.
  std::uint32_t targets[Ranker::num_bins];
  std::uint32_t share_items[max_blocks];
  std::uint32_t first_bin;  // of this block's share, where any is
  std::uint32_t last_bin;
  Bits differing[max_blocks];
};

// A block holds `count` items, the first of which has index `begin` among those of all blocks.
template <class Bits>
struct cluster_share {
  std::uint32_t begin;
  int count;
  bool is_sorted;                 // or only all items of the blocks before come before these
  number_range<Bits> range = {};  // of the keys' directed bits
};

// A digit of directed bits: those from `first_bit` on, of what they are above `lowest`.
template <class Bits>
struct cluster_digit {
  Bits lowest;
  Bits highest;  // bits above or below are taken for these
  int first_bit;

  __device__ __forceinline__ std::uint32_t operator()(Bits bits, std::uint32_t mask) const {
    return static_cast<std::uint32_t>(static_cast<Bits>(smaller(larger(bits, lowest), highest) - lowest) >>
                                      first_bit) &
           mask;
  }
};

// Storage has two arrays each for keys and values: the items come in the first ones, and are left there. All functions
// are called by all threads of the cluster, whose blocks have all started.
template <class Storage, bool descending>
class cluster_partition {
  using Key = typename Storage::key_type;
  using Value = typename Storage::value_type;
  using Bits = ordered_bits_t<Key>;
  using ranker = typename Storage::ranker;
  using pass = typename Storage::pass;
  static constexpr int digit_bits = Storage::digits::bits;
  static constexpr int threads = Storage::threads_per_block;

 public:
  // `mine` is what this block holds, of num_items in all blocks.
  __device__ __forceinline__ cluster_partition(Storage& shared, std::uint32_t num_items, cluster_share<Bits> mine)
      : shared_(shared),
        temp_(shared.before),
        rank_(simt::cluster_rank()),
        blocks_(simt::blocks_per_cluster()),
        num_items_(num_items),
        mine_(mine) {}

  // Exchanges the items. The digit for the shares is the highest of those bits in which some keys differ, `of_some`,
  // from a key with the bits `any`; `differing` are the bits in which keys of this block do.
  __device__ __forceinline__ cluster_share<Bits> run(Bits any, Bits of_some, Bits differing) {
    constexpr Bits all_bits = static_cast<Bits>(~Bits{0});
    int const width = detail::width_of_bits(detail::block_or_of_bits(of_some, shared_.differing));
    Bits const below = detail::bits_below<Bits>(width);
    auto const lowest = static_cast<Bits>(any & ~below);
    digit_ = {lowest, static_cast<Bits>(lowest | below), larger(0, width - digit_bits)};
    int bit = 0;
    for (;;) {
      order_block();
      if (find_targets()) {
        move();
        if (!mine_.is_sorted) return mine_;
      } else {
        mine_.is_sorted = true;
        differing = of_all_blocks(differing);
      }
      // Digits without a bit that differs need no exchange.
      while (bit < Storage::digits::key_bits && Storage::digits::get(differing, bit / digit_bits) == 0)
        bit += digit_bits;
      if (bit >= Storage::digits::key_bits) return mine_;
      digit_ = {0, all_bits, bit};
      bit += digit_bits;
    }
  }

 private:
  static constexpr int bits_of_index = 16;  // of an item in its block

  static __device__ __forceinline__ void sync_cluster() {
    simt::arrive_cluster();
    simt::wait_cluster();
  }
  static __device__ __forceinline__ int thread() { return static_cast<int>(simt::thread_rank()); }
  __device__ __forceinline__ std::uint32_t digit_of_bits(Bits bits) const {
    return digit_(bits, ranker::num_bins - 1);
  }
  __device__ __forceinline__ std::uint32_t digit_of(Key const& key) const {
    return digit_of_bits(detail::directed_bits<descending>(key));
  }
  // Items that are put in order lie in the first blocks: each of them has a power of two, but for the last.
  __device__ __forceinline__ int bits_of_even_share() const {
    return detail::bit_width(divide_up(num_items_, blocks_) - 1);
  }

  // Calls f with the rank of each block.
  template <class F>
  __device__ __forceinline__ void for_each_block(F f) const {
#pragma unroll 4
    for (unsigned block = 0; block < blocks_; ++block) f(block);
  }

  // Returns the bits that are set in any block's number. Has a barrier of the cluster.
  __device__ __forceinline__ Bits of_all_blocks(Bits mine) {
    mine = detail::block_or_of_bits(mine, shared_.differing);
    if (simt::thread_rank() < blocks_) {
      simt::in_cluster_block(temp_.differing[rank_], simt::thread_rank()) = mine;
    }
    sync_cluster();
    Bits all = 0;
    for_each_block([&](unsigned block) { all |= temp_.differing[block]; });
    return all;
  }

  // Puts this block's items in order by the digit, into the second arrays, and tells all blocks how many each bin has.
  // The last thing in it is a barrier of the cluster, after which the first arrays can be written.
  __device__ __forceinline__ void order_block() {
    auto const digit_of_item = [&](int i) { return digit_of(shared_.keys[0][i]); };
    auto const on_total = [&](int bin, std::uint32_t total) {
      temp_.counts[rank_][bin] = static_cast<std::uint16_t>(total);
    };
    auto const counts = pass::count(temp_.pass, mine_.count, mine_.is_sorted, digit_of_item, on_total);
    constexpr int words_of_block = ranker::num_bins / 2;
    for (int i = thread(); i < words_of_block * static_cast<int>(blocks_); i += threads) {
      auto const block = static_cast<unsigned>(i / words_of_block);
      std::uint32_t& word = temp_.words[rank_][i % words_of_block];
      if (block != rank_) simt::in_cluster_block(word, block) = word;
    }
    ranker::for_each_bin([&](int b, int bin) { temp_.targets[bin] = 0u - counts.bins.starts[b]; });
    auto const put = [&](int i, std::uint32_t target) {
      shared_.keys[1][target] = shared_.keys[0][i];
      if constexpr (has_values<Value>) shared_.values[1][target] = shared_.values[0][i];
    };
    pass::place(temp_.pass, mine_.count, counts, Storage::shows_order || mine_.is_sorted, digit_of_item, put,
                [&](int i) { return digit_of(shared_.keys[1][i]); });
    sync_cluster();
  }

  // Finds where the items of this block go. Returns whether there is room for all shares; the order has room always.
  __device__ __forceinline__ bool find_targets() {
    typename ranker::bins all{};
    std::uint32_t before[ranker::bins_per_thread];
    if (simt::thread_rank() < blocks_) temp_.share_items[simt::thread_rank()] = 0;
    ranker::for_each_bin([&](int b, int bin) {
      before[b] = 0;
      for_each_block([&](unsigned block) {
        std::uint32_t const count = temp_.counts[block][bin];
        all.totals[b] += count;
        if (block < rank_) before[b] += count;
      });
    });
    ranker::scan_totals(temp_.pass.rank, all);
    if (mine_.is_sorted) {
      ranker::for_each_bin([&](int b, int bin) { temp_.targets[bin] += all.starts[b] + before[b]; });
      simt::sync_block();
      return true;
    }
    // A bin goes to the block in whose even share its middle lies.
    unsigned blocks_of_bins[ranker::bins_per_thread];
    ranker::for_each_bin([&](int b, int) {
      blocks_of_bins[b] = (all.starts[b] + all.totals[b] / 2) * blocks_ / num_items_;
      if (all.totals[b] > 0) simt::add_shared(temp_.share_items[blocks_of_bins[b]], all.totals[b]);
    });
    simt::sync_block();
    ranker::for_each_bin([&](int b, int bin) {
      std::uint32_t const begin = begin_of_share(blocks_of_bins[b]);
      temp_.targets[bin] += (blocks_of_bins[b] << bits_of_index) + all.starts[b] + before[b] - begin;
      if (blocks_of_bins[b] != rank_ || all.totals[b] == 0) return;
      if (all.starts[b] == begin) temp_.first_bin = static_cast<std::uint32_t>(bin);
      if (all.starts[b] + all.totals[b] == begin + temp_.share_items[rank_]) {
        temp_.last_bin = static_cast<std::uint32_t>(bin);
      }
    });
    bool has_room = true;
    for_each_block([&](unsigned block) {
      has_room = has_room && temp_.share_items[block] <= static_cast<std::uint32_t>(Storage::tile_items);
    });
    simt::sync_block();
    return has_room;
  }

  __device__ __forceinline__ std::uint32_t begin_of_share(unsigned rank) const {
    std::uint32_t begin = 0;
    for_each_block([&](unsigned block) {
      if (block < rank) begin += temp_.share_items[block];
    });
    return begin;
  }

  // Moves this block's items to the first arrays of their blocks: a target has some bits of the index there, and the
  // block above. The last thing in it is a barrier of the cluster.
  __device__ __forceinline__ void move() {
    int const index_bits = mine_.is_sorted ? bits_of_even_share() : bits_of_index;
#pragma unroll 4
    for (int i = thread(); i < mine_.count; i += threads) {
      Key const key = shared_.keys[1][i];
      std::uint32_t const target = temp_.targets[digit_of(key)] + static_cast<std::uint32_t>(i);
      unsigned const block = target >> index_bits;
      std::uint32_t const at = target & ((1u << index_bits) - 1);
      simt::in_cluster_block(shared_.keys[0][at], block) = key;
      if constexpr (has_values<Value>) simt::in_cluster_block(shared_.values[0][at], block) = shared_.values[1][i];
    }
    if (mine_.is_sorted) {
      mine_.begin = smaller(num_items_, rank_ << index_bits);
      mine_.count = static_cast<int>(smaller(num_items_ - mine_.begin, 1u << index_bits));
    } else {
      mine_.begin = begin_of_share(rank_);
      mine_.count = static_cast<int>(temp_.share_items[rank_]);
      find_range();
    }
    sync_cluster();
  }

  // Finds in which range the keys of this block's share lie. The first bin and the last one have keys of any bits.
  __device__ __forceinline__ void find_range() {
    std::uint32_t const first = temp_.first_bin, last = temp_.last_bin;
    if (mine_.count == 0 || first == 0 || last == digit_of_bits(digit_.highest)) return;
    auto const begin_of = [&](std::uint32_t bin) { return static_cast<Bits>(Bits(bin) << digit_.first_bit); };
    mine_.range = {static_cast<Bits>(digit_.lowest + begin_of(first)),
                   detail::width_of_bits(static_cast<Bits>(begin_of(last - first + 1) - 1))};
  }

  Storage& shared_;
  decltype(Storage::before)& temp_;
  unsigned rank_;
  unsigned blocks_;
  std::uint32_t num_items_;
  cluster_share<Bits> mine_;
  cluster_digit<Bits> digit_{};
};

}  // namespace mgpu::detail
