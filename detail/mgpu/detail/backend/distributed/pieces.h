// Pieces of sorted runs: where they begin in the memory of the rank that sends them, and where they arrive, one behind the
// other.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
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

// This tells where a piece of a column arrives: [begin, begin + count) of the sender's column goes to `memory`. What was
// asked for is at the end of that.
template <class T>
struct arriving_piece {
  int from;
  std::int64_t begin;
  std::int64_t count;
  column<T> memory;
  column<T> items;  // what was asked for

  std::size_t bytes() const { return static_cast<std::size_t>(count) * sizeof(T); }
  // Returns where the next piece may arrive.
  column<T> end() const { return memory + divide_up(count, piece_grid<T>::step) * piece_grid<T>::step; }
};

// Lays the pieces of one column out, one behind the other from `memory` on; grids[r] is that of rank r.
template <class T>
std::vector<arriving_piece<T>> lay_out_pieces(std::vector<run_piece> const& pieces,
                                              std::vector<piece_grid<T>> const& grids, column<T> memory) {
  std::vector<arriving_piece<T>> arriving;
  for (run_piece const& piece : pieces) {
    std::int64_t const begin = grids[static_cast<std::size_t>(piece.from)].begin_of(piece.begin);
    std::int64_t const count = piece.begin + piece.count - begin;
    arriving.push_back({piece.from, begin, count, memory, memory + (piece.begin - begin)});
    memory = arriving.back().end();
  }
  return arriving;
}

}  // namespace mgpu::detail
