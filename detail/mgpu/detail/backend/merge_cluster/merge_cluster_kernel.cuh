// The kernel of a merge sort by one block, or by one cluster of blocks, of an item a thread.
#pragma once
#include <mgpu/detail/backend/merge_cluster/run.cuh>
#include <mgpu/detail/backend/merge_cluster/tuning.h>
#include <mgpu/detail/block/rank_sort.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/word_of_key.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/mbarrier.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/find_ranks.cuh>
#include <mgpu/detail/warp/shuffle.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// The memory of a block by itself, and of one that is of a cluster.
template <class Tuning, class Key, class Value>
struct merge_cluster {
  template <int arch>
  using run = cluster_run<Key, Value, Tuning::at(arch).max_threads_per_block>;
  template <int arch>
  using storage = typename run<arch>::storage;
  template <int arch>
  struct storage_of_cluster {
    static constexpr int max_blocks = merge_cluster_tuning::max_blocks;
    using word = typename word_of_key<Key>::type;
    // Runs lie so far apart that equal places of them are in different banks.
    static constexpr int gap = 16 / sizeof(word);

    storage<arch> block;
    word runs[(Tuning::at(arch).max_threads_per_block + gap) * max_blocks];  // the sorted keys of each block
    std::uint32_t excess[2];
    std::uint32_t excesses[2][max_blocks];  // of all blocks
    simt::mbarrier arrival;                 // of these
    __device__ storage_of_cluster() {}
  };
};

// This is what one block knows of its cluster.
struct cluster_of_runs {
  int blocks;  // a power of two, at least 4
  int block;   // which one this is
  int most;    // items of each run, but for the last one
  int num_items;
  int stride;  // from one run to the next in shared memory

  __device__ __forceinline__ int items_of(int run) const { return smaller(most, num_items - run * most); }
};

// This bounds where, in each run, the items end that come before some keys. Lane r knows the bounds of run r.
struct window_of_runs {
  int begin;  // there are no fewer than up to here,
  int end;    // and no more than up to here,
  int width;  // which are at most so many in any run
};

