// What one warp does with its chunk of a tile: load, reduce, scan, store. A lane's items are blocked; on the way from
// and to global memory they are striped.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/atomic.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/grid/look_back.cuh>
#include <mgpu/detail/thread/partial_result.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cstdint>
#include <cstring>
#include <type_traits>

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

  // The tile that the block works on after `round` others. Negative: none left. Where there are no more tiles than
  // blocks times static_rounds, a block's tiles follow from its number; else the first does, and the others are handed
  // out in order. Nothing rests on earlier tiles having been started, since look_back supplies what they do not.
  __device__ __forceinline__ std::int64_t next_tile(int round, int static_rounds) const {
    std::int64_t const num_blocks = simt::block_count();
    bool const is_static = round == 0 || num_tiles <= num_blocks * static_rounds;
    std::int64_t const tile =
        is_static ? simt::block_rank() + round * num_blocks
                  : num_blocks + static_cast<std::int64_t>(simt::add_relaxed<std::uint64_t>(*ticket, 1));
    return tile < num_tiles ? tile : -1;
  }

  __device__ __forceinline__ bool has_prefix(std::int64_t tile) const { return has_values<Init> || tile > 0; }
};

template <class T, int items_per_thread>
struct scan_chunk {
  static constexpr int num_items = threads_per_warp * items_per_thread;

  // How many items a chunk has that begins at `begin`; how many chunks of a tile have any.
  static __device__ __forceinline__ int size(std::int64_t begin, std::int64_t end) {
    return static_cast<int>(larger<std::int64_t>(0, smaller<std::int64_t>(end - begin, num_items)));
  }
  static __device__ __forceinline__ int num_chunks(std::int64_t tile_begin, std::int64_t end, int most) {
    std::int64_t const chunks = divide_up<std::int64_t>(end - tile_begin, num_items);
    return static_cast<int>(larger<std::int64_t>(0, smaller<std::int64_t>(chunks, most)));
  }
  // How many lanes have items in a chunk of `count`, and how many this lane has.
  static __device__ __forceinline__ int num_lanes(int count) { return divide_up(count, items_per_thread); }
  static __device__ __forceinline__ int blocked_size(int count) {
    return smaller(count - static_cast<int>(simt::lane()) * items_per_thread, items_per_thread);
  }

  // What moves at a time between `staged` and global memory: an item; but a word of items that lie in memory side by
  // side and are aligned to less than their size. Those the lanes would else access with gaps between them, and the
  // compiler in words all the same.
  static constexpr int word_bytes = larger(4, static_cast<int>(alignof(T)));
  struct __attribute__((__may_alias__)) word {
    alignas(word_bytes) std::uint32_t parts[word_bytes / 4];
  };
  template <class Iterator>
  using unit_of = std::conditional_t<std::is_pointer_v<Iterator> && std::is_same_v<iterator_value_t<Iterator>, T> &&
                                         alignof(T) == word_bytes && word_bytes <= 16 && (word_bytes < sizeof(T)),
                                     word, T>;
  template <class Unit>
  static constexpr int units_per_item = static_cast<int>(sizeof(T) / sizeof(Unit));

  // Global memory to `staged`.
  template <class In>
  static __device__ __forceinline__ void load(In in, std::int64_t begin, int count, T* staged) {
    using unit = unit_of<In>;
    uninitialized_array<unit, items_per_thread * units_per_item<unit>> units;
    auto const from = as_units<unit>(in + begin) + simt::lane();
    auto* const to = as_units<unit>(staged) + simt::lane();
    for_striped<unit>(count, [&](int i) { units[i] = *(from + i * threads_per_warp); });
    for_striped<unit>(count, [&](int i) { to[i * threads_per_warp] = units[i]; });
  }

