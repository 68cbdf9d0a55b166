// One block starts asynchronous copies from global to shared memory.
#pragma once
#include <mgpu/detail/block/copy_by_rows.cuh>
#include <mgpu/detail/simt/async_copy.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/start_copy.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Starts to copy `count` items to shared memory, by all threads, in pieces as large as the alignment allows. Items
// that such copies cannot take, or that are no plain memory, and before sm_80 all, come through registers. The caller
// waits for the copies, and then owes a barrier.
template <int threads_per_block, class Iterator, class T>
__device__ __forceinline__ void start_copies(simt::async_copies& copies, Iterator from, T* to_shared, int count) {
  if constexpr (!std::is_pointer_v<Iterator>) {
    for (int i = static_cast<int>(simt::thread_rank()); i < count; i += threads_per_block) to_shared[i] = *(from + i);
  } else if constexpr (!has_async_copies<T>()) {
    detail::copy_by_rows<threads_per_block>(from, to_shared, count);
  } else {
    auto const thread = static_cast<int>(simt::thread_rank_anew());
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
      in_pieces_of(std::integral_constant<int, async_piece_bytes<T>>{});
    }
  }
}

}  // namespace mgpu::detail