namespace impl {

template <class Key>
using word_of_runs = typename word_of_key<Key>::type;

// Returns where the items end in each run that come before any of the warp's keys, which are sorted, for which a half of
// the lanes looks for the first key, and the other half for the last one. Called by all lanes.
template <class Key, class Comp>
__device__ __forceinline__ window_of_runs find_window(word_of_runs<Key> const* runs, Key const& key,
                                                      cluster_of_runs const& cluster, bool narrows, Comp& comp) {
  constexpr int half = threads_per_warp / 2;
  static_assert(merge_cluster_tuning::max_blocks <= half, "a lane looks at one run");
  auto const lane = static_cast<int>(simt::lane());
  int const run = lane % cluster.blocks;
  int const run_begin = run * cluster.stride;
  int const run_items = cluster.items_of(run);
  window_of_runs window{run_begin, run_begin + run_items, cluster.most};
  if (narrows) {
    bool const is_first = lane < half;
    Key const bound = detail::shuffle(key, is_first ? 0 : threads_per_warp - 1);
    int ranks[1] = {0};
    detail::find_ranks<Key>(
        ranks, cluster.most, [&](int, int i) { return word_of_key<Key>::key(runs[run_begin + i]); },
        [&](int, int, Key const& item) { return detail::comes_before(item, run < cluster.block, bound, comp); });
    int const rank = smaller(ranks[0], run_items);
    int const other = simt::shuffle_xor(simt::full_mask, rank, half);
    bool const is_wide = is_first && run != cluster.block && other > rank;
    auto const width = static_cast<std::uint32_t>(is_wide ? other - rank : 0);
    window.width = static_cast<int>(simt::maximum_of_warp(width));
    window.begin += smaller(rank, cluster.most - window.width);
    window.end = run_begin + (is_first ? other : rank);
  }
  if (run == cluster.block) window.begin = window.end = 0;  // the place there is known
  return window;
}

// Returns the sum of where, in four runs from `first` on, the items end that come before the key. Called by all lanes.
template <class Key, class IsEarlier, class Comp>
__device__ __forceinline__ int sum_of_ends(word_of_runs<Key> const* runs, Key const& key, int first,
                                           window_of_runs const& window, IsEarlier is_earlier, Comp& comp) {
  constexpr int num_runs = 4;
  auto const of_run = [&](int value, int s) {
    return simt::shuffle(simt::full_mask, value, static_cast<unsigned>(first + s));
  };
  int ends[num_runs];
#pragma unroll
  for (int s = 0; s < num_runs; ++s) ends[s] = of_run(window.begin, s);
  detail::find_ranks<Key>(
      ends, window.width, [&](int, int i) { return word_of_key<Key>::key(runs[i]); },
      [&](int s, int, Key const& item) { return detail::comes_before(item, is_earlier(first + s), key, comp); });
  int sum = 0;
#pragma unroll
  for (int s = 0; s < num_runs; ++s) sum += smaller(ends[s], of_run(window.end, s));
  return sum;
}

// Returns how many items of all runs come before the thread's, which has a place in its block's. Called by all threads.
template <class Key, class Comp>
__device__ __forceinline__ int place_in_cluster(word_of_runs<Key> const* runs, Key const& key,
                                                cluster_of_runs const& cluster, Comp& comp) {
  // For few items it is quicker to look at all of a run than to look for the warp's part of it.
  bool const narrows = simt::threads_per_block() > 128;
  window_of_runs const window = impl::find_window(runs, key, cluster, narrows, comp);
  int const block = cluster.block;
  // The sum over the other runs also counts what lies in front of each in shared memory, which is taken off here.
  int place =
      static_cast<int>(simt::thread_rank()) - (cluster.blocks * (cluster.blocks - 1) / 2 - block) * cluster.stride;
#pragma unroll 1
  for (int first = 0; first < cluster.blocks; first += 4) {
    // A comparison takes two instructions less where all four runs lie on one side.
    if (first + 4 <= block) {
      place += impl::sum_of_ends(
          runs, key, first, window, [](int) { return true; }, comp);
    } else if (first > block) {
      place += impl::sum_of_ends(
          runs, key, first, window, [](int) { return false; }, comp);
    } else {
      place += impl::sum_of_ends(
          runs, key, first, window, [&](int run) { return run < block; }, comp);
    }
  }
  return larger(0, smaller(place, cluster.num_items - 1));
}

// Returns a number that looks drawn at random, another one for each seed.
__device__ __forceinline__ std::uint32_t hash_of_place(int place, std::uint32_t seed) {
  std::uint32_t const drawn = (static_cast<std::uint32_t>(place) + seed) * 0x9e3779b1u;
  std::uint32_t const mixed = (drawn ^ drawn >> 15) * 0x85ebca77u;
  return mixed ^ mixed >> 13;
}

// Tells whether the places of all items of a cluster are those from 0 on, each once, by two sums of their hashes: it errs
// once in 2^64 times. All blocks have read by then what they found these places in. `index` is a place that each item has
// to itself, and is_item says whether the thread has one. Called by all threads of the cluster, whose blocks have made
// their barriers ready.
template <class Storage>
__device__ __forceinline__ bool are_all_places(Storage& shared, int place, int index, bool is_item) {
  unsigned const lane = simt::lane();
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    std::uint32_t const seed = k == 0 ? 1 : 0x9e3779b9u;
    std::uint32_t const excess = is_item ? impl::hash_of_place(place, seed) - impl::hash_of_place(index, seed) : 0;
    std::uint32_t const sum = simt::sum_of_warp(excess);
    if (lane == 0) static_cast<void>(simt::add_shared(shared.excess[k], sum));
  }
  simt::sync_block();
  unsigned const thread = simt::thread_rank();
  unsigned const blocks = simt::blocks_per_cluster();
  if (thread < 2 * blocks) {  // a block has 32 threads at least
    simt::store_async_of_loaded(shared.excesses[thread % 2][simt::cluster_rank()], shared.excess[thread % 2],
                                shared.arrival, thread / 2);
  }
  simt::mbarrier_wait_in_cluster(shared.arrival, 0);
  return simt::sum_of_warp(lane < blocks ? shared.excesses[0][lane] : 0) == 0 &&
         simt::sum_of_warp(lane < blocks ? shared.excesses[1][lane] : 0) == 0;
}

