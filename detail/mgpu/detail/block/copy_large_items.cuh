// One block copies items that are too large for registers, a few pieces of them at a time, or that copy themselves.
#pragma once
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/plain_item.h>
#include <mgpu/detail/core/vector_word.h>
#include <mgpu/detail/simt/simt.cuh>
#include <type_traits>

namespace mgpu::detail {

// Copies item(0) to item(valid - 1) to `out`, in pieces where they are plain and both sides plain memory. Called by all
// threads, no barrier.
template <class T, int threads_per_block, class Item, class Out>
__device__ __forceinline__ void copy_large_items(Item item, Out out, int valid) {
  using reference = decltype(item(0));  // it may be a proxy
  auto const thread = static_cast<int>(simt::thread_rank());
  constexpr bool is_item = std::is_lvalue_reference_v<reference> && std::is_same_v<std::decay_t<reference>, T>;
  if constexpr (is_plain<T> && is_item && std::is_same_v<Out, T*>) {
    using piece = vector_word_of<T>;
    constexpr int pieces = sizeof(T) / sizeof(piece);
    auto const pieces_of = [&](int i) { return reinterpret_cast<piece const*>(cuda::std::addressof(item(i))); };
    if constexpr (pieces >= 8 * threads_per_block) {  // all threads move one item: an int does not count all pieces
#pragma unroll 1
      for (int i = 0; i < valid; ++i) {
        auto const* const from = pieces_of(i);
        auto* const to = reinterpret_cast<piece*>(out + i);
#pragma unroll 4
        for (int at = thread; at < pieces; at += threads_per_block) to[at] = from[at];
      }
    } else {
#pragma unroll 4
      for (int at = thread; at < valid * pieces; at += threads_per_block) {
        reinterpret_cast<piece*>(out + at / pieces)[at % pieces] = pieces_of(at / pieces)[at % pieces];
      }
    }
  } else {
    // An item is not copied before it is assigned, unless it was computed; its move assignment may be the host's alone.
    using operand = std::conditional_t<is_item, T const&, T const>;
#pragma unroll 1
    for (int position = thread; position < valid; position += threads_per_block) {
      operand moved = static_cast<operand>(item(position));
      *(out + position) = moved;
    }
  }
}

}  // namespace mgpu::detail
