// How a block takes the next tile of a launch that has more tiles than blocks: by a ticket in global memory, which is
// zero before the launch. Tiles are taken in order, whichever blocks run, so a tile's block may look back at those
// before it. All functions are called by one thread of a block.
#pragma once
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Returns the first tile that no block has taken yet, from 0 on, and takes it. Beyond the last tile it goes on: it is
// the caller's to compare.
__device__ __forceinline__ std::int64_t take_tile(std::uint64_t& ticket) {
  return static_cast<std::int64_t>(simt::add_relaxed<std::uint64_t>(ticket, 1));
}

// Returns the tile that the block works on after `round` others, or a negative number if none is left. Where there
// are no more tiles than blocks times static_rounds, a block's tiles follow from its rank, and the ticket, which may
// be null then, is not used; else only the first does.
__device__ __forceinline__ std::int64_t next_tile(std::uint64_t* ticket, std::int64_t num_tiles, int round,
                                                  int static_rounds) {
  std::int64_t const num_blocks = simt::block_count();
  bool const is_static = round == 0 || num_tiles <= num_blocks * static_rounds;
  std::int64_t const tile =
      is_static ? simt::block_rank() + round * num_blocks : num_blocks + detail::take_tile(*ticket);
  return tile < num_tiles ? tile : -1;
}

}  // namespace mgpu::detail
