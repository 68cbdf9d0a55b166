// These kernels of a radix sort by the most significant digits put keys into bins, and those of a bin into buckets. What
// they write are the keys' directed bits, of which the last kernel makes keys. Blocks do not wait for one another.
#pragma once
#include <mgpu/detail/backend/msd_radix/bucket_of_key.cuh>
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/block/striped.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/core/tile_shape.h>
#include <mgpu/detail/grid/for_each_tile.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/thread/packed_numbers.cuh>
#include <mgpu/detail/warp/shuffle.cuh>
#include <cstdint>

namespace mgpu::detail {

// The memory of a block that partitions.
template <class Tuning, class Bits, bool is_first>
struct msd_radix_partition {
  template <int arch>
  struct storage {
    static constexpr msd_radix_tuning tuning = Tuning::at(arch);
    static constexpr tile_shape shape = is_first ? tuning.first : tuning.second;
    static constexpr bool keeps_ranks = is_first ? tuning.first_keeps_ranks : tuning.second_keeps_ranks;
    static constexpr bool aligns_runs = is_first ? tuning.first_aligns_runs : tuning.second_aligns_runs;
    static constexpr int max_digits = 1 << (is_first ? tuning.max_first_digit_bits : tuning.max_second_digit_bits);
    // Runs are aligned where there are few digits, as each leaves less than a line unused, and so does each warp.
    static constexpr int line_items = 128 / static_cast<int>(sizeof(Bits));
    static constexpr int max_aligned_digits = aligns_runs ? smaller(max_digits, 256) : 0;
    static constexpr int num_places =
        shape.tile_items() + (aligns_runs ? (max_aligned_digits + threads_per_warp) * (line_items - 1) : 0);
    struct run {
      std::uint16_t begin;  // the place of the tile's first key of the digit
      std::uint16_t count;
    };
    std::uint32_t places[max_digits];   // how many keys of the tile have the digit, then where the next of them goes
    std::uint32_t targets[max_digits];  // where the first such key goes, less its place in the tile
    run runs[aligns_runs ? max_digits : 1];
    std::uint32_t num_used;  // places, of which some may be empty
    std::uint32_t warps[shape.threads_per_block / threads_per_warp];
    // Of the second partition's tile: its bin, its first key, and how many it has.
    int bin;
    std::uint32_t begin;
    int valid;
    std::uint32_t tile;
    // What a block of the second partition looks up for each tile, of all bins.
    static constexpr int num_bounds = is_first ? 1 : (1 << tuning.max_first_digit_bits) + 1;
    std::uint32_t tiles_before[num_bounds];
    std::uint32_t starts[num_bounds];
    Bits bits[num_places];
  };
};

// Puts bits_at(0) to bits_at(valid - 1) where the digits' next places are, in any order. Called by all threads of a block;
// a barrier is owed before it is called again.
template <class Storage, class DigitOf, class BitsAt, class Bits>
__device__ __forceinline__ void partition_tile(Storage& shared, DigitOf digit_of, int num_digits, BitsAt bits_at,
                                               int valid, Bits* to, std::uint32_t* next_places) {
  constexpr int threads = Storage::shape.threads_per_block;
  constexpr int items_per_thread = Storage::shape.items_per_thread;
  constexpr int digits_per_thread = divide_up(Storage::max_digits, threads);
  int const thread = static_cast<int>(simt::thread_rank());
  auto const anew = [] { return static_cast<int>(simt::thread_rank_anew()); };  // saves registers
  uninitialized_array<Bits, items_per_thread> bits;
  detail::for_each_striped<threads, items_per_thread>(valid, [&](int i, int at) { bits[i] = bits_at(at); });
  for (int digit = thread; digit < num_digits; digit += threads) shared.places[digit] = 0;
  simt::sync_block();
  packed_numbers<Storage::keeps_ranks ? items_per_thread : 1, 16> ranks;
  detail::for_each_striped<threads, items_per_thread>(valid, [&](int i, int) {
    std::uint32_t const rank = simt::add_shared(shared.places[digit_of(bits[i])], 1u);
    if constexpr (Storage::keeps_ranks) ranks.set(i, rank);
  });
  simt::sync_block();

  std::uint32_t counts[digits_per_thread];
  std::uint32_t targets[digits_per_thread];
  std::uint32_t gaps[digits_per_thread];  // empty places before the run
  std::uint32_t mine = 0;
#pragma unroll
  for (int d = 0; d < digits_per_thread; ++d) {
    int const digit = thread * digits_per_thread + d;
    counts[d] = digit < num_digits ? shared.places[digit] : 0;
    targets[d] = 0;
    gaps[d] = 0;
    if constexpr (Storage::aligns_runs) {
      if (counts[d] != 0) targets[d] = simt::add_relaxed<std::uint32_t>(next_places[digit], counts[d]);
    }
    mine += counts[d];
  }
  // With gaps, a line of places goes to one line of memory at most, or to one for each run that it has a part of.
  [[maybe_unused]] std::uint32_t const mask = num_digits <= Storage::max_aligned_digits ? Storage::line_items - 1 : 0;
  if constexpr (Storage::aligns_runs) {
    std::uint32_t const end = targets[digits_per_thread - 1] + counts[digits_per_thread - 1];
    std::uint32_t end_before = detail::shuffle_up(end, 1);
    if (simt::lane() == 0) end_before = 0;  // so each warp begins, and ends, with a line
#pragma unroll
    for (int d = 0; d < digits_per_thread; ++d) {
      gaps[d] = (targets[d] - end_before) & mask;
      end_before = targets[d] + counts[d];
      mine += gaps[d];
    }
    if (simt::lane() == threads_per_warp - 1) mine += (0 - end) & mask;
  }
  std::uint32_t start = detail::block_exclusive_scan(mine, shared.warps);
  if constexpr (Storage::aligns_runs) {
    if (thread == threads - 1) shared.num_used = start + mine;
  }
#pragma unroll
  for (int d = 0; d < digits_per_thread; ++d) {
    int const digit = thread * digits_per_thread + d;
    start += gaps[d];
    if (digit < num_digits) {
      shared.places[digit] = start;
      if constexpr (Storage::aligns_runs) {
        shared.targets[digit] = targets[d] - start;
        shared.runs[digit] = {static_cast<std::uint16_t>(start), static_cast<std::uint16_t>(counts[d])};
      } else {
        shared.targets[digit] =
            (counts[d] == 0 ? 0 : simt::add_relaxed<std::uint32_t>(next_places[digit], counts[d])) - start;
      }
    }
    start += counts[d];
  }
  simt::sync_block();
  detail::for_each_striped<threads, items_per_thread>(valid, [&](int i, int) {
    std::uint32_t& place = shared.places[digit_of(bits[i])];
    if constexpr (Storage::keeps_ranks) {
      shared.bits[place + ranks[i]] = bits[i];
    } else {
      shared.bits[simt::add_shared(place, 1u)] = bits[i];
    }
  });
  simt::sync_block();
  [[maybe_unused]] constexpr int at_once = 32 / static_cast<int>(sizeof(Bits));
  if constexpr (Storage::aligns_runs) {
    // An empty place holds something, which has a digit too, but does not lie in the digit's run.
    auto const num_used = static_cast<int>(shared.num_used);
#pragma unroll 4
    for (int at = thread; at < num_used; at += threads) {
      Bits const one = shared.bits[at];
      std::uint32_t const digit = digit_of(one);
      auto const run = shared.runs[digit];
      std::uint32_t const target = shared.targets[digit] + static_cast<std::uint32_t>(at);
      if (static_cast<std::uint32_t>(at - run.begin) < run.count) to[target] = one;
    }
  } else {
#pragma unroll at_once
    for (int at = anew(); at < valid; at += threads) {
      Bits const one = shared.bits[at];
      to[shared.targets[digit_of(one)] + static_cast<std::uint32_t>(at)] = one;
    }
  }
}

// Writes the keys of the input to their bins, in any order. The grid has any number of blocks.
template <class Tuning, bool descending, class Keys, class Bits>
__global__ void __launch_bounds__(Tuning::at(current_arch()).first.threads_per_block,
                                  Tuning::at(current_arch()).first.min_blocks_per_sm)
    msd_radix_bins_kernel(Keys from, Bits* to, std::int64_t num_items, msd_radix_digits digits,
                          msd_radix_state<Bits> state) {
  using storage = typename msd_radix_partition<Tuning, Bits, true>::template storage<current_arch()>;
  using Key = iterator_value_t<Keys>;
  constexpr std::int64_t tile_items = storage::shape.tile_items();
  if (state.found->is_promising == 0) return simt::skip_launch();
  simt::wait_for_primary();
  simt::launch_dependents();
  if (state.found->is_taken == 0) return;
  auto& shared = simt::shared<storage>();
  msd_bucket_of<Bits> const bin_of(*state.found, digits, digits.second_bits);
  detail::for_each_tile(state.found->first_ticket, static_cast<std::uint32_t>(divide_up(num_items, tile_items)),
                        shared.tile, [&](std::uint32_t tile) {
                          std::int64_t const begin = tile * tile_items;
                          auto const bits_at = [&](int i) {
                            return detail::directed_bits<descending>(static_cast<Key>(*(from + (begin + i))));
                          };
                          detail::partition_tile(shared, bin_of, digits.num_bins(), bits_at,
                                                 static_cast<int>(smaller(tile_items, num_items - begin)), to,
                                                 state.bin_places);
                        });
}

// Writes the keys of each bin to their buckets, in any order. The grid has any number of blocks.
template <class Tuning, class Bits>
__global__ void __launch_bounds__(Tuning::at(current_arch()).second.threads_per_block,
                                  Tuning::at(current_arch()).second.min_blocks_per_sm)
    msd_radix_buckets_kernel(Bits const* from, Bits* to, msd_radix_digits digits, msd_radix_state<Bits> state) {
  using storage = typename msd_radix_partition<Tuning, Bits, false>::template storage<current_arch()>;
  constexpr auto tile_items = static_cast<std::uint32_t>(storage::shape.tile_items());
  if (state.found->is_promising == 0) return simt::skip_launch();
  simt::wait_for_primary();
  simt::launch_dependents();
  if (state.found->is_taken == 0) return;
  auto& shared = simt::shared<storage>();
  msd_bucket_of<Bits> const bucket_of(*state.found, digits, 0);
  int const num_digits = digits.buckets_per_bin();
  auto const digit_of = [&](Bits bits) { return bucket_of(bits) & static_cast<std::uint32_t>(num_digits - 1); };
  for (int bin = static_cast<int>(simt::thread_rank()); bin <= digits.num_bins();
       bin += storage::shape.threads_per_block) {
    shared.tiles_before[bin] = state.tiles_before[bin];
    shared.starts[bin] = state.starts[bin * num_digits];
  }
  simt::sync_block();
  std::uint32_t const num_tiles = shared.tiles_before[digits.num_bins()];
  detail::for_each_tile(state.found->second_ticket, num_tiles, shared.tile, [&](std::uint32_t tile) {
    for (int bin = static_cast<int>(simt::thread_rank()); bin < digits.num_bins();
         bin += storage::shape.threads_per_block) {
      if (shared.tiles_before[bin] > tile || tile >= shared.tiles_before[bin + 1]) continue;
      std::uint32_t const first = shared.starts[bin];
      std::uint32_t const of_grid = (first / tile_items + (tile - shared.tiles_before[bin])) * tile_items;
      shared.bin = bin;
      shared.begin = larger(first, of_grid);
      shared.valid = static_cast<int>(smaller(shared.starts[bin + 1], of_grid + tile_items) - shared.begin);
    }
    simt::sync_block();
    detail::partition_tile(
        shared, digit_of, num_digits, [&](int i) { return from[shared.begin + static_cast<std::uint32_t>(i)]; },
        shared.valid, to, state.bucket_places + shared.bin * num_digits);
  });
}

}  // namespace mgpu::detail
