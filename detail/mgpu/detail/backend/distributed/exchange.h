// The pieces of a sorted run go from rank to rank, and lie one behind the other where they arrive.
#pragma once
#include <mgpu/detail/backend/distributed/copy_kernel.cuh>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/launch.h>
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

// Where a piece of a column arrives: [begin, begin + count) of the sender's column, which has what was asked for at its
// end, goes to `memory`.
template <class T>
struct arriving_piece {
  int from;
  std::int64_t begin;
  std::int64_t count;
  column<T> memory;
  column<T> items;  // what was asked for

  std::size_t bytes() const { return static_cast<std::size_t>(count) * sizeof(T); }
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
    memory = memory + divide_up(count, piece_grid<T>::step) * piece_grid<T>::step;
  }
  return arriving;
}

// Receives the pieces that come from other ranks. Called within an exchange.
template <class T>
void receive_pieces(distributed_call const& ranks, std::vector<arriving_piece<T>> const& arriving) {
  if constexpr (has_values<T>) {
    for (auto const& piece : arriving) {
      if (piece.from != ranks.rank()) ranks.receive(piece.memory, piece.bytes(), piece.from);
    }
  }
}

// Copies the piece that comes from this rank's own run, if there is one. `gently`, it takes few blocks, and about as
// long as half as much takes from GPU to GPU, which then loses nothing.
template <class T>
void copy_own_piece(device_call const& call, int rank, std::vector<arriving_piece<T>> const& arriving, column<T> run,
                    bool gently) {
  if constexpr (has_values<T>) {
    for (auto const& piece : arriving) {
      if (piece.from != rank) continue;
      void const* const from = run + piece.begin;
      void* const to = piece.memory;
      if (gently && (reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to)) % 16 == 0) {
        detail::launch(call, {copy_blocks, copy_threads}, copy_kernel<copy_words_per_thread>,
                       static_cast<unsigned char const*>(from), static_cast<unsigned char*>(to),
                       static_cast<std::int64_t>(piece.bytes()));
      } else {
        detail::check(cudaMemcpyAsync(to, from, piece.bytes(), cudaMemcpyDefault, call.stream()), call.name(),
                      "cudaMemcpyAsync");
      }
    }
  }
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
