// One block puts the items of a tile into buckets: each item takes a position in its bucket, in any order, by one
// atomic increment. Where no bucket holds many items, comparing these with each other is the shortest way to order
// them.
#pragma once
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// A thread has a power of two of buckets: as many as it may have, or half of them for few items. The functions are
// called in the order in which they stand here: clear() and open() by all threads, count(), take() and places() by the
// thread that has an item.
template <int threads_per_block, int max_buckets>
struct block_buckets {
  static constexpr int max_bits_per_thread =
      larger(1, bit_width(static_cast<std::uint32_t>(divide_up(max_buckets, threads_per_block) - 1)));
  static constexpr int max_per_thread = 1 << max_bits_per_thread;
  static constexpr int bits_of_threads = bit_width(static_cast<std::uint32_t>(threads_per_block)) - 1;
  // A bucket has many items if it has more than this; then comparing them with each other takes too long.
  static constexpr std::uint32_t many = 48;

  struct temp_storage {
    // Each word belongs to a bucket: it is first how many items the bucket has, then the bucket's next free position,
    // and when all are taken, where the next bucket begins. The neighbouring buckets of a thread lie apart, so that
    // neighbouring threads read neighbouring words.
    std::uint32_t buckets[max_per_thread][threads_per_block];
    std::uint32_t warps[threads_per_block / threads_per_warp];
    std::uint32_t any_is_full;
  };
  struct range {
    int begin;
    int end;
  };

  explicit __device__ __forceinline__ block_buckets(temp_storage& temp, int num_items) : temp_(temp) {
    bool const are_few = num_items <= threads_per_block * max_per_thread / 2;
    bits_per_thread_ = are_few ? max_bits_per_thread - 1 : max_bits_per_thread;
  }

  // Returns by how many bits buckets are told apart.
  __device__ __forceinline__ int bits() const { return bits_of_threads + bits_per_thread_; }

  // Sets all counts to zero. A barrier is owed before count().
  __device__ __forceinline__ void clear() const {
    for_each([&](std::uint32_t& bucket, int) { bucket = 0; });
    if (simt::thread_rank() == 0) temp_.any_is_full = 0;
  }

  // Counts an item. A barrier is owed before open().
  __device__ __forceinline__ void count(std::uint32_t bucket) const { simt::add_shared(at(bucket), 1u); }

  // Gives each bucket its range of positions, one bucket behind the other, once all items are counted. Returns false
  // if a bucket has many items. Called by all threads; the last thing in it is a barrier.
  __device__ __forceinline__ bool open() const {
    std::uint32_t counts[max_per_thread];
    std::uint32_t mine = 0;
    for_each([&](std::uint32_t const& bucket, int b) {
      counts[b] = bucket;
      mine += bucket;
      if (bucket > many) simt::or_shared(temp_.any_is_full, 1u);
    });
    std::uint32_t start = detail::block_exclusive_scan(mine, temp_.warps);
    bool const is_even = temp_.any_is_full == 0;
    for_each([&](std::uint32_t& bucket, int b) {
      bucket = start;
      start += counts[b];
    });
    simt::sync_block();
    return is_even;
  }

  // Returns a position for an item, in its bucket's range. A barrier is owed before places().
  __device__ __forceinline__ int take(std::uint32_t bucket) const {
    return static_cast<int>(simt::add_shared(at(bucket), 1u));
  }

  // Returns the range of positions of a bucket, once all items have theirs.
  __device__ __forceinline__ range places(std::uint32_t bucket) const {
    return {bucket == 0 ? 0 : static_cast<int>(at(bucket - 1)), static_cast<int>(at(bucket))};
  }

 private:
  __device__ __forceinline__ std::uint32_t& at(std::uint32_t bucket) const {
    return temp_.buckets[bucket & ((1u << bits_per_thread_) - 1)][bucket >> bits_per_thread_];
  }

  // Calls f(bucket, b) for the words of this thread's buckets.
  template <class F>
  __device__ __forceinline__ void for_each(F f) const {
    constexpr int half = max_per_thread / 2;
#pragma unroll
    for (int b = 0; b < half; ++b) f(temp_.buckets[b][simt::thread_rank()], b);
    if (bits_per_thread_ < max_bits_per_thread) return;
#pragma unroll
    for (int b = half; b < max_per_thread; ++b) f(temp_.buckets[b][simt::thread_rank()], b);
  }

  temp_storage& temp_;
  int bits_per_thread_;
};

}  // namespace mgpu::detail
