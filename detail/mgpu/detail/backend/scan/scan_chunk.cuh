// What one warp does with its chunk of a tile: load, reduce, scan, store. A lane's items are blocked; in global
// memory, and on the way there, they are striped.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/atomic.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/grid/look_back.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cstdint>
#include <cstring>

namespace mgpu::detail {

// What is to be scanned. There is at least one item.
template <class T, class In, class Out, class Total, class Init>
struct scan_problem {
  In in;
  Out out;
  Total total;  // where op over the init and all items goes
  std::int64_t num_items;
  std::int64_t num_tiles;
  Init init;                      // no_value: the first item has nothing before it
  tile_aggregates<T> aggregates;  // both zero before the launch; unused, and null, where there is one tile
  std::uint64_t* ticket;

  // A block's first tile is that of its number, the others are handed out in order. Negative: none left. Nothing rests
  // on earlier tiles having been started, since look_back supplies what they do not.
  __device__ __forceinline__ std::int64_t next_tile(bool first) const {
    std::int64_t tile = simt::block_rank();
    if (!first) {
      if (num_tiles <= simt::block_count()) return -1;
      tile = simt::block_count() + static_cast<std::int64_t>(simt::add_relaxed<std::uint64_t>(*ticket, 1));
    }
    return tile < num_tiles ? tile : -1;
  }

  __device__ __forceinline__ bool has_prefix(std::int64_t tile) const { return has_values<Init> || tile > 0; }
};

template <class T, int items_per_thread>
struct scan_chunk {
  static constexpr int num_items = threads_per_warp * items_per_thread;

  // Global memory to `staged`. Behind the end of the input come copies of its last item: they follow all others, so
  // no result that is used has seen them.
  template <class In>
  static __device__ __forceinline__ void load(In in, std::int64_t begin, std::int64_t end, T* staged) {
    int const lane = static_cast<int>(simt::lane());
    uninitialized_array<T, items_per_thread> items;
    if (begin + num_items <= end) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) items[i] = *(in + (begin + i * threads_per_warp + lane));
    } else {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        std::int64_t const place = begin + i * threads_per_warp + lane;
        items[i] = *(in + (place < end ? place : end - 1));
      }
    }
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) staged[i * threads_per_warp + lane] = items[i];
  }

  template <class Out>
  static __device__ __forceinline__ void store_striped(Out out, std::int64_t begin, std::int64_t end,
                                                       T (&items)[items_per_thread]) {
    int const lane = static_cast<int>(simt::lane());
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      std::int64_t const place = begin + i * threads_per_warp + lane;
      if (begin + num_items <= end || place < end) *(out + place) = items[i];
    }
  }

  static __device__ __forceinline__ void read_striped(T const* staged, T (&items)[items_per_thread]) {
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) items[i] = staged[i * threads_per_warp + simt::lane()];
  }

  // The lane's own items, in pieces of 16 bytes where they come in such.
  static __device__ __forceinline__ void read_lane(T const* staged, T (&items)[items_per_thread]) {
    T const* const mine = staged + simt::lane() * items_per_thread;
    if constexpr (piecewise) {
#pragma unroll
      for (int i = 0; i < items_per_thread; i += items_per_piece) {
        memcpy(static_cast<void*>(items + i), __builtin_assume_aligned(mine + i, 16), 16);
      }
    } else {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) items[i] = mine[i];
    }
  }
  static __device__ __forceinline__ void write_lane(T* staged, T const (&items)[items_per_thread]) {
    T* const mine = staged + simt::lane() * items_per_thread;
    if constexpr (piecewise) {
#pragma unroll
      for (int i = 0; i < items_per_thread; i += items_per_piece) {
        memcpy(__builtin_assume_aligned(static_cast<void*>(mine + i), 16), items + i, 16);
      }
    } else {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) mine[i] = items[i];
    }
  }

  template <class Op>
  static __device__ __forceinline__ T reduce(T const (&items)[items_per_thread], Op& op) {
    T sum = items[0];
#pragma unroll
    for (int i = 1; i < items_per_thread; ++i) sum = op(sum, items[i]);
    return sum;
  }
  template <class Op>
  static __device__ __forceinline__ T reduce_lane(T const* staged, Op& op) {
    uninitialized_array<T, items_per_thread> items;
    read_lane(staged, items.items);
    return reduce(items.items, op);
  }

  // The aggregate of a whole tile straight from the input, to lane 0: by one warp, to the bit as the tile's own block
  // computes it.
  template <int warps, class In, class Op>
  static __device__ __forceinline__ T reduce_tile(In in, std::int64_t begin, Op& op) {
    unsigned const lane = simt::lane();
    uninitialized_array<T, 1> mine;
#pragma unroll 1
    for (int warp = 0; warp < warps; ++warp) {
      std::int64_t const first = begin + warp * num_items + lane * items_per_thread;
      T sum = *(in + first);
#pragma unroll 1
      for (int i = 1; i < items_per_thread; ++i) {
        T const item = *(in + (first + i));
        sum = op(sum, item);
      }
      T const chunk_sum = shuffle(warp_reduce(sum, threads_per_warp, op), 0);
      if (warp == 0 || static_cast<unsigned>(warp) == lane) mine[0] = chunk_sum;
    }
    return shuffle(warp_inclusive_scan(mine[0], op), warps - 1);
  }

  // Replaces the lane's items by their scan. `prefix` is what lies before the chunk, `before` what the lanes before
  // this one have; each may be missing. The lane with the last item of all also writes the total.
  template <bool inclusive, class Problem, class Op>
  static __device__ __forceinline__ void scan_lane(T (&items)[items_per_thread], bool has_prefix, T const& prefix,
                                                   T const& before, std::int64_t begin, Problem const& problem,
                                                   Op& op) {
    unsigned const lane = simt::lane();
    std::int64_t const last = problem.num_items - 1 - begin - lane * items_per_thread;  // its place among these items
    uninitialized_array<T, 1> sum;
    if (has_prefix) {
      sum[0] = prefix;
      if (lane > 0) sum[0] = op(sum[0], before);
    } else if (lane > 0) {
      sum[0] = before;
    }
    bool has_sum = has_prefix || lane > 0;
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      uninitialized_array<T, 1> next;
      next[0] = has_sum ? op(sum[0], items[i]) : items[i];
      items[i] = inclusive ? next[0] : sum[0];
      sum[0] = next[0];
      has_sum = true;
      if constexpr (has_values<iterator_value_t<decltype(problem.total)>>) {
        if (i == last) *problem.total = next[0];
      }
    }
  }

 private:
  static constexpr int items_per_piece = sizeof(T) <= 16 && 16 % sizeof(T) == 0 ? 16 / sizeof(T) : 1;
  static constexpr bool piecewise = 16 % sizeof(T) == 0 && items_per_thread % items_per_piece == 0;
};

}  // namespace mgpu::detail