// Sorts as the kernel says.
template <class Tuning, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
__device__ __forceinline__ void sort_in_cluster(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out,
                                                ValuesOut values_out, int num_items, Comp& comp) {
  using Key = iterator_value_t<KeysIn>;
  using Value = iterator_value_t<ValuesIn>;
  using memory = merge_cluster<Tuning, Key, Value>;
  using storage = typename memory::template storage<current_arch()>;
  using storage_of_cluster = typename memory::template storage_of_cluster<current_arch()>;
  auto const thread = static_cast<int>(simt::thread_rank());
  auto const blocks = static_cast<int>(simt::blocks_per_cluster());
  storage& shared = blocks > 1 ? simt::shared<storage_of_cluster>().block : simt::shared<storage>();
  typename memory::template run<current_arch()> const run(shared, keys_in, values_in, num_items, comp);
  uninitialized_array<Value, 1> value;
  if constexpr (has_values<Value>) {
    if (run.has_item()) value[0] = run.value();
  }
  int place = run.begin() + thread;
  if constexpr (std::is_same_v<KeysOut, Key*>) {
    if (blocks > 1) {
      auto& of_cluster = simt::shared<storage_of_cluster>();
      int const stride = static_cast<int>(simt::threads_per_block()) + storage_of_cluster::gap;
      auto const block = static_cast<int>(simt::cluster_rank());
      int const most = run.max_items();
      cluster_of_runs const cluster{blocks, block, most, num_items, stride};
      if (run.has_item()) keys_out[place] = run.key();
      if (thread < 2) of_cluster.excess[thread] = 0;
      if (thread == 0) {
        simt::mbarrier_init(of_cluster.arrival, 1);
        simt::mbarrier_init_fence();
      }
      simt::arrive_cluster();
      simt::wait_cluster();
      if (thread == 0) {  // words may have come by then; right after the init racecheck takes this arrival for a race
        simt::mbarrier_arrive_expecting(of_cluster.arrival,
                                        sizeof(of_cluster.excess) * static_cast<unsigned>(blocks));
      }
#pragma unroll 8
      for (int other = 0; other < blocks; ++other) {
        int const i = smaller(thread, cluster.items_of(other) - 1);
        of_cluster.runs[other * stride + thread] = word_of_key<Key>::of(keys_out[other * most + i]);
      }
      simt::sync_block();
      int const found = impl::place_in_cluster<Key>(of_cluster.runs, run.key(), cluster, comp);
      if (impl::are_all_places(of_cluster, found, place, run.has_item())) place = found;
    }
  }
  if (!run.has_item()) return;
  *(keys_out + std::int64_t{place}) = run.key();
  if constexpr (has_values<Value>) *(values_out + std::int64_t{place}) = value[0];
}

}  // namespace impl

// Sorts num_items items from the input to the output, a thread an item. The grid is one block, or one cluster of 4, 8 or
// 16, which reads its keys back from the output. Input and output may be the same range. By a comparator that is no order
// the items are still all there.
template <class Tuning, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
__global__ void __launch_bounds__(Tuning::at(current_arch()).max_threads_per_block, 1)
    merge_cluster_kernel(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                         std::uint32_t num_items, Comp comp) {
  constexpr merge_cluster_tuning tuning = Tuning::at(current_arch());
  static_assert(tuning.is_valid(), "mgpu: a tuning of the merge sort by a cluster is not possible");
  // The kernel is never launched where its tuning ranks no items, so that nothing is compiled then.
  if constexpr (tuning.max_ranked_items > 0) {
    impl::sort_in_cluster<Tuning>(keys_in, values_in, keys_out, values_out, static_cast<int>(num_items), comp);
  }
}

}  // namespace mgpu::detail
