// The pieces of a sorted run go from rank to rank, and lie one behind the other where they arrive.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace mgpu::detail {

// NCCL moves a piece that begins at a multiple of 128 bytes by half as much again in a second as any other. So each
// begins at or before its first item, at such a place of the sender's memory, and the receiver passes over what it
// did not ask for. This tells for a column of T where those places are.
template <class T>
struct piece_grid {
  static constexpr std::int64_t alignment = 128;  // bytes
  static constexpr std::int64_t step = alignment / std::gcd(alignment, static_cast<std::int64_t>(sizeof(T)));
  std::int64_t first;  // the first item at such a place, or 0 if there is none

  static piece_grid of(T const* column) {
    auto const address = reinterpret_cast<std::uintptr_t>(column);
    for (std::int64_t i = 0; i < step; ++i) {
      if ((address + static_cast<std::uintptr_t>(i) * sizeof(T)) % alignment == 0) return {i};
    }
    return {0};
  }
  static piece_grid of(no_values) { return {0}; }

  // Returns where a piece begins that has `item` for its first item.
  std::int64_t begin_of(std::int64_t item) const { return item < first ? 0 : item - (item - first) % step; }
};

// A part of the run of a rank.
struct run_piece {
  int from;
  std::int64_t begin;
  std::int64_t count;
};

// Returns how many items of T a column needs room for, into which pieces of num_items items from num_ranks ranks are
// received.
template <class T>
std::int64_t received_items(std::int64_t num_items, int num_ranks) {
  return num_items + 2 * num_ranks * piece_grid<T>::step;
}

// Lets the pieces of one column arrive in `memory`, one of them from this rank's own `run`, by a copy on the other
// stream; grids[r] is that of rank r. Called within an exchange. Returns where the items of each piece begin.
template <class T>
std::vector<column<T>> receive_pieces(distributed_call const& ranks, std::vector<run_piece> const& pieces,
                                      std::vector<piece_grid<T>> const& grids, column<T> run, column<T> memory,
                                      [[maybe_unused]] cudaStream_t copies) {
  std::vector<column<T>> begins;
  for (run_piece const& piece : pieces) {
    if constexpr (has_values<T>) {
      std::int64_t const begin = grids[static_cast<std::size_t>(piece.from)].begin_of(piece.begin);
      std::int64_t const num_items = piece.begin + piece.count - begin;
      std::size_t const bytes = static_cast<std::size_t>(num_items) * sizeof(T);
      if (piece.from == ranks.rank()) {
        detail::check(cudaMemcpyAsync(static_cast<void*>(memory), run + begin, bytes, cudaMemcpyDefault, copies),
                      ranks.local().name(), "cudaMemcpyAsync");
      } else {
        ranks.receive(memory, bytes, piece.from);
      }
      begins.push_back(memory + (piece.begin - begin));
      memory += divide_up(num_items, piece_grid<T>::step) * piece_grid<T>::step;
    } else {
      begins.push_back(memory);
    }
  }
  return begins;
}

// Sends `count` items of this rank's run, from `first` on, to another rank. Called within an exchange.
template <class T>
void send_piece(distributed_call const& ranks, piece_grid<T> const& grid, column<T> run, std::int64_t first,
                std::int64_t count, int to) {
  if constexpr (has_values<T>) {
    std::int64_t const begin = grid.begin_of(first);
    ranks.send(run + begin, static_cast<std::size_t>(first + count - begin) * sizeof(T), to);
  }
}

}  // namespace mgpu::detail
