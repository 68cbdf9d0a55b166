// This kernel of a sort of keys with values by their highest digits says where buckets begin, and plans two passes of
// another backend, which put pairs into these buckets in a stable way: by the lower of two digits first.
#pragma once
#include <mgpu/detail/backend/msd_radix/pairs_tuning.h>
#include <mgpu/detail/backend/msd_radix/plan_kernel.cuh>
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/block/integer_scan.cuh>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/pass_plan.h>
#include <mgpu/detail/grid/last_block.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// The memory of a block that plans.
template <class Tuning>
struct msd_pairs_planner {
  template <int arch>
  struct storage : msd_radix_planner<Tuning>::template storage<arch> {
    std::uint32_t of_digit[1 << Tuning::at(arch).max_second_digit_bits];  // how many keys have the lower digit
  };
};

// Writes how many keys have each value of the lower digit. Called by all threads of a block; a barrier is owed.
template <int threads, int num_bins, class Bits>
__device__ __forceinline__ void count_lower_digit(std::uint32_t (&of_digit)[num_bins], msd_radix_digits const& digits,
                                                  msd_radix_state<Bits> const& state) {
  constexpr int columns = smaller(threads, num_bins);  // at a time
  constexpr int rows = threads / columns;
  int const thread = static_cast<int>(simt::thread_rank());
  for (int bin = thread; bin < num_bins; bin += threads) of_digit[bin] = 0;
  simt::sync_block();
  if (thread >= rows * columns) return;
  for (int bin = thread % columns; bin < num_bins; bin += columns) {
    std::uint32_t sum = 0;
#pragma unroll 8
    for (int row = thread / columns; row < digits.num_bins(); row += rows) {
      sum += simt::load_relaxed(state.counts[row * num_bins + bin]);
    }
    simt::add_shared(of_digit[bin], sum);
  }
}

// Plans by as many threads as there are buckets. Where no bucket is too large, the keys are taken: the passes of the two
// lowest digits, whose state is that of Passes and zero, are made by the bits above those that a bucket is sorted by.
template <class Tuning, class Passes, class Bits>
__global__ void __launch_bounds__(Tuning::at(current_arch()).histogram_threads_per_block)
    msd_pairs_plan_kernel(std::int64_t num_items, msd_radix_digits digits, msd_radix_state<Bits> state,
                          void* memory_of_passes) {
  constexpr msd_radix_tuning tuning = Tuning::at(current_arch());
  constexpr int threads = tuning.histogram_threads_per_block;
  using passes_state = typename Passes::template state<current_arch()>;
  using counts_type = decltype(passes_state::counts);
  constexpr int num_digits = std::extent_v<counts_type, 0>;
  constexpr int num_bins = std::extent_v<counts_type, 1>;
  static_assert(
      num_digits >= 2 && num_bins == 1 << tuning.max_second_digit_bits &&
          tuning.max_first_digit_bits <= tuning.max_second_digit_bits && tuning.max_bucket_tiles <= 2 &&
          tuning.bucket.items_per_thread <= 32 && can_merge_uneven(tuning.bucket_shape(false)) &&
          can_merge_uneven(tuning.bucket_shape(true)),
      "mgpu: with_tuning: keys with values are sorted by a second digit that has as many bits as those of "
      "the other way, which are 8, and a first one that has no more; a bucket has two tiles at most, and a "
      "tile, also one of twice the size, at most 32 items for each thread, of 512 threads and a power of two");
  if (state.found->is_promising == 0) return simt::skip_launch();
  simt::wait_for_primary();
  simt::launch_dependents();
  auto& shared = simt::shared<typename msd_pairs_planner<Tuning>::template storage<current_arch()>>();
  int const first_bucket = static_cast<int>(simt::block_rank()) * threads;
  detail::open_buckets<Tuning>(shared, first_bucket, num_items, digits, state);
  int const bucket = first_bucket + static_cast<int>(simt::thread_rank());
  int const tile_items = tuning.bucket_shape(digits.has_doubled_buckets).tile_items();
  auto const most = static_cast<std::uint32_t>(most_of_run(tile_items, digits) * tuning.max_bucket_tiles);
  if (bucket < digits.num_buckets() && simt::load_relaxed(state.counts[bucket]) > most) {
    simt::store_relaxed<std::uint32_t>(state.found->has_large_bucket, 1);
  }
  if (!detail::is_last_block(state.found->blocks_done, shared.is_last)) return;
  if (simt::load_relaxed(state.found->has_large_bucket) != 0 ||
      simt::load_relaxed(state.found->num_uneven) > static_cast<std::uint32_t>(digits.num_buckets()) / 16) {
    return;
  }

  auto& passes = *static_cast<passes_state*>(memory_of_passes);
  int const lowest_bit = state.found->width - digits.bits();
  int const first_lowest_bit = lowest_bit + digits.second_bits;
  detail::count_lower_digit<threads>(shared.of_digit, digits, state);
  simt::sync_block();
  constexpr int bins_per_thread = divide_up(num_bins, threads);
  int const first_bin = static_cast<int>(simt::thread_rank()) * bins_per_thread;
  int const end_bin = smaller(first_bin + bins_per_thread, num_bins);
  std::uint32_t mine = 0;
  for (int bin = first_bin; bin < end_bin; ++bin) mine += shared.of_digit[bin];
  std::uint32_t start = detail::block_exclusive_scan(mine, shared.warps);
  for (int bin = first_bin; bin < end_bin; ++bin) {
    passes.starts[0][0][bin] = start;
    start += shared.of_digit[bin];
  }
  // The digit of the second pass may have more bits, which are above those that tell keys apart.
  auto const shared_bits = static_cast<std::uint32_t>(state.found->lowest >> first_lowest_bit);
  for (int bin = static_cast<int>(simt::thread_rank()); bin < digits.num_bins(); bin += threads) {
    passes.starts[0][1][(shared_bits + static_cast<std::uint32_t>(bin)) % num_bins] = state.starts[bin * num_bins];
  }
  if (simt::thread_rank() == 0) {
    auto& plan = passes.plan;
    plan.order = input_order::none;
    for (int d = 0; d < num_digits; ++d) {
      plan.is_made[d] = d < 2;
      plan.passes_before[d] = d;
      plan.hot_bin[d] = -1;
    }
    plan.lowest_bit[0] = lowest_bit;
    plan.lowest_bit[1] = first_lowest_bit;
    plan.source[0] = pass_buffer::input;
    plan.target[0] = plan.source[1] = pass_buffer::alternate;
    plan.target[1] = pass_buffer::output;
    state.found->is_taken = 1;
  }
}

}  // namespace mgpu::detail
