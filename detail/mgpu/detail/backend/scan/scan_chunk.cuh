// One warp loads, reduces, scans and stores its chunk, which is its part of a tile. All functions are called
// by all lanes of the warp. A lane scans items that are blocked; from and to global memory it moves items that are
// striped. The lanes exchange them through `staged`, the chunk in shared memory.
#pragma once
#include <mgpu/detail/backend/scan/item_reader.cuh>
#include <mgpu/detail/backend/scan/item_unit.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/reorderable_operators.h>
#include <mgpu/detail/core/scan_problem.h>
#include <mgpu/detail/grid/look_back.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/partial_result.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <mgpu/detail/warp/scan.cuh>
#include <mgpu/detail/warp/shuffle.cuh>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace mgpu::detail {

// A launch tells its blocks what they scan, and by which global memory they share it out and learn their prefixes.
// There is at least one item.
template <class Problem>
struct scan_launch {
  Problem problem;
  std::int64_t num_tiles;
  tile_aggregates<typename Problem::T> aggregates;  // like the ticket, zero before, and null where a cluster scans
  std::uint64_t* ticket;

  // Returns whether an init or another tile comes before this one.
  __device__ __forceinline__ bool has_prefix(std::int64_t tile) const { return tile > 0 || has_init(); }

  // Calls take(init) if there is one.
  template <class Take>
  __device__ __forceinline__ void with_init([[maybe_unused]] Take take) const {
    if constexpr (is_in_memory) {
      if (has_init()) take(*problem.init.value);
    } else if constexpr (Problem::has_init) {
      take(problem.init);
    }
  }

 private:
  static constexpr bool is_in_memory = std::is_same_v<typename Problem::Init, init_in_memory<typename Problem::T>>;
  __device__ __forceinline__ bool has_init() const {
    if constexpr (is_in_memory) {
      return *problem.init.is_there != 0;
    } else {
      return Problem::has_init;
    }
  }
};

template <class T, int items_per_thread>
struct scan_chunk {
  static constexpr int num_items = threads_per_warp * items_per_thread;

  // Returns how many items are in a chunk that begins at `begin`, of an input that ends at `end`; and how many chunks
  // of a tile have items, which has `most` chunks in all.
  static __device__ __forceinline__ int size(std::int64_t begin, std::int64_t end) {
    return static_cast<int>(larger<std::int64_t>(0, smaller<std::int64_t>(end - begin, num_items)));
  }
  static __device__ __forceinline__ int num_chunks(std::int64_t tile_begin, std::int64_t end, int most) {
    return smaller(static_cast<int>(divide_up<std::int64_t>(end - tile_begin, num_items)), most);
  }
  // These return how many lanes have items in a chunk of `count`, and how many of them are this lane's.
  static __device__ __forceinline__ int num_lanes(int count) { return divide_up(count, items_per_thread); }
  static __device__ __forceinline__ int blocked_size(int count) {
    return smaller(count - static_cast<int>(simt::lane()) * items_per_thread, items_per_thread);
  }

  template <class Iterator>
  using unit_of = typename item_unit<T, Iterator>::type;
  template <class Unit>
  static constexpr int units_per_item = static_cast<int>(sizeof(T) / sizeof(Unit));

  // Loads the chunk from global memory into `staged`.
  template <class In>
  static __device__ __forceinline__ void load(In in, std::int64_t begin, int count, T* staged) {
    using unit = unit_of<In>;
    uninitialized_array<unit, items_per_thread * units_per_item<unit>> units;
    auto const from = as_units<unit>(in + begin) + simt::lane();
    auto* const to = as_units<unit>(staged) + simt::lane();
    for_striped<unit>(count, [&](int i) { units[i] = *(from + i * threads_per_warp); });
    for_striped<unit>(count, [&](int i) { to[i * threads_per_warp] = units[i]; });
    simt::sync_warp();
  }

  // Stores the chunk from registers to global memory, after scan_lane().
  template <class Out>
  static __device__ __forceinline__ void store_striped(Out out, std::int64_t begin, int count,
                                                       T (&items)[items_per_thread]) {
    using unit = unit_of<Out>;
    auto const to = as_units<unit>(out + begin) + simt::lane();
    auto* const units = as_units<unit>(static_cast<T*>(items));
    for_striped<unit>(count, [&](int i) { *(to + i * threads_per_warp) = units[i]; });
  }

