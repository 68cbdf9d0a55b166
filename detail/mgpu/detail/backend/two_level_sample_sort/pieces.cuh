// A block copies pieces of items, which lie apart, to shared memory, one behind the other.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/simt/async_copy.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/start_copy.cuh>
#include <cstdint>

namespace mgpu::detail {

// The items of a piece stand from index `from` of their memory on, and go to index `to` of the tile.
struct item_piece {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t count;
};

// Returns what a tile takes of a piece: of all items that lie one behind the other the tile has those from `begin` to
// `end`, and the piece those from `offset` to `next`, the first of which has index `from` of the memory.
__device__ __forceinline__ item_piece piece_within(std::uint32_t begin, std::uint32_t end, std::uint32_t offset,
                                                   std::uint32_t next, std::uint32_t from) {
  std::uint32_t const piece_begin = larger(offset, begin);
  std::uint32_t const piece_end = smaller(next, end);
  if (piece_begin >= piece_end) return {};
  return {from + (piece_begin - offset), piece_begin - begin, piece_end - piece_begin};
}

// The pieces that a block copies.
template <int threads_per_block>
struct block_pieces {
  item_piece pieces[threads_per_block];
  std::uint32_t long_pieces[threads_per_block];
  std::uint32_t num_long_pieces;
};

// Starts to copy a piece of each thread, keys and values: some lanes of a warp a piece, or all threads the rest of a
// long one. Pieces of threads from `end` on are empty. Called by all threads of the block; has two barriers, and owes
// one.
template <std::uint32_t lanes_of_piece, int threads_per_block, class Key, class Values, class Value>
__device__ __forceinline__ void start_piece_copies(simt::async_copies& copies,
                                                   block_pieces<threads_per_block>& shared, item_piece const& mine,
                                                   int end, Key const* keys, Key* shared_keys, Values values,
                                                   [[maybe_unused]] Value* shared_values) {
  constexpr std::uint32_t longest = 16 * lanes_of_piece;  // what these lanes copy of a piece
  std::uint32_t const thread = simt::thread_rank();
  auto const copy = [&](item_piece const& piece, std::uint32_t first, std::uint32_t last, std::uint32_t apart) {
#pragma unroll 2
    for (std::uint32_t i = first; i < last; i += apart) {
      detail::start_copy(copies, keys + (piece.from + i), shared_keys + (piece.to + i));
      if constexpr (has_values<Value>) {
        detail::start_copy(copies, static_cast<Value const*>(values + (piece.from + i)),
                           shared_values + (piece.to + i));
      }
    }
  };
  if (thread == 0) shared.num_long_pieces = 0;
  simt::sync_block();
  shared.pieces[thread] = mine;
  if (mine.count > longest) shared.long_pieces[simt::add_shared(shared.num_long_pieces, 1u)] = thread;
  simt::sync_block();
#pragma unroll 1
  for (auto p = static_cast<int>(thread / lanes_of_piece); p < end; p += threads_per_block / lanes_of_piece) {
    item_piece const piece = shared.pieces[p];
    copy(piece, thread % lanes_of_piece, smaller(piece.count, longest), lanes_of_piece);
  }
#pragma unroll 1
  for (std::uint32_t l = 0; l < shared.num_long_pieces; ++l) {
    item_piece const piece = shared.pieces[shared.long_pieces[l]];
    copy(piece, longest + thread, piece.count, threads_per_block);
  }
}

}  // namespace mgpu::detail
