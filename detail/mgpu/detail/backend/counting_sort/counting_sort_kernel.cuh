// The kernels of the counting sort: keys are not moved, but one kernel counts the keys of each value, and one writes
// the keys anew from the counts. Blocks do not wait for one another.
#pragma once
#include <mgpu/detail/backend/counting_sort/tuning.h>
#include <mgpu/detail/block/offsets_from_counts.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/grid/last_block.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The global memory that the two kernels share, for keys with 2^bits values.
template <int bits>
struct counting_sort_state {
  static constexpr int num_values = 1 << bits;
  // These are zero before the sort.
  std::uint64_t blocks_done;
  std::uint64_t counts[num_values];
  // The first kernel writes these: starts[v] = how many keys have a lower value than v.
  std::uint64_t starts[num_values];
};

template <class Tuning, int bits>
struct counting_sort_counters {
  template <int arch>
  struct storage {
    static constexpr counting_sort_tuning tuning = Tuning::at(arch);
    static constexpr int count = smaller(1 << bits, tuning.max_counters);
    static constexpr int parts = (1 << bits) / count;  // a block counts the values of one part
    // Each lane has a copy of the counters, in a bank of its own, if there is room for that.
    static constexpr int copies = threads_per_warp * count <= tuning.max_counters ? threads_per_warp : 1;
    std::uint32_t counts[count * copies];
    std::uint64_t warps[threads_per_warp];
    bool is_last;
  };
};

// Counts the keys of each value; the last block to end also writes the starts. The grid has a whole multiple of
// `parts` blocks: each counts the values of one part among its share of the keys, which is below 2^32 keys. No block
// waits for another, so no forward progress between blocks is assumed.
template <class Tuning, bool descending, class Keys>
__global__ void __launch_bounds__(Tuning::at(current_arch()).count_threads_per_block)
    counting_sort_count_kernel(Keys keys, std::int64_t num_items, void* memory) {
  static_assert(Tuning::at(current_arch()).is_valid());
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
          // Increments of one counter wait for each other, so those of the first lane's counter are made in one step.
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

  if (detail::is_last_block(state.blocks_done, shared.is_last)) {
    detail::block_offsets_from_counts<threads>(state.counts, state.starts, shared.warps);
  }
}

// Returns the value of key i in the sorted order, given that it is in [low, high].
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

// The shared memory of a block that writes keys: the values of its tile's first and last key.
struct counted_values {
  int first, last;
};

// Writes the keys in order, from the starts of the values. The grid has any number of blocks, which share out the
// tiles.
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
