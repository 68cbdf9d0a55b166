// One block moves a tile between global and shared memory, striped: item i of thread t has index t + i *
// threads_per_block, which coalesced access wants. `valid` counts the items that exist; the others are neither read
// nor written. All functions are called by all threads of the block, and none has a barrier.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/simt/simt.cuh>

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

// Copies item(0) to item(valid - 1) to an iterator or to shared memory, striped. All reads of a thread come before its
// writes. A barrier is owed before other threads read the target.
template <class T, int threads_per_block, int items_per_thread, int full, class Item, class Target>
__device__ __forceinline__ void copy_items_striped(Item item, Target target, int valid) {
  uninitialized_array<T, items_per_thread> items;
  detail::for_each_striped<threads_per_block, items_per_thread, full>(
      valid, [&](int i, int position) { items[i] = item(position); });
  detail::for_each_striped<threads_per_block, items_per_thread, full>(
      valid, [&](int i, int position) { *(target + position) = items[i]; });
}

// Copies `valid` items from an iterator or from shared memory, as copy_items_striped does.
template <int threads_per_block, int items_per_thread, int full = threads_per_block* items_per_thread, class Source,
          class Target>
__device__ __forceinline__ void copy_striped(Source source, Target target, int valid) {
  detail::copy_items_striped<iterator_value_t<Source>, threads_per_block, items_per_thread, full>(
      [&](int i) -> decltype(auto) { return *(source + i); }, target, valid);
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

}  // namespace mgpu::detail
