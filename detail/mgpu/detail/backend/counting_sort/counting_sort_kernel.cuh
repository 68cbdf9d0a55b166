// Keys that are nothing but one of few values are not moved: they are counted, and written anew from the counts.
#pragma once
#include <mgpu/detail/backend/counting_sort/tuning.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/atomic.cuh>
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <mgpu/detail/warp/shuffle.cuh>
#include <cstdint>

namespace mgpu::detail {

// Global memory that the two kernels share, for 2^bits values.
template <int bits>
struct counting_sort_state {
  static constexpr int num_values = 1 << bits;
  // Zero before.
  std::uint64_t blocks_done;
  std::uint64_t counts[num_values];
  // How many keys have a lower value.
  std::uint64_t starts[num_values];
};

template <class Tuning, int bits>
struct counting_sort_counters {
  template <int arch>
  struct storage {
    static constexpr counting_sort_tuning tuning = Tuning::at(arch);
    static constexpr int count = smaller(1 << bits, tuning.max_counters);
    static constexpr int parts = (1 << bits) / count;  // of the values; a block counts those of one
    // Where there is room, each lane counts in a bank of its own.
    static constexpr int copies = threads_per_warp * count <= tuning.max_counters ? threads_per_warp : 1;
    std::uint32_t counts[count * copies];
    std::uint64_t warps[threads_per_warp];
    bool is_last;
  };
};

// starts[v] = how many keys have a lower value than v. By all threads of one block, a warp a stretch of values.
template <int threads, int num_values>
__device__ __forceinline__ void scan_counted(std::uint64_t (&counts)[num_values], std::uint64_t (&starts)[num_values],
                                             std::uint64_t (&warps)[threads_per_warp]) {
  constexpr int rows = divide_up(num_values, threads);  // of a value for each lane
  constexpr int rows_at_once = smaller(rows, 8);
  cuda::std::plus<> op;
  int const first = (static_cast<int>(simt::warp()) * rows * threads_per_warp) + static_cast<int>(simt::lane());
  auto const for_each_row = [&](auto f) {
    for (int r = 0; r < rows; r += rows_at_once) {
      std::uint64_t row[rows_at_once];
#pragma unroll
      for (int i = 0; i < rows_at_once; ++i) {
        int const value = first + (r + i) * threads_per_warp;
        row[i] = r + i < rows && value < num_values ? simt::load_relaxed(counts[value]) : 0;
      }
#pragma unroll
      for (int i = 0; i < rows_at_once; ++i) {
        if (r + i < rows) f(first + (r + i) * threads_per_warp, row[i]);
      }
    }
  };
  std::uint64_t sum = 0;
  for_each_row([&](int, std::uint64_t count) { sum += count; });
  std::uint64_t const of_warp = detail::warp_inclusive_scan(sum, threads_per_warp, op);
  if (simt::lane() == threads_per_warp - 1) warps[simt::warp()] = of_warp;
  simt::sync_block();
  std::uint64_t start = 0;
  for (unsigned warp = 0; warp < simt::warp(); ++warp) start += warps[warp];
  for_each_row([&](int value, std::uint64_t count) {
    std::uint64_t const up_to = detail::warp_inclusive_scan(count, threads_per_warp, op);
    if (value < num_values) starts[value] = start + up_to - count;
    start += detail::shuffle(up_to, threads_per_warp - 1);
  });
}

// Counts the keys of each value. A whole multiple of `parts` blocks: each counts a part of the values in a share of
// the keys, which is below 2^32. Assumes no forward progress between blocks.
template <class Tuning, bool descending, class Keys>
__global__ void __launch_bounds__(Tuning::at(current_arch()).count_threads_per_block)
    counting_sort_count_kernel(Keys keys, std::int64_t num_items, void* memory) {
  using Key = iterator_value_t<Keys>;
  constexpr int bits = radix_traits<Key>::bits;
  using storage = typename counting_sort_counters<Tuning, bits>::template storage<current_arch()>;
  using counter = std::uint64_t;
  constexpr int threads = Tuning::at(current_arch()).count_threads_per_block;
  constexpr int keys_at_once = 16;  // in flight
  auto& shared = simt::shared<storage>();
  auto& state = *static_cast<counting_sort_state<bits>*>(memory);
  int const thread = static_cast<int>(simt::thread_rank());
  unsigned const lane = simt::lane();
  auto const part = static_cast<int>(simt::block_rank() % storage::parts);
  std::int64_t const share = simt::block_rank() / storage::parts;
  std::int64_t const num_shares = simt::block_count() / storage::parts;

  for (int i = thread; i < storage::count * storage::copies; i += threads) shared.counts[i] = 0;
  simt::sync_block();
  auto const place_of = [&](Key const& key) {
    int const value = static_cast<int>(detail::directed_bits<descending>(key)) - part * storage::count;
    return 0 <= value && value < storage::count ? value * storage::copies + static_cast<int>(lane % storage::copies)
                                                : -1;
  };
  constexpr std::int64_t step = threads * keys_at_once;
  for (std::int64_t begin = share * step; begin < num_items; begin += num_shares * step) {
    if (begin + step <= num_items) {
      uninitialized_array<Key, keys_at_once> my_keys;
#pragma unroll
      for (int i = 0; i < keys_at_once; ++i) my_keys[i] = *(keys + (begin + thread + i * threads));
#pragma unroll
      for (int i = 0; i < keys_at_once; ++i) {
        int place = place_of(my_keys[i]);
        std::uint32_t number = 1;
        if constexpr (storage::copies == 1) {
          // Increments of one counter wait for each other: those of the first lane's are made in one.
          int const first = simt::shuffle(simt::full_mask, place, 0);
          std::uint32_t const alike = simt::ballot(simt::full_mask, place == first);
          if (lane == 0) {
            number = simt::population_count(alike);
          } else if (place == first) {
            place = -1;
          }
        }
        if (place >= 0) simt::add_shared(shared.counts[place], number);
      }
    } else {
      for (std::int64_t i = begin + thread; i < num_items; i += threads) {
        int const place = place_of(*(keys + i));
        if (place >= 0) simt::add_shared(shared.counts[place], 1u);
      }
    }
  }
  simt::sync_block();
  for (int i = thread; i < storage::count; i += threads) {
    std::uint32_t sum = 0;
    for (int c = 0; c < storage::copies; ++c) {
      sum += shared.counts[i * storage::copies + (thread + c) % storage::copies];
    }
    if (sum != 0) simt::add_relaxed<counter>(state.counts[part * storage::count + i], sum);
  }

  // What each thread added comes before the block counts itself.
  simt::fence_device();
  simt::sync_block();
  if (thread == 0) shared.is_last = simt::add_acq_rel<counter>(state.blocks_done, 1) == simt::block_count() - 1;
  simt::sync_block();
  if (shared.is_last) detail::scan_counted<threads>(state.counts, state.starts, shared.warps);
}

// The value of the i-th key, which lies between two known ones.
__device__ __forceinline__ int counted_value(std::uint64_t const* starts, std::uint64_t i, int low, int high) {
  while (low < high) {
    int const middle = (low + high + 1) / 2;
    if (starts[middle] <= i) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

struct counted_values {
  int first, last;  // in a tile
};

// Writes the keys in order. Any number of blocks.
template <class Tuning, bool descending, class Key, class Keys>
__global__ void __launch_bounds__(Tuning::at(current_arch()).write_threads_per_block)
    counting_sort_write_kernel(Keys keys, std::int64_t num_items, void const* memory) {
  constexpr counting_sort_tuning tuning = Tuning::at(current_arch());
  constexpr int bits = radix_traits<Key>::bits;
  using Bits = ordered_bits_t<Key>;
  auto const& state = *static_cast<counting_sort_state<bits> const*>(memory);
  auto& shared = simt::shared<counted_values>();
  std::int64_t const tile_items = tuning.write_tile_items();
  for (std::int64_t begin = simt::block_rank() * tile_items; begin < num_items;
       begin += simt::block_count() * tile_items) {
    std::int64_t const end = smaller(begin + tile_items, num_items);
    constexpr int highest = (1 << bits) - 1;
    if (simt::thread_rank() == 0) shared.first = detail::counted_value(state.starts, begin, 0, highest);
    if (simt::thread_rank() == threads_per_warp)
      shared.last = detail::counted_value(state.starts, end - 1, 0, highest);
    simt::sync_block();
    int const first = shared.first, last = shared.last;
#pragma unroll 4
    for (std::int64_t i = begin + simt::thread_rank(); i < end; i += tuning.write_threads_per_block) {
      auto const value = static_cast<Bits>(detail::counted_value(state.starts, i, first, last));
      *(keys + i) = radix_traits<Key>::key_of(detail::direct_bits<descending, Key>(value));
    }
    simt::sync_block();
  }
}

}  // namespace mgpu::detail
