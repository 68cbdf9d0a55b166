// A radix sort in one launch, of what one block can hold: the passes go through shared memory.
#pragma once
#include <mgpu/detail/backend/onesweep/histogram_kernel.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/block/radix_rank.cuh>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/core/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

template <class Tuning, class Key>
struct radix_block {
  template <int arch>
  struct storage {
    static constexpr radix_block_tuning tuning = Tuning::at(arch);
    using digits = onesweep_digits<Tuning, Key, arch>;
    using ranker = block_radix_rank<tuning.threads_per_block, tuning.items_per_thread, digits::bits>;
    typename ranker::temp_storage rank;
    uninitialized_array<Key, tuning.tile_items()> keys;
    std::uint16_t numbers[tuning.tile_items()];
    bool is_shared[digits::count];  // a digit by all keys
    __device__ storage() {}
  };
};

// One block. Ranks are made by ballots, which need no check.
template <class Tuning, bool descending, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
__global__ void __launch_bounds__(Tuning::at(current_arch()).threads_per_block)
    radix_block_kernel(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out, int num_items) {
  using Key = iterator_value_t<KeysIn>;
  using Value = iterator_value_t<ValuesIn>;
  using storage = typename radix_block<Tuning, Key>::template storage<current_arch()>;
  using digits = typename storage::digits;
  using ranker = typename storage::ranker;
  constexpr int items_per_thread = storage::tuning.items_per_thread;
  constexpr int bins_per_thread = ranker::bins_per_thread;
  auto& shared = simt::shared<storage>();
  int const thread = static_cast<int>(simt::thread_rank());

  // What pads the tile has the last digit in each pass, and stays behind.
  uninitialized_array<Key, items_per_thread> my_keys;
  std::uint32_t my_numbers[items_per_thread];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    my_numbers[i] = static_cast<std::uint32_t>(ranker::place(i));
    if (ranker::place(i) < num_items) my_keys[i] = *(keys_in + ranker::place(i));
  }
  if (thread < digits::count) shared.is_shared[thread] = false;

#pragma unroll 1
  for (int digit = 0; digit < digits::count; ++digit) {
    typename ranker::digits_type my_digits;
    typename ranker::ranks_type ranks;
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      bool const is_valid = ranker::place(i) < num_items;
      my_digits.set(i, is_valid ? digits::get(directed_bits<descending>(my_keys[i]), digit) : digits::num_bins - 1);
    }
    ranker::rank_by_ballots(shared.rank, my_digits, ranks);
    simt::sync_block();

    std::uint32_t totals[bins_per_thread] = {};
    std::uint32_t starts[bins_per_thread];
#pragma unroll
    for (int b = 0; b < bins_per_thread; ++b) {
      int const bin = thread * bins_per_thread + b;
      if (bin >= digits::num_bins) break;
      totals[b] = ranker::total(shared.rank, bin);
      int const padding = bin == digits::num_bins - 1 ? storage::tuning.tile_items() - num_items : 0;
      if (static_cast<int>(totals[b]) - padding == num_items) simt::store_relaxed(shared.is_shared[digit], true);
    }
    ranker::scan_totals(shared.rank, totals, starts);
    if (simt::load_relaxed(shared.is_shared[digit])) {
      simt::sync_block();
      continue;
    }
#pragma unroll
    for (int b = 0; b < bins_per_thread; ++b) {
      int const bin = thread * bins_per_thread + b;
      if (bin < digits::num_bins) ranker::place_bin(shared.rank, bin, starts[b]);
    }
    simt::sync_block();
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      std::uint32_t const place = ranker::target(shared.rank, my_digits[i], ranks[i]);
      if (ranker::place(i) < num_items) {
        shared.keys[place] = my_keys[i];
        if constexpr (has_values<Value>) shared.numbers[place] = static_cast<std::uint16_t>(my_numbers[i]);
      }
    }
    simt::sync_block();
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (ranker::place(i) < num_items) {
        my_keys[i] = shared.keys[ranker::place(i)];
        if constexpr (has_values<Value>) my_numbers[i] = shared.numbers[ranker::place(i)];
      }
    }
  }

#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    if (ranker::place(i) < num_items) *(keys_out + ranker::place(i)) = my_keys[i];
  }
  if constexpr (has_values<Value>) {
    uninitialized_array<Value, items_per_thread> my_values;
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (ranker::place(i) < num_items) my_values[i] = *(values_in + my_numbers[i]);
    }
    simt::sync_block();  // values may be sorted in place
#pragma unroll
    for (int i = 0; i < items_per_thread; ++i) {
      if (ranker::place(i) < num_items) *(values_out + ranker::place(i)) = my_values[i];
    }
  }
}

}  // namespace mgpu::detail