  // `staged` to global memory, in two steps: the first reads the whole chunk into registers, in the units of `Out`.
  // (In the place of the items that the lane had before: another array would be another set of registers.)
  template <class Out>
  static __device__ __forceinline__ void read_striped(T const* staged, T (&items)[items_per_thread]) {
    using unit = unit_of<Out>;
    auto* const from = as_units<unit>(staged) + simt::lane();
    auto* const units = as_units<unit>(&items[0]);
#pragma unroll
    for (int i = 0; i < items_per_thread * units_per_item<unit>; ++i) units[i] = from[i * threads_per_warp];
  }
  template <class Out>
  static __device__ __forceinline__ void store_striped(Out out, std::int64_t begin, int count,
                                                       T (&items)[items_per_thread]) {
    using unit = unit_of<Out>;
    auto const to = as_units<unit>(out + begin) + simt::lane();
    auto* const units = as_units<unit>(&items[0]);
    for_striped<unit>(count, [&](int i) { *(to + i * threads_per_warp) = units[i]; });
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

  // Op over the lane's items, of `count` in the chunk, which are in `items` then if the chunk is whole; of no use where
  // the lane has none. What is less than a chunk stays in shared memory: that is at most one of a tile.
  template <class Op>
  static __device__ __forceinline__ T reduce_lane(T const* staged, int count, T (&items)[items_per_thread], Op& op) {
    T sum = staged[simt::lane() * items_per_thread];
    if (count == num_items) {
      read_lane(staged, items);
      sum = items[0];
#pragma unroll
      for (int i = 1; i < items_per_thread; ++i) sum = op(sum, items[i]);
    } else {
      int const mine = blocked_size(count);
#pragma unroll 1
      for (int i = 1; i < mine; ++i) sum = op(sum, staged[simt::lane() * items_per_thread + i]);
    }
    return sum;
  }

  // For look_back: the aggregate of a whole tile straight from the input, to all lanes; by one warp, to the bit as
  // the tile's own block computes it. Where that block overwrites the input with the output, neither op nor a
  // function of the call ever sees what it wrote.
  template <int warps, class In, class IsMissing, class Op>
  static __device__ __forceinline__ partial_result<T> reduce_tile(In in, std::int64_t begin, IsMissing is_missing,
                                                                  Op& op) {
    using reader = item_reader<In>;
    int const lane = static_cast<int>(simt::lane());
    uninitialized_array<T, 1> mine;
#pragma unroll 1
    for (int warp = 0; warp < warps; ++warp) {
      std::int64_t const first = begin + warp * num_items + lane * items_per_thread;
      uninitialized_array<typename reader::item, items_per_thread> items;
#pragma unroll 1  // in memory, as the warps that call it have no registers left for so rare a case
      for (int i = 0; i < items_per_thread; ++i) items[i] = reader::read(in, first + i);
      if (!is_missing()) return {};
      T sum = reader::convert(in, items[0]);
#pragma unroll 1
      for (int i = 1; i < items_per_thread; ++i) sum = op(sum, reader::convert(in, items[i]));
      T const chunk_sum = detail::shuffle(detail::warp_reduce(sum, threads_per_warp, op), 0);
      if (warp == lane) mine[0] = chunk_sum;
    }
    partial_result<T> aggregate;
    aggregate.append(detail::shuffle(detail::warp_inclusive_scan(mine[0], warps, op), warps - 1), op);
    return aggregate;
  }

  // Puts the scan of the lane's items, which reduce_lane has read, in their place in `staged`. `prefix` is what lies
  // before the chunk, `before` what the lanes before this one have; each may be missing. The lane with the last item of
  // all also writes the total.
  template <bool inclusive, class Problem, class Op>
  static __device__ __forceinline__ void scan_lane(T* staged, int count, T (&items)[items_per_thread],
                                                   bool has_prefix, T const& prefix, T const& before,
                                                   std::int64_t begin, Problem const& problem, Op& op) {
    int const lane = static_cast<int>(simt::lane());
    partial_result<T> sum;
    if (has_prefix) sum.append(prefix, op);
    if (lane > 0 && lane < num_lanes(count)) sum.append(before, op);
    auto const scan_item = [&](T& item) {
      uninitialized_array<T, 1> next;
      next[0] = sum.any ? op(sum.value[0], item) : item;
      item = inclusive ? next[0] : sum.value[0];
      sum.value[0] = next[0];
      sum.any = true;
    };
    if (count == num_items) {
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) scan_item(items[i]);
      write_lane(staged, items);
    } else {
      int const mine = blocked_size(count);
#pragma unroll 1
      for (int i = 0; i < mine; ++i) scan_item(staged[lane * items_per_thread + i]);
    }
    if constexpr (has_values<iterator_value_t<decltype(problem.total)>>) {
      if (begin + count == problem.num_items && lane == num_lanes(count) - 1) *problem.total = sum.value[0];
    }
  }

 private:
  // Any other iterator stays what it is.
  template <class Unit, class Iterator>
  static __device__ __forceinline__ auto as_units(Iterator it) {
    if constexpr (std::is_same_v<Unit, T>) {
      return it;
    } else if constexpr (std::is_const_v<std::remove_pointer_t<Iterator>>) {
      return reinterpret_cast<Unit const*>(it);
    } else {
      return reinterpret_cast<Unit*>(it);
    }
  }

  // Calls f(0), f(1), ... for those of a lane's striped units that `count` items have, without a test for each where
  // that is all of them.
  template <class Unit, class F>
  static __device__ __forceinline__ void for_striped(int count, F f) {
    constexpr int most = items_per_thread * units_per_item<Unit>;
    int const mine =
        (count * units_per_item<Unit> + threads_per_warp - 1 - static_cast<int>(simt::lane())) / threads_per_warp;
    if (mine == most) {
#pragma unroll
      for (int i = 0; i < most; ++i) f(i);
    } else {
#pragma unroll
      for (int i = 0; i < most; ++i) {
        if (i < mine) f(i);
      }
    }
  }

  static constexpr int items_per_piece = sizeof(T) <= 16 && 16 % sizeof(T) == 0 ? 16 / sizeof(T) : 1;
  static constexpr bool piecewise = 16 % sizeof(T) == 0 && items_per_thread % items_per_piece == 0;
};

}  // namespace mgpu::detail
