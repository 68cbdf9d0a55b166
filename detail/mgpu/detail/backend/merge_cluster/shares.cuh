// The blocks of a cluster, each of which has sorted a run, divide all items into shares by regular samples: Shi, Schaeffer,
// Journal of Parallel and Distributed Computing 14(4), 1992.
#pragma once
#include <mgpu/detail/backend/merge_cluster/tuning.h>
#include <mgpu/detail/block/rank_merge.cuh>
#include <mgpu/detail/block/rank_sort.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/word_of_key.cuh>
#include <mgpu/detail/simt/mbarrier.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/find_ranks.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace mgpu::detail {

// Finds a block's share; all functions are called by all threads. The cluster has 4, 8 or 16 blocks, and each run an item
// at least. What blocks tell each other are words that count their own arrival: a barrier of the cluster with its fence
// takes three times as long.
template <class Key, int max_run_items>
class cluster_shares {
  static constexpr int max_blocks = merge_cluster_tuning::max_blocks;
  static constexpr int samples_per_run = 16;
  static constexpr int sample_stride =
      samples_per_run + 1;  // so that the same samples of runs are in different banks
  using packed = word_of_key<Key>;
  using word = std::conditional_t<sizeof(Key) <= 4, std::uint32_t, std::uint64_t>;  // that travels
  static constexpr int words_per_key = sizeof(Key) <= 8 ? 1 : 2;

 public:
  // A run has at least as many samples as there are runs, and two neighbouring ones have fewer items between them than
  // that part of a run. So a share has fewer items than two runs, unless comp is no order.
  static_assert(samples_per_run >= max_blocks);
  static constexpr int max_share_items = 2 * max_run_items;

  struct storage {
    uninitialized_array<Key, max_run_items> run;
    simt::mbarrier arrivals[3];  // of the samples, of their ranks, and of the pieces of the block's share
    word samples[max_blocks * sample_stride][words_per_key];  // of all runs
    int ranks[max_blocks * samples_per_run];                  // of the samples in all of them
    std::uint64_t pieces[max_blocks];  // what the block's share has of each run: [low half, high half)
    int cuts[max_blocks];              // where the shares begin in the block's run
    int begins[max_blocks];            // where the block's share begins in each run
    int begin;                         // how many items come before the block's share
    __device__ storage() {}
  };

  __device__ __forceinline__ cluster_shares(storage& shared, int num_items)
      : shared_(shared),
        num_items_(num_items),
        blocks_(static_cast<int>(simt::blocks_per_cluster())),
        block_(static_cast<int>(simt::cluster_rank())),
        block_bits_(31 - simt::leading_zeros(simt::blocks_per_cluster())),
        thread_(static_cast<int>(simt::thread_rank())),
        threads_(static_cast<int>(simt::threads_per_block())),
        max_items_(divide_up(num_items, blocks_)) {}

  __device__ __forceinline__ int num_runs() const { return blocks_; }
  // Returns in how many rounds the runs are merged two by two.
  __device__ __forceinline__ int num_rounds() const { return block_bits_; }
  // Returns where item i of what the block's share has of a run stands in that run.
  __device__ __forceinline__ int index(int run, int i) const { return shared_.begins[run] + i; }

  // Makes the block ready to be told by others, which takes until they have all started. Called first.
  __device__ __forceinline__ void start() {
    if (thread_ == 0) {
      expect(shared_.arrivals[0], blocks_ * samples_per_run * words_per_key * sizeof(word));
      expect(shared_.arrivals[1], blocks_ * samples_per_run * sizeof(int));
      expect(shared_.arrivals[2], blocks_ * sizeof(std::uint64_t));
      simt::mbarrier_init_fence();
    }
    simt::arrive_cluster_relaxed();
  }

  // Sets the bounds of what the block's share has of the runs, which the threads of each block have put in its storage, and
  // returns how many items come before it. All of the runs can be read then.
  template <class Comp>
  __device__ __forceinline__ int find(piece_bounds& bounds, Comp& comp) {
    simt::wait_cluster();
    simt::sync_block();
    // One warp shows the block's run to others; its fence keeps it busy while the first ones do the rest.
    if (thread_ / threads_per_warp == threads_ / threads_per_warp - 1) {
      simt::arrive_cluster();
    } else {
      simt::arrive_cluster_relaxed();
    }
    tell_samples();
    simt::mbarrier_wait_in_cluster(shared_.arrivals[0], 0);
    tell_ranks(comp);
    simt::mbarrier_wait_in_cluster(shared_.arrivals[1], 0);
    find_cuts(comp);
    simt::sync_block();
    if (thread_ < threads_per_warp) {
      tell_pieces();
      simt::mbarrier_wait_in_cluster(shared_.arrivals[2], 0);
      std::uint64_t const piece = thread_ < blocks_ ? shared_.pieces[thread_] : 0;
      auto const begin = static_cast<int>(piece & 0xffffffffu);
      if (thread_ < blocks_) shared_.begins[thread_] = begin;
      bounds.set(static_cast<int>(piece >> 32) - begin);
      std::uint32_t const sum = simt::sum_of_warp(static_cast<std::uint32_t>(begin));
      if (thread_ == 0) shared_.begin = static_cast<int>(sum);
    }
    simt::wait_cluster();
    simt::sync_block();
    return shared_.begin;
  }

