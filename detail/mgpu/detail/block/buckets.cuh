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

// The functions are called in the order in which they stand here: clear() and open() by all threads, count(), take()
// and places() by the thread that has an item.
template <int threads_per_block, int tile_items>
struct block_buckets {
  static constexpr int bits = bit_width(static_cast<std::uint32_t>(divide_up(tile_items, 4) - 1));
  static constexpr int num_buckets = 1 << bits;
  static constexpr int buckets_per_thread = divide_up(num_buckets, threads_per_block);
  // A bucket has many items if it has more than this; then comparing them with each other takes too long.
  static constexpr std::uint32_t many = 48;

  struct temp_storage {
    // Each word belongs to a bucket: it is first how many items the bucket has, then the bucket's next free position,
    // and when all are taken, where the next bucket begins. The neighbouring buckets of a thread lie apart, so that
    // neighbouring threads read neighbouring words.
    std::uint32_t buckets[buckets_per_thread][threads_per_block];
    std::uint32_t warps[threads_per_block / threads_per_warp];
    std::uint32_t any_is_full;
  };
  struct range {
    int begin;
    int end;
  };

  // Sets all counts to zero. A barrier is owed before count().
  static __device__ __forceinline__ void clear(temp_storage& temp) {
    for_each(temp, [&](std::uint32_t& bucket, int) { bucket = 0; });
    if (simt::thread_rank() == 0) temp.any_is_full = 0;
  }

  // Counts an item. A barrier is owed before open().
  static __device__ __forceinline__ void count(temp_storage& temp, std::uint32_t bucket) {
    simt::add_shared(at(temp, bucket), 1u);
  }

  // Gives each bucket its range of positions, one bucket behind the other, once all items are counted. Returns false
  // if a bucket has many items. Called by all threads; the last thing in it is a barrier.
  static __device__ __forceinline__ bool open(temp_storage& temp) {
    std::uint32_t counts[buckets_per_thread];
    std::uint32_t mine = 0;
    for_each(temp, [&](std::uint32_t const& bucket, int b) {
      counts[b] = bucket;
      mine += bucket;
      if (bucket > many) simt::or_shared(temp.any_is_full, 1u);
    });
    std::uint32_t start = detail::block_exclusive_scan(mine, temp.warps);
    bool const is_even = temp.any_is_full == 0;
    for_each(temp, [&](std::uint32_t& bucket, int b) {
      bucket = start;
      start += counts[b];
    });
    simt::sync_block();
    return is_even;
  }

  // Returns a position for an item, in its bucket's range. A barrier is owed before places().
  static __device__ __forceinline__ int take(temp_storage& temp, std::uint32_t bucket) {
    return static_cast<int>(simt::add_shared(at(temp, bucket), 1u));
  }

  // Returns the range of positions of a bucket, once all items have theirs.
  static __device__ __forceinline__ range places(temp_storage& temp, std::uint32_t bucket) {
    return {bucket == 0 ? 0 : static_cast<int>(at(temp, bucket - 1)), static_cast<int>(at(temp, bucket))};
  }

 private:
  static __device__ __forceinline__ std::uint32_t& at(temp_storage& temp, std::uint32_t bucket) {
    return temp.buckets[bucket % buckets_per_thread][bucket / buckets_per_thread];
  }

  // Calls f(bucket, b) for the words of this thread's buckets.
  template <class F>
  static __device__ __forceinline__ void for_each(temp_storage& temp, F f) {
#pragma unroll
    for (int b = 0; b < buckets_per_thread; ++b) f(temp.buckets[b][simt::thread_rank()], b);
  }
};

}  // namespace mgpu::detail
