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

template <class Tuning, class Key, class Value>
struct radix_block {
  template <int arch>
  struct storage {
    static constexpr radix_block_tuning tuning = Tuning::at(arch);
    using digits = onesweep_digits<Tuning, Key, arch>;
    using ranker = block_radix_rank<tuning.threads_per_block, tuning.items_per_thread, digits::bits>;
    typename ranker::temp_storage rank;
    typename ranker::match_storage match;
    // A pass reads one and writes the other.
    uninitialized_array<Key, tuning.tile_items()> keys[2];
    uninitialized_array<Value, has_values<Value> ? tuning.tile_items() : 1> values[2];
    bool is_shared[digits::count];  // a digit by all keys
    __device__ storage() {}
  };
};

// One block. Each warp has as many rows of 32 items as it takes. Loops over rows are not unrolled: the block does nothing
// twice often enough to pay for bringing more instructions.
template <class Tuning, bool descending, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
__global__ void __launch_bounds__(Tuning::at(current_arch()).threads_per_block)
    radix_block_kernel(KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out, int num_items) {
  using Key = iterator_value_t<KeysIn>;
  using Value = iterator_value_t<ValuesIn>;
  using storage = typename radix_block<Tuning, Key, Value>::template storage<current_arch()>;
  using digits = typename storage::digits;
  using ranker = typename storage::ranker;
  constexpr int threads = storage::tuning.threads_per_block;
  constexpr int bins_per_thread = ranker::bins_per_thread;
  auto& shared = simt::shared<storage>();
  int const thread = static_cast<int>(simt::thread_rank());
  int const items_of_warp = divide_up(num_items, threads) * threads_per_warp;
  int const first = static_cast<int>(simt::warp()) * items_of_warp + static_cast<int>(simt::lane());
  typename ranker::rows const my_rows{first, first + items_of_warp, num_items};

  auto const for_each_bin = [&](auto f) {
#pragma unroll
    for (int b = 0; b < bins_per_thread; ++b) {
      int const bin = thread * bins_per_thread + b;
      if (bin < digits::num_bins) f(b, bin);
    }
  };

#pragma unroll 4
  for (int i = thread; i < num_items; i += threads) {
    shared.keys[0][i] = *(keys_in + i);
    if constexpr (has_values<Value>) shared.values[0][i] = *(values_in + i);
  }
  if (thread < digits::count) shared.is_shared[thread] = false;
  simt::sync_block();

  int from = 0;
#pragma unroll 1
  for (int digit = 0; digit < digits::count; ++digit) {
    auto const digit_of = [&](int i) { return digits::get(directed_bits<descending>(shared.keys[from][i]), digit); };
    ranker::count_rows(shared.rank, my_rows, digit_of);
    simt::sync_block();

    typename ranker::warp_counts counts[bins_per_thread];
    std::uint32_t totals[bins_per_thread] = {};
    std::uint32_t starts[bins_per_thread];
    for_each_bin([&](int b, int bin) {
      ranker::read_bin(shared.rank, bin, counts[b]);
      totals[b] = ranker::sum(counts[b]);
      if (static_cast<int>(totals[b]) == num_items) shared.is_shared[digit] = true;
    });
    ranker::scan_totals(shared.rank, totals, starts);
    if (shared.is_shared[digit]) {
      simt::sync_block();
      continue;
    }
    for_each_bin([&](int b, int bin) { ranker::place_bin(shared.rank, bin, starts[b], counts[b]); });
    simt::sync_block();
    ranker::place_rows(shared.rank, shared.match, my_rows, digit_of, [&](int i, std::uint32_t target) {
      shared.keys[1 - from][target] = shared.keys[from][i];
      if constexpr (has_values<Value>) shared.values[1 - from][target] = shared.values[from][i];
    });
    simt::sync_block();
    from = 1 - from;
  }

#pragma unroll 4
  for (int i = thread; i < num_items; i += threads) {
    *(keys_out + i) = shared.keys[from][i];
    if constexpr (has_values<Value>) *(values_out + i) = shared.values[from][i];
  }
}

}  // namespace mgpu::detail
