// The blocks of a cluster, each of which has sorted a run, divide all items into shares by regular samples: Shi, Schaeffer,
// Journal of Parallel and Distributed Computing 14(4), 1992.
#pragma once
#include <mgpu/detail/backend/merge_cluster/tuning.h>
#include <mgpu/detail/block/merge_pieces.cuh>
#include <mgpu/detail/block/rank_sort.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/find_ranks.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <cstdint>

namespace mgpu::detail {

// Finds a block's share; all functions are called by all threads. The cluster has 4, 8 or 16 blocks, and each run an item
// at least.
template <class Key, int max_run_items>
class cluster_shares {
  static constexpr int max_blocks = merge_cluster_tuning::max_blocks;
  static constexpr int samples_per_run = 16;
  static constexpr int sample_stride =
      samples_per_run + 1;  // so that the same samples of runs are in different banks

 public:
  // A run has at least as many samples as there are runs, and two neighbouring ones have fewer items between them than
  // that part of a run. So a share has fewer items than two runs, unless comp is no order.
  static_assert(samples_per_run >= max_blocks);
  static constexpr int max_share_items = 2 * max_run_items;

  struct storage {
    uninitialized_array<Key, max_run_items> run;
    uninitialized_array<Key, samples_per_run> run_samples;
    uninitialized_array<Key, max_blocks * sample_stride> samples;  // of all runs
    int splitters[max_blocks];                                     // which samples the shares begin before, or none
    int cuts[max_blocks];                                          // where the shares begin in the block's run
    int begins[max_blocks];                                        // of the block's share in each run
    int ends[max_blocks];
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

  // Sets the bounds of what the block's share has of the runs, which are those that the blocks put in their storage, and
  // returns how many items come before it. A barrier is owed before the call, and after it until the bounds are seen.
  template <int items_per_thread, class Comp>
  __device__ __forceinline__ int find(merge_pieces_bounds& bounds, Comp& comp) {
    if (thread_ < samples_per_run) shared_.run_samples[thread_] = shared_.run[item_of_sample(thread_)];
    if (thread_ < max_blocks) shared_.splitters[thread_] = none;
    sync_cluster();
    load_samples();
    simt::sync_block();
    find_splitters(comp);
    sync_cluster();
    find_cuts(comp);
    simt::sync_block();
    if (thread_ < threads_per_warp) tell_cuts();
    sync_cluster();
    auto const lane = static_cast<int>(simt::lane());
    int const begin = lane < blocks_ ? shared_.begins[lane] : 0;
    int const end = lane < blocks_ ? shared_.ends[lane] : 0;
    if (thread_ < threads_per_warp) bounds.set(end - begin, items_per_thread);
    return static_cast<int>(simt::sum_of_warp(static_cast<std::uint32_t>(begin)));
  }

 private:
  static constexpr int none = -1;

  static __device__ __forceinline__ void sync_cluster() {
    simt::arrive_cluster();
    simt::wait_cluster();
  }
  __device__ __forceinline__ int run_items() const { return smaller(max_items_, num_items_ - block_ * max_items_); }
  // Returns which item of the block's run a sample is.
  __device__ __forceinline__ int item_of_sample(int i) const { return i * run_items() / samples_per_run; }

  __device__ __forceinline__ void load_samples() {
#pragma unroll 1
    for (int i = thread_; i < blocks_ * samples_per_run; i += threads_) {
      int const run = i / samples_per_run;
      shared_.samples[run * sample_stride + i % samples_per_run] =
          simt::in_cluster_block(shared_.run_samples[i % samples_per_run], static_cast<unsigned>(run));
    }
  }

  // Finds which of the block's samples are splitters: those before which there are as many samples as some of the runs
  // have. All blocks get to know them. For each sample there are some lanes, each of which looks for its rank in one run.
  template <class Comp>
  __device__ __forceinline__ void find_splitters(Comp& comp) {
    static_assert(max_blocks == threads_per_warp / 2);
    int const run = thread_ % max_blocks;
#pragma unroll 1
    for (int i = thread_; i < samples_per_run * max_blocks; i += threads_) {
      int const sample = i / max_blocks;
      int ranks[1] = {0};
      Key const key = shared_.samples[block_ * sample_stride + sample];
      if (run == block_) {
        ranks[0] = sample;
      } else if (run < blocks_) {
        detail::find_ranks<Key>(
            ranks, samples_per_run, [&](int, int index) { return shared_.samples[run * sample_stride + index]; },
            [&](int, int, Key const& item) { return detail::comes_before(item, run < block_, key, comp); });
      }
      int rank = ranks[0];
#pragma unroll
      for (unsigned mask = max_blocks / 2; mask > 0; mask /= 2)
        rank += simt::shuffle_xor(simt::full_mask, rank, mask);
      if (rank % samples_per_run != 0 || run >= blocks_) continue;
      int const share = rank / samples_per_run;
      simt::in_cluster_block(shared_.splitters[share], static_cast<unsigned>(run)) =
          block_ * samples_per_run + sample;
    }
  }

  // Finds where the shares begin in the block's run, a warp each.
  template <class Comp>
  __device__ __forceinline__ void find_cuts(Comp& comp) {
#pragma unroll 1
    for (int share = thread_ / threads_per_warp; share < blocks_; share += threads_ / threads_per_warp) {
      int const splitter = shared_.splitters[share];
      int const run = splitter / samples_per_run;
      int cut = 0;
      if (share > 0 && splitter != none) {
        cut = run == block_
                  ? item_of_sample(splitter % samples_per_run)
                  : find_cut(shared_.samples[run * sample_stride + splitter % samples_per_run], block_ < run, comp);
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
      bool const is_before =
          i < run_items() && detail::comes_before(shared_.run[smaller(i, run_items() - 1)], is_earlier, key, comp);
      return static_cast<int>(simt::population_count(simt::ballot(simt::full_mask, is_before)));
    };
    int const begin = count_before((lane + 1) * stride - 1) * stride;
    return begin + count_before(lane < stride - 1 ? begin + lane : run_items());
  }

  // Lets each block know where its share begins and ends in the block's run. Called by one warp.
  __device__ __forceinline__ void tell_cuts() {
    int const share = thread_ % max_blocks;
    // By a comparator that is no order, too, no share ends before it begins.
    auto const later = [](int a, int b) { return larger(a, b); };
    int const cut = detail::warp_inclusive_scan(share < blocks_ ? shared_.cuts[share] : 0, max_blocks, later);
    if (thread_ >= blocks_) return;
    simt::in_cluster_block(shared_.begins[block_], static_cast<unsigned>(share)) = cut;
    if (share > 0) simt::in_cluster_block(shared_.ends[block_], static_cast<unsigned>(share - 1)) = cut;
    if (share == blocks_ - 1)
      simt::in_cluster_block(shared_.ends[block_], static_cast<unsigned>(share)) = run_items();
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
