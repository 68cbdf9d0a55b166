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
#include <cstdint>

namespace mgpu::detail {

// The second digit of a key.
template <class BucketOf>
struct msd_low_digit_of {
  static constexpr bool is_costly = BucketOf::is_costly;
  BucketOf bucket_of;
  std::uint32_t mask;
  template <class Bits>
  __device__ __forceinline__ std::uint32_t operator()(Bits bits) const {
    return bucket_of(bits) & mask;
  }
};
template <class BucketOf>
msd_low_digit_of(BucketOf, std::uint32_t) -> msd_low_digit_of<BucketOf>;

// The memory of a block that partitions.
template <class Tuning, class Bits, bool is_first>
struct msd_radix_partition {
  template <int arch>
  struct storage {
    static constexpr msd_radix_tuning tuning = Tuning::at(arch);
    static constexpr tile_shape shape = is_first ? tuning.first : tuning.second;
    static constexpr int digit_bits = is_first ? tuning.max_first_digit_bits : tuning.max_second_digit_bits;
    static constexpr int max_digits = 1 << digit_bits;
    std::uint32_t places[max_digits];   // how many keys of the tile have the digit, then where the next of them goes
    std::uint32_t targets[max_digits];  // where the first such key goes, less its place in the tile
    std::uint32_t warps[shape.threads_per_block / threads_per_warp];
    // A tile of the second partition lies in a bin, begins with a key, and has so many valid ones.
    int bin;
    std::uint32_t begin;
    int valid;
    std::uint32_t tile;
    // A block of the second partition looks these numbers of all bins up for each tile.
    static constexpr int num_bounds = is_first ? 1 : (1 << tuning.max_first_digit_bits) + 1;
    std::uint32_t tiles_before[num_bounds];
    std::uint32_t starts[num_bounds];
    typename msd_radix_finder<Tuning>::template storage<arch> finder;
    Bits bits[shape.tile_items()];
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
  uninitialized_array<Bits, items_per_thread> bits;
  detail::for_each_striped<threads, items_per_thread>(valid, [&](int i, int at) { bits[i] = bits_at(at); });
  for (int digit = thread; digit < num_digits; digit += threads) shared.places[digit] = 0;
  simt::sync_block();
  // A digit that takes long to find is kept, where a thread has registers for it.
  constexpr bool keeps_digits = DigitOf::is_costly && threads <= 512;
  [[maybe_unused]] packed_numbers<items_per_thread, Storage::digit_bits> digits;
  if constexpr (keeps_digits) {
    detail::for_each_striped<threads, items_per_thread>(valid, [&](int i, int) { digits.set(i, digit_of(bits[i])); });
  }
  auto const digit_at = [&](int i) -> std::uint32_t {
    if constexpr (keeps_digits) {
      return digits[i];
    } else {
      return digit_of(bits[i]);
    }
  };
  detail::for_each_striped<threads, items_per_thread>(
      valid, [&](int i, int) { simt::add_shared(shared.places[digit_at(i)], 1u); });
  simt::sync_block();

  std::uint32_t counts[digits_per_thread];
  std::uint32_t mine = 0;
#pragma unroll
  for (int d = 0; d < digits_per_thread; ++d) {
    int const digit = thread * digits_per_thread + d;
    counts[d] = digit < num_digits ? shared.places[digit] : 0;
    mine += counts[d];
  }
  std::uint32_t start = detail::block_exclusive_scan(mine, shared.warps);
#pragma unroll
  for (int d = 0; d < digits_per_thread; ++d) {
    int const digit = thread * digits_per_thread + d;
    if (digit < num_digits) {
      shared.places[digit] = start;
      shared.targets[digit] =
          (counts[d] == 0 ? 0 : simt::add_relaxed<std::uint32_t>(next_places[digit], counts[d])) - start;
    }
    start += counts[d];
  }
  simt::sync_block();
  detail::for_each_striped<threads, items_per_thread>(
      valid, [&](int i, int) { shared.bits[simt::add_shared(shared.places[digit_at(i)], 1u)] = bits[i]; });
  simt::sync_block();
  [[maybe_unused]] constexpr int at_once = (DigitOf::is_costly ? 16 : 32) / static_cast<int>(sizeof(Bits));
#pragma unroll at_once
  for (int at = static_cast<int>(simt::thread_rank_anew()); at < valid; at += threads) {
    Bits const one = shared.bits[at];
    to[shared.targets[digit_of(one)] + static_cast<std::uint32_t>(at)] = one;
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
  auto const num_tiles = static_cast<std::uint32_t>(divide_up(num_items, tile_items));
  detail::find_buckets<Tuning>(shared.finder, state, digits, digits.second_bits, [&](auto const& bin_of) {
    detail::for_each_tile(state.found->first_ticket, num_tiles, shared.tile, [&](std::uint32_t tile) {
      std::int64_t const begin = tile * tile_items;
      auto const bits_at = [&](int i) {
        return detail::directed_bits<descending>(static_cast<Key>(*(from + (begin + i))));
      };
      detail::partition_tile(shared, bin_of, digits.num_bins(), bits_at,
                             static_cast<int>(smaller(tile_items, num_items - begin)), to, state.bin_places);
    });
  });
}

// The bins whose keys a launch puts into buckets: so many from the first one on, where bin 0 follows the last one. Blocks
// take tiles by the ticket, which is zero before the launch.
struct msd_radix_bins {
  int first;
  int count;
  std::uint64_t* ticket;
};

// Writes the keys of bins to their buckets, in any order. The grid has any number of blocks.
template <class Tuning, class Bits>
__global__ void __launch_bounds__(Tuning::at(current_arch()).second.threads_per_block,
                                  Tuning::at(current_arch()).second.min_blocks_per_sm)
    msd_radix_buckets_kernel(Bits const* from, Bits* to, msd_radix_digits digits, msd_radix_state<Bits> state,
                             msd_radix_bins bins) {
  using storage = typename msd_radix_partition<Tuning, Bits, false>::template storage<current_arch()>;
  constexpr auto tile_items = static_cast<std::uint32_t>(storage::shape.tile_items());
  if (state.found->is_promising == 0) return simt::skip_launch();
  simt::wait_for_primary();
  simt::launch_dependents();
  if (state.found->is_taken == 0) return;
  auto& shared = simt::shared<storage>();
  int const num_digits = digits.buckets_per_bin();
  for (int bin = static_cast<int>(simt::thread_rank()); bin <= digits.num_bins();
       bin += storage::shape.threads_per_block) {
    shared.tiles_before[bin] = state.tiles_before[bin];
    shared.starts[bin] = state.starts[bin * num_digits];
  }
  simt::sync_block();
  std::uint32_t const of_all = shared.tiles_before[digits.num_bins()];
  std::uint32_t const first_tile = shared.tiles_before[bins.first];
  int const end = bins.first + bins.count;
  std::uint32_t const num_tiles =
      (end <= digits.num_bins() ? shared.tiles_before[end] : of_all + shared.tiles_before[end - digits.num_bins()]) -
      first_tile;
  detail::find_buckets<Tuning>(shared.finder, state, digits, 0, [&](auto const& bucket_of) {
    msd_low_digit_of const digit_of{bucket_of, static_cast<std::uint32_t>(num_digits - 1)};
    detail::for_each_tile(*bins.ticket, num_tiles, shared.tile, [&](std::uint32_t taken) {
      std::uint32_t const tile = first_tile + taken - (first_tile + taken < of_all ? 0 : of_all);
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
  });
}

}  // namespace mgpu::detail
