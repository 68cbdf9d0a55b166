// The first kernel of a radix sort: counts every digit of every key in one read, and plans the passes.
#pragma once
#include <mgpu/detail/backend/onesweep/plan.h>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/core/atomic.cuh>
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/core/simt.cuh>
#include <mgpu/detail/warp/reduce.cuh>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Tunings with the same digits share one histogram kernel.
namespace impl {
template <class Tuning, class = void>
struct histogram_tuning {
  using type = Tuning;
};
template <class Tuning>
struct histogram_tuning<Tuning, std::void_t<typename Tuning::histogram>> {
  using type = typename Tuning::histogram;
};
}  // namespace impl
template <class Tuning>
using histogram_tuning = typename impl::histogram_tuning<Tuning>::type;

template <class Tuning, class Key, int arch>
struct onesweep_digits : digits_of<radix_traits<Key>::bits, Tuning::at(arch).max_digit_bits> {};

// As many as half of a multiprocessor's shared memory has room for, at most one for each lane; a power of two.
__host__ __device__ constexpr int histogram_copies(int num_counters, int arch) {
  int const room = (has_large_blocks(arch) ? 128 : 32) * 1024 / 4 / num_counters;
  int copies = 1;
  while (2 * copies <= smaller(room, threads_per_warp)) copies *= 2;
  return copies;
}

// Global memory that the kernels of a sort share.
template <class Digits>
struct onesweep_state {
  // Zero before the sort.
  std::uint64_t blocks_done;
  std::uint64_t counts[Digits::count][Digits::num_bins];
  std::uint32_t descends;         // whether a key is below the one before it
  std::uint32_t does_not_ascend;  // from behind: whether a key is not below the one before it
  // Written by the histogram kernel.
  // Of each bin, where the first item of a launch goes: launches of a pass read and write the two sets in turns.
  std::uint64_t starts[2][Digits::count][Digits::num_bins];
  pass_plan<Digits::count> plan;
};

template <class Tuning, class Key>
struct onesweep_histogram {
  template <int arch>
  struct storage {
    using digits = onesweep_digits<Tuning, Key, arch>;
    // Copies of the counters, each for some of the lanes, lie in banks of their own: what lanes count at a time then
    // seldom meets.
    static constexpr int copies = histogram_copies(digits::count * digits::num_bins, arch);
    std::uint32_t counts[digits::count][digits::num_bins][copies];
    bool is_needed[digits::count];
    bool is_last;
  };
  template <int arch>
  using state = onesweep_state<onesweep_digits<Tuning, Key, arch>>;
};

// starts[bin] = how many keys have a lower digit. Tells the fullest bin and how many keys it has. One warp.
struct fullest_bin {
  std::uint64_t count;
  int bin;
};
template <int num_bins>
__device__ __forceinline__ fullest_bin scan_counts(std::uint64_t (&counts)[num_bins],
                                                   std::uint64_t (&starts)[num_bins]) {
  constexpr int bins_per_lane = divide_up(num_bins, threads_per_warp);
  cuda::std::plus<> op;
  int const first = static_cast<int>(simt::lane()) * bins_per_lane;
  std::uint64_t count[bins_per_lane];
  std::uint64_t mine = 0;
  fullest_bin fullest{0, 0};
#pragma unroll
  for (int b = 0; b < bins_per_lane; ++b) {
    count[b] = first + b < num_bins ? simt::load_relaxed(counts[first + b]) : 0;
    mine += count[b];
    if (count[b] > fullest.count) fullest = {count[b], first + b};
  }
  std::uint64_t start = detail::warp_inclusive_scan(mine, threads_per_warp, op) - mine;
#pragma unroll
  for (int b = 0; b < bins_per_lane; ++b) {
    if (first + b < num_bins) starts[first + b] = start;
    start += count[b];
  }
#pragma unroll
  for (unsigned distance = 1; distance < threads_per_warp; distance *= 2) {
    fullest_bin const other{simt::shuffle_xor(simt::full_mask, fullest.count, distance),
                            simt::shuffle_xor(simt::full_mask, fullest.bin, distance)};
    if (other.count > fullest.count || (other.count == fullest.count && other.bin < fullest.bin)) fullest = other;
  }
  return fullest;
}

// What a warp has seen of the order of the keys, each against the next one. It looks on while there may be one.
class order_watch {
 public:
  __device__ __forceinline__ bool goes_on() const { return !descends_ || !does_not_ascend_; }
  // Called by all lanes.
  __device__ __forceinline__ void add(bool descends, bool does_not_ascend) {
    descends_ = descends_ || simt::any(simt::full_mask, descends);
    does_not_ascend_ = does_not_ascend_ || simt::any(simt::full_mask, does_not_ascend);
  }
  template <class State>
  __device__ __forceinline__ void report(State& state) const {
    if (simt::lane() != 0) return;
    if (descends_) simt::store_relaxed(state.descends, 1u);
    if (does_not_ascend_) simt::store_relaxed(state.does_not_ascend, 1u);
  }
  template <class State>
  static __device__ __forceinline__ input_order result(State& state) {
    return simt::load_relaxed(state.descends) == 0          ? input_order::sorted
           : simt::load_relaxed(state.does_not_ascend) == 0 ? input_order::reversed
                                                            : input_order::none;
  }

 private:
  bool descends_ = false, does_not_ascend_ = false;
};