 private:
  static __device__ __forceinline__ void expect(simt::mbarrier& arrival, std::size_t bytes) {
    simt::mbarrier_init(arrival, 1);
    simt::mbarrier_arrive_expecting(arrival, static_cast<unsigned>(bytes));
  }
  __device__ __forceinline__ int run_items() const { return smaller(max_items_, num_items_ - block_ * max_items_); }
  // Returns which item of the block's run a sample is.
  __device__ __forceinline__ int item_of_sample(int i) const { return i * run_items() / samples_per_run; }
  __device__ __forceinline__ Key sample(int run, int i) const {
    typename packed::type bits;
    memcpy(&bits, shared_.samples[run * sample_stride + i], sizeof(bits));
    return packed::key(bits);
  }

  __device__ __forceinline__ void tell_samples() {
#pragma unroll 1
    for (int i = thread_; i < blocks_ * samples_per_run; i += threads_) {
      int const sample = i % samples_per_run;
      auto const bits = packed::of(shared_.run[item_of_sample(sample)]);
      word words[words_per_key] = {};
      memcpy(words, &bits, sizeof(bits));
#pragma unroll
      for (int w = 0; w < words_per_key; ++w) {
        simt::store_async(shared_.samples[block_ * sample_stride + sample][w], words[w], shared_.arrivals[0],
                          static_cast<unsigned>(i / samples_per_run));
      }
    }
  }

  // Tells all blocks how many samples come before each of the block's. For each sample there are some lanes, each of which
  // looks for its rank in one run, and tells one block.
  template <class Comp>
  __device__ __forceinline__ void tell_ranks(Comp& comp) {
    static_assert(max_blocks == threads_per_warp / 2);
    int const run = thread_ % max_blocks;
#pragma unroll 1
    for (int i = thread_; i < samples_per_run * max_blocks; i += threads_) {
      int const number = i / max_blocks;
      int ranks[1] = {0};
      if (run == block_) {
        ranks[0] = number;
      } else if (run < blocks_) {
        Key const key = sample(block_, number);
        detail::find_ranks<Key>(
            ranks, samples_per_run, [&](int, int index) { return sample(run, index); },
            [&](int, int, Key const& item) { return detail::comes_before(item, run < block_, key, comp); });
      }
      int rank = ranks[0];
#pragma unroll
      for (unsigned mask = max_blocks / 2; mask > 0; mask /= 2)
        rank += simt::shuffle_xor(simt::full_mask, rank, mask);
      if (run < blocks_) {
        simt::store_async(shared_.ranks[block_ * samples_per_run + number], rank, shared_.arrivals[1],
                          static_cast<unsigned>(run));
      }
    }
  }

  // Returns which sample a share begins with: the one before which there are as many samples as so many runs have. By a
  // comparator that is no order there may be none, and the number is negative. Called by one warp.
  __device__ __forceinline__ int splitter(int share) const {
    int found = 0;
#pragma unroll
    for (int row = 0; row < max_blocks * samples_per_run; row += threads_per_warp) {
      int const i = row + static_cast<int>(simt::lane());
      if (i < blocks_ * samples_per_run && shared_.ranks[i] == share * samples_per_run) found = i + 1;
    }
    return static_cast<int>(simt::maximum_of_warp(static_cast<std::uint32_t>(found))) - 1;
  }

  // Finds where the shares begin in the block's run, a warp each.
  template <class Comp>
  __device__ __forceinline__ void find_cuts(Comp& comp) {
#pragma unroll 1
    for (int share = thread_ / threads_per_warp; share < blocks_; share += threads_ / threads_per_warp) {
      int const found = splitter(share);
      int const run = found / samples_per_run;
      int cut = 0;
      if (share > 0 && found >= 0) {
        cut = run == block_ ? item_of_sample(found % samples_per_run)
                            : find_cut(sample(run, found % samples_per_run), block_ < run, comp);
      }
      if (simt::lane() == 0) shared_.cuts[share] = cut;
    }
  }
  // Returns how many items of the block's run come before a key of another run. Called by one warp.
  template <class Comp>
  __device__ __forceinline__ int find_cut(Key const& key, bool is_earlier, Comp& comp) {
    static_assert(max_run_items <= threads_per_warp * threads_per_warp);
    auto const lane = static_cast<int>(simt::lane());
    // An odd stride lets the lanes read different banks.
    int const stride = divide_up(run_items(), threads_per_warp) | 1;
    auto const count_before = [&](int i) {
      Key const item = shared_.run[smaller(i, run_items() - 1)];  // in a register, as the key may be
      bool const is_before = i < run_items() && detail::comes_before(item, is_earlier, key, comp);
      return static_cast<int>(simt::population_count(simt::ballot(simt::full_mask, is_before)));
    };
    int const begin = count_before((lane + 1) * stride - 1) * stride;
    return begin + count_before(lane < stride - 1 ? begin + lane : run_items());
  }

  // Tells each block what its share has of the block's run. Called by one warp.
  __device__ __forceinline__ void tell_pieces() {
    // By a comparator that is no order, too, no share ends before it begins.
    auto const later = [](int a, int b) { return larger(a, b); };
    int const begin = detail::warp_inclusive_scan(thread_ < blocks_ ? shared_.cuts[thread_] : 0, max_blocks, later);
    int const next = simt::shuffle_down(simt::full_mask, begin, 1);
    if (thread_ >= blocks_) return;
    auto const end = static_cast<std::uint64_t>(thread_ == blocks_ - 1 ? run_items() : next);
    simt::store_async(shared_.pieces[block_], end << 32 | static_cast<std::uint64_t>(begin), shared_.arrivals[2],
                      static_cast<unsigned>(thread_));
  }

  storage& shared_;
  int num_items_;
  int blocks_;  // a power of two
  int block_;
  int block_bits_;
  int thread_;
  int threads_;
  int max_items_;  // of a run; the last one may have fewer
};

}  // namespace mgpu::detail
