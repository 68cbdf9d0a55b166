// Splitters of buckets lie in shared memory as a tree, beside buckets of equal keys: Sanders, Winkel, ESA 2004.
#pragma once
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Splitters 1, 2 and so on, in order, begin the buckets after the first. They lie in shared memory as a tree: node 1
// is the middle one, and below node i are nodes 2 i and 2 i + 1. So steps of a search find their nodes by the result
// of the one before alone, and the first steps of all lanes read few words.
//
// There are 2^min_bits to 2^max_bits buckets; all functions are told how many.
template <class Key, int min_bits, int max_bits>
struct splitter_tree {
  static constexpr int max_buckets = 1 << max_bits;
  uninitialized_array<Key, max_buckets> nodes;  // from node 1 on
  // A splitter has a bit if its key is equal to that of the one before. Between these two is a bucket that no search
  // ends in: keys that are equal to them go there, so that none has to be compared again.
  std::uint32_t repeats[divide_up(max_buckets, threads_per_warp)];
  std::uint32_t has_repeats;

  static __device__ __forceinline__ int node_of(int splitter, int num_buckets) {
    int const lowest_bit = threads_per_warp - 1 - simt::leading_zeros(static_cast<unsigned>(splitter & -splitter));
    return (num_buckets + splitter) >> (lowest_bit + 1);
  }

  // Loads the splitters; splitter(i) reads one from global memory. If has_first, splitter 0 is there, too: no key
  // comes before it. Called by all threads; has a barrier and owes one.
  template <int threads_per_block, class Splitter, class Comp>
  __device__ __forceinline__ void load(Splitter splitter, int num_buckets, bool has_first, Comp& comp) {
    auto const thread = static_cast<int>(simt::thread_rank());
    if (thread == 0) has_repeats = 0;
    simt::sync_block();
#pragma unroll 1
    for (int first = thread - static_cast<int>(simt::lane()); first < num_buckets; first += threads_per_block) {
      int const i = first + static_cast<int>(simt::lane());
      bool is_repeat = false;
      if (i > 0 && i < num_buckets) {
        Key const key = splitter(i);
        nodes[node_of(i, num_buckets)] = key;
        is_repeat = (i > 1 || has_first) && !comp(splitter(i - 1), key);
      }
      std::uint32_t const bits_of_warp = simt::ballot(simt::full_mask, is_repeat);
      if (simt::lane() == 0) {
        repeats[first / threads_per_warp] = bits_of_warp;
        if (bits_of_warp != 0) simt::or_shared(has_repeats, 1u);
      }
    }
  }

  // Sets buckets[k] to the bucket of keys[k]: so many splitters are not behind it, or one less where it has a bucket
  // of equal keys.
  template <int count, class Comp>
  __device__ __forceinline__ void find(Key const (&keys)[count], int (&buckets)[count], int num_buckets,
                                       Comp& comp) const {
    // A node is found by its place in bytes, as a step takes four instructions then, and six by its number.
    constexpr int size = sizeof(Key);
    auto const* const bytes = reinterpret_cast<unsigned char const*>(cuda::std::addressof(nodes[0]));
    int places[count];
#pragma unroll
    for (int k = 0; k < count; ++k) places[k] = size;
#pragma unroll
    for (int step = 0; step < max_bits; ++step) {
      if (step >= min_bits && num_buckets >> step == 1) break;
      uninitialized_array<Key, count> splitters;
#pragma unroll
      for (int k = 0; k < count; ++k) splitters[k] = *reinterpret_cast<Key const*>(bytes + places[k]);
#pragma unroll
      for (int k = 0; k < count; ++k) {
        places[k] *= 2;
        if (!comp(keys[k], splitters[k])) places[k] += size;
      }
    }
#pragma unroll
    for (int k = 0; k < count; ++k) buckets[k] = places[k] / size - num_buckets;
    if (has_repeats == 0) return;
#pragma unroll
    for (int k = 0; k < count; ++k) {
      int const last = buckets[k];
      bool const is_repeat = (repeats[last / threads_per_warp] >> last % threads_per_warp & 1) != 0;
      if (is_repeat && !comp(nodes[node_of(last, num_buckets)], keys[k])) --buckets[k];
    }
  }
};

}  // namespace mgpu::detail