// Any number of blocks, which share the keys out among them; the last to end plans the passes. Assumes no forward
// progress between blocks.
template <class Tuning, bool descending, class Keys>
__global__ void __launch_bounds__(Tuning::at(current_arch()).histogram_threads_per_block,
                                  Tuning::at(current_arch()).histogram_blocks_per_sm)
    onesweep_histogram_kernel(Keys keys, std::int64_t num_items, pass_rules rules, void* memory) {
  using Key = iterator_value_t<Keys>;
  using digits = onesweep_digits<Tuning, Key, current_arch()>;
  using storage = typename onesweep_histogram<Tuning, Key>::template storage<current_arch()>;
  using counter = std::uint64_t;
  constexpr int threads = Tuning::at(current_arch()).histogram_threads_per_block;
  constexpr int num_counters = digits::count * digits::num_bins;
  constexpr int copies = storage::copies;
  constexpr int keys_at_once = larger(1, smaller(16, 64 / static_cast<int>(sizeof(Key))));  // in flight
  simt::launch_dependents();
  auto& shared = simt::shared<storage>();
  auto& state = *static_cast<onesweep_state<digits>*>(memory);
  int const thread = static_cast<int>(simt::thread_rank());
  std::uint32_t* const counts = &shared.counts[0][0][0];
  counter* const all_counts = &state.counts[0][0];
  unsigned const copy = simt::lane() % copies;
  auto const count = [&](auto const& bits, int digit, std::uint32_t keys_like_it) {
    simt::add_shared(shared.counts[digit][digits::get(bits, digit)][copy], keys_like_it);
  };

  order_watch watch;
  // Each key against the next one, while there may be an order.
  auto const look_at_order = [&](std::int64_t first) {
    bool descends = false, does_not_ascend = false;
#pragma unroll
    for (int i = 0; i < keys_at_once; ++i) {
      std::int64_t const at = first + i * threads_per_warp;
      if (at + 1 < num_items) {
        auto const bits = detail::directed_bits<descending>(static_cast<Key>(*(keys + at)));
        auto const next = detail::directed_bits<descending>(static_cast<Key>(*(keys + (at + 1))));
        descends = descends || next < bits;
        does_not_ascend = does_not_ascend || next >= bits;
      }
    }
    watch.add(descends, does_not_ascend);
  };

  // In parts, after each of which the counters start anew before they could overflow.
  constexpr std::int64_t steps_of_part = (std::int64_t{1} << 31) / (threads * keys_at_once);
  std::int64_t const step = std::int64_t{simt::block_count()} * threads * keys_at_once;
  std::int64_t begin = std::int64_t{simt::block_rank()} * threads * keys_at_once;
  std::int64_t const my_first = std::int64_t{simt::warp()} * threads_per_warp * keys_at_once + simt::lane();
  while (begin < num_items) {
    for (int i = thread; i < num_counters * copies; i += threads) counts[i] = 0;
    simt::sync_block();
    for (std::int64_t s = 0; s < steps_of_part && begin < num_items; ++s, begin += step) {
      std::int64_t const first = begin + my_first;
      if (watch.goes_on()) look_at_order(first);
      if (begin + threads * keys_at_once <= num_items) {
        ordered_bits_t<Key> bits[keys_at_once];
#pragma unroll
        for (int i = 0; i < keys_at_once; ++i) {
          bits[i] = detail::directed_bits<descending>(static_cast<Key>(*(keys + (first + i * threads_per_warp))));
        }
        // Where neighbours are alike, warps would wait for each other at one counter.
        auto differ = bits[0] ^ bits[0];
#pragma unroll
        for (int i = 1; i < keys_at_once; ++i) differ |= bits[0] ^ bits[i];
#pragma unroll
        for (int d = 0; d < digits::count; ++d) {
          if (digits::get(differ, d) == 0) {
            count(bits[0], d, keys_at_once);
          } else {
#pragma unroll
            for (int i = 0; i < keys_at_once; ++i) count(bits[i], d, 1);
          }
        }
      } else {
#pragma unroll 1
        for (std::int64_t i = begin + thread; i < num_items; i += threads) {
          auto const bits = detail::directed_bits<descending>(static_cast<Key>(*(keys + i)));
#pragma unroll
          for (int d = 0; d < digits::count; ++d) count(bits, d, 1);
        }
      }
    }
    simt::sync_block();
    for (int i = thread; i < num_counters; i += threads) {
      std::uint32_t sum = 0;
#pragma unroll 8
      for (int c = 0; c < copies; ++c) sum += counts[i * copies + (thread + c) % copies];
      if (sum != 0) simt::add_relaxed<counter>(all_counts[i], sum);
    }
    simt::sync_block();
  }

  watch.report(state);

  // What each thread added comes before the block counts itself.
  simt::fence_device();
  simt::sync_block();
  if (thread == 0) shared.is_last = simt::add_acq_rel<counter>(state.blocks_done, 1) == simt::block_count() - 1;
  simt::sync_block();
  if (!shared.is_last) return;

  for (int d = static_cast<int>(simt::warp()); d < digits::count; d += threads / threads_per_warp) {
    fullest_bin const fullest = detail::scan_counts(state.counts[d], state.starts[0][d]);
    if (simt::lane() == 0) {
      shared.is_needed[d] = fullest.count != static_cast<std::uint64_t>(num_items);
      bool const is_crowded = fullest.count > static_cast<std::uint64_t>(num_items) / 8;
      state.plan.crowded_bin[d] = is_crowded ? fullest.bin : -1;
    }
  }
  simt::sync_block();
  if (thread == 0) plan_passes(shared.is_needed, order_watch::result(state), rules, state.plan);
}

}  // namespace mgpu::detail