  // These two move the lane's own items, which are blocked, from and to `staged`: in pieces of 16 bytes, if a lane's
  // items are a whole number of these.
  static __device__ __forceinline__ void read_lane(T const* staged, T (&items)[items_per_thread]) {
    T const* const mine = staged + simt::lane() * items_per_thread;
#pragma unroll
    for (int i = 0; i < items_per_thread; i += items_per_piece) {
      if constexpr (items_per_piece * sizeof(T) == 16) {
        memcpy(static_cast<void*>(items + i), __builtin_assume_aligned(mine + i, 16), 16);
      } else {
        items[i] = mine[i];
      }
    }
  }
  static __device__ __forceinline__ void write_lane(T* staged, T const (&items)[items_per_thread]) {
    T* const mine = staged + simt::lane() * items_per_thread;
#pragma unroll
    for (int i = 0; i < items_per_thread; i += items_per_piece) {
      if constexpr (items_per_piece * sizeof(T) == 16) {
        memcpy(__builtin_assume_aligned(static_cast<void*>(mine + i), 16), items + i, 16);
      } else {
        mine[i] = items[i];
      }
    }
  }

  // Returns op over the lane's items, of the `count` in the chunk; where the lane has none, the result is of no use.
  // A chunk that is full is in `items` afterwards. One that is not stays in shared memory: a tile has at most one of
  // those.
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

  // Returns, in all lanes, the aggregate of a full tile, which the fallback of look_back lacks. One warp computes it
  // straight from the input, to the bit as the tile's own block does. That block may meanwhile overwrite the input
  // with the output; then nothing is returned, and neither op nor a function of the call ever sees what was written.
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
#pragma unroll 1  // keeps the items in memory: the warps that call this have no registers left for so rare a case
      for (int i = 0; i < items_per_thread; ++i) items[i] = reader::read(in, first + i);
      if (!is_missing()) return {};
      // The tile's own block has its items from shared memory. Here each item goes through a shuffle, so that the
      // compiler does not fuse a product that the unary function returns with a sum of op, which would round once
      // less.
      auto const item = [&](int i) { return detail::shuffle<T>(reader::convert(in, items[i]), simt::lane()); };
      T sum = item(0);
#pragma unroll 1
      for (int i = 1; i < items_per_thread; ++i) sum = op(sum, item(i));
      T const chunk_sum = detail::shuffle(detail::warp_reduce(sum, threads_per_warp, op), 0);
      if (warp == lane) mine[0] = chunk_sum;
    }
    partial_result<T> aggregate;
    aggregate.append(detail::shuffle(detail::warp_inclusive_scan(mine[0], warps, op), warps - 1), op);
    return aggregate;
  }

  // Scans the chunk, whose items reduce_lane has read, and gets in `items` what the lane stores: these are striped
  // units, in the place of the blocked items, as another array would take another set of registers. `prefix` is op over
  // all that comes before the chunk, if has_prefix says that anything does. `before` is op over the items of the lanes
  // before this one; in lane 0 and in lanes without items it is not used. The lane with the last item of the input also
  // writes the total.
  template <class Problem, class Op>
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
      item = Problem::inclusive ? next[0] : sum.value[0];
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
    if constexpr (Problem::has_total) {
      if (begin + count == problem.num_items && lane == num_lanes(count) - 1) *problem.total = sum.value[0];
    }
    simt::sync_warp();
    using unit = unit_of<typename Problem::Out>;
    auto* const from = as_units<unit>(static_cast<T const*>(staged)) + simt::lane();
    auto* const units = as_units<unit>(static_cast<T*>(items));
#pragma unroll
    for (int i = 0; i < items_per_thread * units_per_item<unit>; ++i) units[i] = from[i * threads_per_warp];
  }

 private:
  // Returns a pointer to the same memory in units; an iterator whose unit is an item is returned as it is.
  template <class Unit, class Iterator>
  static __device__ __forceinline__ auto as_units(Iterator it) {
    if constexpr (std::is_same_v<Unit, T>) {
      return it;
    } else {
      return detail::as_words<Unit>(it);
    }
  }

  // Calls f(0), f(1), ... for those of a lane's striped units that lie in the chunk's `count` items. Where all of
  // them do, none is tested.
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

  static constexpr int items_per_piece =
      16 % sizeof(T) == 0 && items_per_thread * sizeof(T) % 16 == 0 ? 16 / sizeof(T) : 1;
};

}  // namespace mgpu::detail
