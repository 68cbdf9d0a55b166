// One block moves a tile between global memory, shared memory and registers.
//
// A tile is arranged over the threads of a block in one of two ways: striped, item i of thread t has index t + i *
// threads_per_block (which coalesced access wants); blocked, it has t * items_per_thread + i (which sorting and
// merging by a thread want). `valid` counts the items that exist; the others are neither read nor written. All
// functions are called by all threads of the block, and none has a barrier.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/async_copy.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Calls visit(i, position) for the striped positions of this thread that are valid. A full tile, whose last row may
// lack a part, is told apart once, so that its accesses carry no tests and can all be in flight together.
template <int threads_per_block, int items_per_thread, int full = threads_per_block* items_per_thread, class Visit>
__device__ __forceinline__ void for_each_striped(int valid, Visit visit) {
  static_assert(full > threads_per_block * (items_per_thread - 1) && full <= threads_per_block * items_per_thread);
  int const thread = static_cast<int>(simt::thread_rank());
  if (valid == full) {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if ((i + 1) * threads_per_block <= full || thread + i * threads_per_block < full) {
        visit(i, thread + i * threads_per_block);
      }
    }
  } else {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (thread + i * threads_per_block < valid) visit(i, thread + i * threads_per_block);
    }
  }
}

// Copies `valid` items, from an iterator or from shared memory to either, striped. All reads of a thread come before
// its writes. A barrier is owed before other threads read the target.
template <int threads_per_block, int items_per_thread, int full = threads_per_block* items_per_thread, class Source,
          class Target>
__device__ __forceinline__ void copy_striped(Source source, Target target, int valid) {
  uninitialized_array<iterator_value_t<Source>, items_per_thread> items;
  detail::for_each_striped<threads_per_block, items_per_thread, full>(
      valid, [&](int i, int position) { items[i] = *(source + position); });
  detail::for_each_striped<threads_per_block, items_per_thread, full>(
      valid, [&](int i, int position) { *(target + position) = items[i]; });
}

// Copies `valid` items from shared memory to an iterator, striped. The copy goes row after row, so that some warps
// read what others store, and few registers are held; a thread that has little reads all of it first, as then there
// are few tiles.
template <int threads_per_block, int items_per_thread, int full = threads_per_block* items_per_thread, class T,
          class Out>
__device__ __forceinline__ void store_striped(T const* shared, Out out, int valid) {
  if constexpr (items_per_thread <= 9 && sizeof(T) <= 8) {
    detail::copy_striped<threads_per_block, items_per_thread, full>(shared, out, valid);
  } else {
#pragma unroll 4
    for (int i = static_cast<int>(simt::thread_rank_anew()); i < valid; i += threads_per_block) {
      *(out + i) = shared[i];
    }
  }
}

// Starts to copy `count` items to shared memory, by all threads, in pieces as large as the alignment allows. Items
// that such copies cannot take, and before sm_80 all, come through registers. The caller waits for the copies, and
// then owes a barrier.
template <int threads_per_block, class T>
__device__ __forceinline__ void start_copies(simt::async_copies& copies, T const* from, T* to_shared, int count) {
  auto const thread = static_cast<int>(simt::thread_rank_anew());
  if constexpr (alignof(T) < 4 || current_arch() < 80) {
    constexpr int rows = 8;  // at once
#pragma unroll 1
    for (int at = thread; at < count; at += rows * threads_per_block) {
      uninitialized_array<T, rows> items;
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        if (at + i * threads_per_block < count) items[i] = from[at + i * threads_per_block];
      }
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        if (at + i * threads_per_block < count) to_shared[at + i * threads_per_block] = items[i];
      }
    }
  } else {
    constexpr int least = smaller(16, static_cast<int>(alignof(T)));
    int const bytes = count * static_cast<int>(sizeof(T));
    auto const* const source = reinterpret_cast<char const*>(from);
    auto* const target = reinterpret_cast<char*>(to_shared);
    auto const in_pieces_of = [&](auto piece) {
      constexpr int size = decltype(piece)::value;
      constexpr int row = threads_per_block * size;
      constexpr int rows = 4;  // at once
#pragma unroll 1
      for (int at = thread * size; at < bytes; at += rows * row) {
#pragma unroll
        for (int i = 0; i < rows; ++i) {
          if (at + i * row < bytes) copies.template start<size>(target + at + i * row, source + at + i * row);
        }
      }
    };
    if ((reinterpret_cast<std::uintptr_t>(source) | reinterpret_cast<std::uintptr_t>(target) | bytes) % 16 == 0) {
      in_pieces_of(std::integral_constant<int, 16>{});
    } else {
      in_pieces_of(std::integral_constant<int, least>{});
    }
  }
}

// Loads the tile, or the part of it that is valid, from shared memory to registers, blocked.
template <int items_per_thread, class T>
__device__ __forceinline__ void load_blocked(T const* shared, T (&items)[items_per_thread], int valid) {
  int const first = static_cast<int>(simt::thread_rank()) * items_per_thread;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (first + i < valid) items[i] = shared[first + i];
  }
}

// Stores registers to items first, first + 1 and so on of shared memory, as far as they are before `end`.
template <int items_per_thread, class T>
__device__ __forceinline__ void store_from(int first, T const (&items)[items_per_thread], T* shared, int end) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (first + i < end) shared[first + i] = items[i];
  }
}

// Stores the part of a tile that is valid from registers to shared memory, blocked.
template <int items_per_thread, class T>
__device__ __forceinline__ void store_blocked(T const (&items)[items_per_thread], T* shared, int valid) {
  detail::store_from(static_cast<int>(simt::thread_rank()) * items_per_thread, items, shared, valid);
}

// The source indices of a tile's items, in shared memory, 2 bytes each; nothing at all where Index is no_value.
template <class Index, int num_items>
struct index_array {
  static_assert(num_items <= 65536, "a place in a tile is kept in 16 bits");
  std::uint16_t places[num_items];

  __device__ __forceinline__ void put(int i, Index place) { places[i] = static_cast<std::uint16_t>(place); }
  __device__ __forceinline__ Index get(int i) const { return static_cast<Index>(places[i]); }
};
template <int num_items>
struct index_array<no_value, num_items> {
  __device__ __forceinline__ void put(int, no_value) {}
  __device__ __forceinline__ no_value get(int) const { return {}; }
};

// Stores a whole tile's indices from registers to the array, blocked.
template <int items_per_thread, class Index, int num_items>
__device__ __forceinline__ void store_blocked(Index const (&places)[items_per_thread],
                                              index_array<Index, num_items>& shared) {
  int const first = static_cast<int>(simt::thread_rank()) * items_per_thread;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) shared.put(first + i, places[i]);
}

// Stores indices from registers to items first, first + 1 and so on of the array, as far as they are before `end`.
template <int items_per_thread, class Index, int num_items>
__device__ __forceinline__ void store_from(int first, Index const (&places)[items_per_thread],
                                           index_array<Index, num_items>& shared, int end) {
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (first + i < end) shared.put(first + i, places[i]);
  }
}

}  // namespace mgpu::detail
