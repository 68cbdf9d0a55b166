// This kernel of a radix sort by the most significant digits sorts each bucket by one block, if its keys are evenly
// spread; a later kernel finishes the others.
#pragma once
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/block/bare_key_sort.cuh>
#include <mgpu/detail/block/radix_sort.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/bare_key.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/number_range.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/core/skip.h>
#include <mgpu/detail/core/tile_shape.h>
#include <mgpu/detail/grid/for_each_tile.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// A block sorts a bucket whose keys are evenly spread. One of twice the size takes twice as many bins.
template <class Tuning, bool is_doubled, class Bits>
struct msd_radix_bucket {
  __host__ __device__ static constexpr tile_shape shape(int arch) {
    return Tuning::at(arch).bucket_shape(is_doubled);
  }
  template <int arch>
  struct storage : bare_key_storage<Bits, shape(arch).threads_per_block, shape(arch).items_per_thread,
                                    Tuning::at(arch).bucket_bin_bits(is_doubled)> {
    std::uint32_t tile;
  };
};
template <class Tuning, int... archs>
constexpr bool can_double_buckets(arch_list<archs...>) {
  return (Tuning::at(archs / 10).doubles_buckets || ...);
}

// Sorts the directed bits of each bucket, and makes keys of them, but lists the buckets whose keys are unevenly spread.
// The grid has any number of blocks. Input and output may be the same memory.
template <class Tuning, bool descending, bool is_doubled, class Key>
__global__ void __launch_bounds__(Tuning::at(current_arch()).bucket_shape(is_doubled).threads_per_block,
                                  Tuning::at(current_arch()).bucket_shape(is_doubled).min_blocks_per_sm)
    msd_radix_sort_kernel(ordered_bits_t<Key> const* from, Key* to, msd_radix_digits digits,
                          msd_radix_state<ordered_bits_t<Key>> state) {
  using storage =
      typename msd_radix_bucket<Tuning, is_doubled, ordered_bits_t<Key>>::template storage<current_arch()>;
  if constexpr (is_doubled && !Tuning::at(current_arch()).doubles_buckets) return;  // another architecture does
  auto& shared = simt::shared<storage>();
  if (state.found->is_promising == 0) return simt::skip_launch();
  simt::wait_for_primary();
  simt::launch_dependents();
  if (state.found->is_taken == 0) return;
  bare_key_maker<descending, Key> const make_key{state.found->has_negative_zero != 0};
  auto const num_buckets = static_cast<std::uint32_t>(digits.num_buckets());
  detail::for_each_tile(state.found->sort_ticket, num_buckets, shared.tile, [&](std::uint32_t bucket) {
    std::uint32_t const begin = state.starts[bucket];
    int const count = static_cast<int>(state.starts[bucket + 1] - begin);
    if (count == 0 || count > storage::tile_items) return;
    number_range<ordered_bits_t<Key>> range;
    if constexpr (Tuning::at(current_arch()).has_quantiles()) {
      if (state.found->num_cells != 0) {
        using Bits = ordered_bits_t<Key>;
        range.lowest = state.lowest_of_bucket[bucket];
        // Keys with the same 32 highest bits are in one bucket, whatever their other bits are.
        Bits const below = detail::bits_below<Bits>(sizeof(Bits) > 4 ? state.found->width - 32 : 0);
        range.width = detail::width_of_bits(
            static_cast<Bits>(static_cast<Bits>(state.lowest_of_bucket[bucket + 1] - range.lowest) | below));
      }
    }
    if (!detail::block_bare_key_sort(shared, from + begin, to + begin, count, make_key, range) &&
        simt::thread_rank() == 0) {
      state.uneven[simt::add_relaxed<std::uint32_t>(state.found->num_uneven, 1)] = bucket;
    }
  });
}

// Sorts the buckets that the kernel above leaves over, where the keys were taken: a kernel that would sort in the other way
// does this instead.
template <class Tuning, bool descending, class Key>
struct msd_radix_finish {
  using Bits = ordered_bits_t<Key>;
  template <int arch, int threads_per_block>
  using storage = block_radix_storage<Bits, no_value, threads_per_block,
                                      divide_up(Tuning::at(arch).max_bucket_items(), threads_per_block),
                                      Tuning::at(arch).max_digit_bits>;

  skip_if skip;
  Bits* bits = nullptr;  // in buckets
  Key* to = nullptr;
  msd_radix_state<Bits> state{};

  __device__ bool operator()() const { return skip(); }

  // Called by all threads of any number of blocks.
  template <class Storage>
  __device__ __forceinline__ void finish(Storage& shared) const {
    bare_key_maker<descending, Key> const make_key{state.found->has_negative_zero != 0};
    for (unsigned i = simt::block_rank(); i < state.found->num_uneven; i += simt::block_count()) {
      std::uint32_t const bucket = state.uneven[i];
      std::uint32_t const begin = state.starts[bucket];
      Bits* const of_bucket = bits + begin;
      int const count = static_cast<int>(state.starts[bucket + 1] - begin);
      no_values const none{};
      block_radix_sort<Storage, false, Bits*, no_values, Bits*, no_values>{shared,    of_bucket, none,
                                                                           of_bucket, none,      count}
          .run();
      simt::sync_block();
      for (int k = static_cast<int>(simt::thread_rank()); k < count; k += Storage::threads_per_block) {
        to[begin + static_cast<std::uint32_t>(k)] = make_key(of_bucket[k]);
      }
      simt::sync_block();
    }
  }
};

}  // namespace mgpu::detail
