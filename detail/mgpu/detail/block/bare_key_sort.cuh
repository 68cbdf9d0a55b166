// One block sorts the bits of bare keys, and makes the keys of them: it puts the bits into many bins by the highest ones,
// then lets neighbours change places until each bin is in order. Numbers of other kinds it puts in order likewise.
#pragma once
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/block/striped_tested.cuh>
#include <mgpu/detail/block/or_of_bits.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/number_range.h>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/packed_numbers.cuh>
#include <mgpu/detail/warp/transposition_sort.cuh>
#include <cstdint>

namespace mgpu::detail {

// The shared memory of such a block.
template <class Bits, int num_threads, int num_items_per_thread, int num_bin_bits>
struct bare_key_storage {
  using bits_type = Bits;
  static constexpr int threads_per_block = num_threads;
  static constexpr int items_per_thread = num_items_per_thread;
  static constexpr int tile_items = threads_per_block * items_per_thread;
  static constexpr int bin_bits = num_bin_bits;
  static constexpr int words_per_thread = divide_up(1 << bin_bits, 2 * threads_per_block);
  // The words of a thread, of two bins each: first how many keys a bin has, then where its keys begin.
  struct alignas(words_per_thread % 4 == 0 ? 16 : 4) bins_of_thread {
    std::uint32_t words[words_per_thread];
  };
  union {
    bins_of_thread bins[threads_per_block];
    std::uint32_t words[threads_per_block * words_per_thread];
    std::uint16_t starts[threads_per_block * words_per_thread * 2];
  };
  static constexpr int bytes_of_thread = items_per_thread * static_cast<int>(sizeof(Bits));
  struct alignas(smaller(16, bytes_of_thread & -bytes_of_thread)) keys_of_thread {
    Bits bits[items_per_thread];
  };
  union {
    keys_of_thread keys_of_threads[threads_per_block];
    Bits keys[tile_items];
  };
  std::uint32_t warps[threads_per_block / threads_per_warp];
  Bits differing[threads_per_block / threads_per_warp];
  std::uint32_t largest[threads_per_block / threads_per_warp];
};

namespace impl {

template <class Storage>
class bare_key_sort {
  using Bits = typename Storage::bits_type;
  static constexpr int threads = Storage::threads_per_block;
  static constexpr int items_per_thread = Storage::items_per_thread;
  static constexpr std::uint32_t low_mask = 0xffff;
  // Neighbours change places as often as the largest bin has keys, and beyond this another sort is faster.
  static constexpr std::uint32_t most_of_bin = smaller(48, threads_per_warp* items_per_thread / 2);

 public:
  template <class BitsAt>
  static __device__ __forceinline__ bool run(Storage& shared, BitsAt bits_at, Bits first, int num_items,
                                             number_range<Bits> range) {
    int const thread = static_cast<int>(simt::thread_rank());
    clear(shared);
    uninitialized_array<Bits, items_per_thread> bits;
    Bits differing = 0;
    detail::for_each_striped_tested<threads, items_per_thread>(num_items, [&](int i, int at) {
      bits[i] = bits_at(at);
      differing |= bits[i] ^ first;
    });
    differing = detail::block_or_of_bits(differing, shared.differing);
    int const differing_width = detail::width_of_bits(differing);
    if (differing_width <= range.width) {
      range = {static_cast<Bits>(first & ~detail::bits_below<Bits>(differing_width)), differing_width};
    }
    int const width = range.width;
    Bits const lowest = range.lowest;
    // The keys of a bin are equal if bins are told apart by all bits in which keys differ.
    int const lowest_bit =
        differing == 0 ? 0 : detail::width_of_bits(static_cast<Bits>(differing & (~differing + 1))) - 1;
    bool const bins_are_equal = width - lowest_bit <= Storage::bin_bits;
    int const shift = bins_are_equal ? lowest_bit : width - Storage::bin_bits;
    auto const bin_of = [&](Bits key) {
      return static_cast<std::uint32_t>(static_cast<Bits>(key - lowest) >> shift);
    };
    // A rank tells how many keys came into the bin before. Where one has more than 8 bits, none is used.
    packed_numbers<items_per_thread, 8> ranks;
    std::uint32_t largest = 0;
    detail::for_each_striped_tested<threads, items_per_thread>(num_items, [&](int i, int) {
      std::uint32_t const rank = add(shared, bin_of(bits[i]));
      largest = larger(largest, rank);
      ranks.set(i, rank);
    });
    largest = simt::maximum_of_warp(largest);
    if (simt::lane() == 0) shared.largest[simt::warp()] = largest;
    simt::sync_block();

    largest = simt::maximum_of_warp(simt::lane() < threads / threads_per_warp ? shared.largest[simt::lane()] : 0);
    if (largest >= most_of_bin && !bins_are_equal) {
      simt::sync_block();
      return false;
    }

    open(shared);
    if (bins_are_equal) {
      // A bin may have more keys than ranks tell.
#pragma unroll 1
      for (int at = static_cast<int>(simt::thread_rank_anew()); at < num_items; at += threads) {
        Bits const key = bits_at(at);
        shared.keys[add(shared, bin_of(key))] = key;
      }
    } else {
      detail::for_each_striped_tested<threads, items_per_thread>(
          num_items, [&](int i, int) { shared.keys[shared.starts[bin_of(bits[i])] + ranks[i]] = bits[i]; });
    }
    simt::sync_block();

    constexpr int warp_items = threads_per_warp * items_per_thread;
    int const begin = thread * items_per_thread;
    bool const is_to_be_ordered = largest > 0 && !bins_are_equal;
    if (is_to_be_ordered && static_cast<int>(simt::warp()) * warp_items < num_items) {
      auto mine = shared.keys_of_threads[thread];
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        if (begin + i >= num_items) mine.bits[i] = static_cast<Bits>(~Bits{0});
      }
      detail::warp_transposition_sort(mine.bits, static_cast<int>(largest) + 1);
      shared.keys_of_threads[thread] = mine;
    }
    if (is_to_be_ordered) {
      simt::sync_block();
      if (simt::lane() == 0 && thread > 0) join(shared, begin, num_items);
    }
    return true;
  }

