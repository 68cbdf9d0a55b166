// The blocks of a launch that has more tiles than blocks share the tiles out among them.
#pragma once
#include <mgpu/detail/grid/dynamic_tile.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Calls f(tile, take_next) for each tile that the block takes, with all threads, to which it brings the numbers through
// `shared`. f calls take_next() once: that takes some time, during which nobody waits, and a register until f ends. A
// barrier follows each call of f, so that f may use shared memory anew. The ticket is zero before the launch. There are
// fewer than 2^32 tiles and blocks.
template <class F>
__device__ __forceinline__ void for_each_taken_tile(std::uint64_t& ticket, std::uint32_t num_tiles,
                                                    std::uint32_t& shared, F f) {
  for (std::uint32_t tile = simt::block_rank(); tile < num_tiles;) {
    std::uint32_t next = 0;
    f(tile, [&] {
      if (simt::thread_rank() == 0)
        next = simt::block_count() + static_cast<std::uint32_t>(detail::take_tile(ticket));
    });
    simt::sync_block();
    if (simt::thread_rank() == 0) shared = next;
    simt::sync_block();
    tile = shared;
  }
}

// Calls f(tile) likewise, and takes the next tile before.
template <class F>
__device__ __forceinline__ void for_each_tile(std::uint64_t& ticket, std::uint32_t num_tiles, std::uint32_t& shared,
                                              F f) {
  detail::for_each_taken_tile(ticket, num_tiles, shared, [&](std::uint32_t tile, auto take_next) {
    take_next();
    f(tile);
  });
}

}  // namespace mgpu::detail