 private:
  static __device__ __forceinline__ void clear(Storage& shared) {
    typename Storage::bins_of_thread none;
#pragma unroll
    for (std::uint32_t& word : none.words) word = 0;
    shared.bins[simt::thread_rank()] = none;
  }

  // Adds one to what the bin's half of a word holds, and returns what it was.
  static __device__ __forceinline__ std::uint32_t add(Storage& shared, std::uint32_t bin) {
    std::uint32_t const shift = bin % 2 * 16;
    return simt::add_shared(shared.words[bin / 2], 1u << shift) >> shift & low_mask;
  }

  // Turns counts into starts. The last thing in it is a barrier.
  static __device__ __forceinline__ void open(Storage& shared) {
    typename Storage::bins_of_thread mine = shared.bins[simt::thread_rank()];
    std::uint32_t both = 0;  // the sums of lower and of upper halves
#pragma unroll
    for (std::uint32_t const word : mine.words) both += word;
    std::uint32_t start = detail::block_exclusive_scan((both & low_mask) + (both >> 16), shared.warps);
#pragma unroll
    for (std::uint32_t& word : mine.words) {
      std::uint32_t const counts = word;
      std::uint32_t const middle = start + (counts & low_mask);
      word = start | middle << 16;
      start = middle + (counts >> 16);
    }
    shared.bins[simt::thread_rank()] = mine;
    simt::sync_block();
  }

  // Orders the bin that begins in another warp's keys and ends in this one's: both parts of it are in order.
  static __device__ __forceinline__ void join(Storage& shared, int begin, int num_items) {
    for (int i = begin; i < num_items && shared.keys[i] < shared.keys[i - 1]; ++i) {
      Bits const key = shared.keys[i];
      int at = i;
      do {
        shared.keys[at] = shared.keys[at - 1];
        --at;
      } while (at > 0 && key < shared.keys[at - 1]);
      shared.keys[at] = key;
    }
  }
};

}  // namespace impl

// Puts the numbers bits_at(0) to bits_at(num_items - 1) in order, in shared.keys, and returns true, or returns false where
// a bin gets too many numbers. `first` is the number 0; a place may be asked for twice. Called by all threads of a
// block; a barrier is owed before the shared memory is used again.
template <class Storage, class BitsAt>
__device__ __forceinline__ bool block_order_numbers(Storage& shared, BitsAt bits_at,
                                                    typename Storage::bits_type first, int num_items,
                                                    number_range<typename Storage::bits_type> range = {}) {
  return impl::bare_key_sort<Storage>::run(shared, bits_at, first, num_items, range);
}

// Sorts num_items numbers and makes keys of them, and returns true, or returns false, having written nothing, where a bin
// gets too many numbers. There is at least one. Input and output may be the same memory, as all is read before a key is
// written. Called by all threads of a block; a barrier is owed before the shared memory is used again.
template <class Storage, class Key, class MakeKey>
__device__ __forceinline__ bool block_bare_key_sort(Storage& shared, typename Storage::bits_type const* in, Key* out,
                                                    int num_items, MakeKey make_key,
                                                    number_range<typename Storage::bits_type> range = {}) {
  auto const bits_at = [&](int at) { return in[at]; };
  if (!detail::block_order_numbers(shared, bits_at, *in, num_items, range)) return false;
  simt::sync_block();
  detail::for_each_striped_tested<Storage::threads_per_block, Storage::items_per_thread>(
      num_items, [&](int, int at) { out[at] = make_key(shared.keys[at]); });
  return true;
}

}  // namespace mgpu::detail
