// The first kernel of a radix sort: counts every digit of every key in one read, and plans the passes.
#pragma once
#include <mgpu/detail/backend/onesweep/plan.h>
#include <mgpu/detail/backend/onesweep/state.h>
#include <mgpu/detail/backend/onesweep/storage.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/grid/last_block.cuh>
#include <mgpu/detail/simt/atomic.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <mgpu/detail/warp/offsets_from_counts.cuh>
#include <mgpu/detail/warp/shuffle.cuh>
#include <cstdint>

namespace mgpu::detail {

// The fullest bin of a digit, and how many keys it has.
struct fullest_bin {
  std::uint64_t count;
  int bin;
};
// Writes starts[bin] = how many keys have a lower digit, and returns the fullest bin to all lanes. Called by one
// warp.
template <int num_bins>
__device__ __forceinline__ fullest_bin scan_counts(std::uint64_t (&counts)[num_bins],
                                                   std::uint64_t (&starts)[num_bins]) {
  fullest_bin fullest{0, 0};
  detail::warp_offsets_from_counts<divide_up(num_bins, threads_per_warp)>(counts, starts, 0, 0,
                                                                          [&](int bin, std::uint64_t count) {
                                                                            if (count > fullest.count)
                                                                              fullest = {count, bin};
                                                                          });
#pragma unroll
  for (unsigned distance = 1; distance < threads_per_warp; distance *= 2) {
    fullest_bin const other{simt::shuffle_xor(simt::full_mask, fullest.count, distance),
                            simt::shuffle_xor(simt::full_mask, fullest.bin, distance)};
    if (other.count > fullest.count || (other.count == fullest.count && other.bin < fullest.bin)) fullest = other;
  }
  return fullest;
}

// A warp compares each key with the next one, and notes here whether they are in order. It need only look on while they
// may still be.
class input_order_detector {
 public:
  // Returns whether the keys seen so far are in order.
  __device__ __forceinline__ bool goes_on() const { return !descends_ || !does_not_ascend_; }
  // Compares rows of 32 keys, which all lanes hold the bits of, a key of a row each, with the keys that come next. After
  // the last row comes `after`, which lane 0 knows, or if has_after is false, nothing. Called by all lanes.
  template <int num_rows, class Bits>
  __device__ __forceinline__ void look(Bits const (&rows)[num_rows], Bits after, bool has_after) {
    bool const is_first = simt::lane() == 0;
    bool const is_last = simt::lane() == threads_per_warp - 1;
    bool descends = false, does_not_ascend = false;
#pragma unroll
    for (int r = 0; r < num_rows; ++r) {
      // Lane 0 shows the last lane what comes after this row.
      Bits shown = rows[r];
      if (is_first) shown = r + 1 < num_rows ? rows[r + 1] : after;
      Bits const next = detail::shuffle(shown, (simt::lane() + 1) % threads_per_warp);
      bool const has_next = r + 1 < num_rows || !is_last || has_after;
      descends = descends || (has_next && next < rows[r]);
      does_not_ascend = does_not_ascend || (has_next && next >= rows[r]);
    }
    note(descends, does_not_ascend);
  }
  // Compares `count` keys from `first` on, of num_items, with the next one. Called by all lanes.
  template <bool descending, class Keys>
  __device__ __forceinline__ void look(Keys keys, std::int64_t num_items, std::int64_t first, int count) {
    using Key = iterator_value_t<Keys>;
    bool descends = false, does_not_ascend = false;
#pragma unroll 1
    for (int i = static_cast<int>(simt::lane()); i < count; i += threads_per_warp) {
      if (first + i + 1 >= num_items) break;
      auto const bits = detail::directed_bits<descending>(static_cast<Key>(*(keys + (first + i))));
      auto const next = detail::directed_bits<descending>(static_cast<Key>(*(keys + (first + i + 1))));
      descends = descends || next < bits;
      does_not_ascend = does_not_ascend || next >= bits;
    }
    note(descends, does_not_ascend);
  }
  // Reports to the state what the warp has seen; result() returns the order once all warps have reported.
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
  __device__ __forceinline__ void note(bool descends, bool does_not_ascend) {
    descends_ = descends_ || simt::any(simt::full_mask, descends);
    does_not_ascend_ = does_not_ascend_ || simt::any(simt::full_mask, does_not_ascend);
  }

  bool descends_ = false, does_not_ascend_ = false;
};

// Counts every digit of all keys, and writes the starts of the bins and the plan to the state. The grid has any
// number of blocks, which share the keys out among them; the last one to end plans the passes. If `skip` says so, they
// finish another sort instead. No block waits for another, so no forward progress between blocks is assumed.
template <class Tuning, bool descending, class Keys, class Skip>
__global__ void __launch_bounds__(Tuning::at(current_arch()).histogram_threads_per_block,
                                  Tuning::at(current_arch()).histogram_blocks_per_sm)
    onesweep_histogram_kernel(Keys keys, std::int64_t num_items, pass_rules rules, void* memory, Skip skip) {
  using Key = iterator_value_t<Keys>;
  using digits = radix_digits<Key, Tuning::at(current_arch()).max_digit_bits>;
  using storage = typename onesweep_histogram<Tuning, Key, Skip>::template storage<current_arch()>;
  using counter = std::uint64_t;
  constexpr int threads = Tuning::at(current_arch()).histogram_threads_per_block;
  constexpr int num_counters = digits::count * digits::num_bins;
  constexpr int copies = decltype(storage::histogram)::copies;
  constexpr int keys_at_once = larger(1, smaller(16, 64 / static_cast<int>(sizeof(Key))));  // in flight
  simt::wait_for_primary();
  auto& shared_memory = simt::shared<storage>();
  if (skip()) return skip.finish(shared_memory.left_over);  // the passes need not wait if this does nothing
  simt::launch_dependents();
  auto& shared = shared_memory.histogram;
  auto& state = *static_cast<onesweep_state<digits>*>(memory);
  int const thread = static_cast<int>(simt::thread_rank());
  std::uint32_t* const counts = &shared.counts[0][0][0];
  counter* const all_counts = &state.counts[0][0];
  unsigned const copy = simt::lane() % copies;
  auto const count = [&](auto const& bits, int digit, std::uint32_t keys_like_it) {
    simt::add_shared(shared.counts[digit][digits::get(bits, digit)][copy], keys_like_it);
  };

  input_order_detector watch;
  // The block counts its keys in parts, after each of which the counters start from zero before they could overflow.
  constexpr std::int64_t steps_of_part = (std::int64_t{1} << 31) / (threads * keys_at_once);
  std::int64_t const step = std::int64_t{simt::block_count()} * threads * keys_at_once;
  std::int64_t begin = std::int64_t{simt::block_rank()} * threads * keys_at_once;
  std::int64_t const of_warp = std::int64_t{simt::warp()} * threads_per_warp * keys_at_once;
  while (begin < num_items) {
    for (int i = thread; i < num_counters * copies; i += threads) counts[i] = 0;
    simt::sync_block();
    for (std::int64_t s = 0; s < steps_of_part && begin < num_items; ++s, begin += step) {
      std::int64_t const first = begin + of_warp;
      if (begin + threads * keys_at_once <= num_items) {
        ordered_bits_t<Key> bits[keys_at_once];
#pragma unroll
        for (int i = 0; i < keys_at_once; ++i) {
          bits[i] = detail::directed_bits<descending>(
              static_cast<Key>(*(keys + (first + simt::lane() + i * threads_per_warp))));
        }
        if (watch.goes_on()) {
          std::int64_t const end = first + keys_at_once * threads_per_warp;
          bool const has_after = end < num_items;
          auto after = bits[0];
          if (has_after && simt::lane() == 0)
            after = detail::directed_bits<descending>(static_cast<Key>(*(keys + end)));
          watch.look(bits, after, has_after);
        }
        // A thread whose keys all have the same digit counts them in one step: else warps would wait for each other
        // at one counter.
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
        if (watch.goes_on()) watch.look<descending>(keys, num_items, first, keys_at_once * threads_per_warp);
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

  if (!detail::is_last_block(state.blocks_done, shared.is_last)) return;

  for (int d = static_cast<int>(simt::warp()); d < digits::count; d += threads / threads_per_warp) {
    fullest_bin const fullest = detail::scan_counts(state.counts[d], state.starts[0][d]);
    if (simt::lane() == 0) {
      shared.is_needed[d] = fullest.count != static_cast<std::uint64_t>(num_items);
      bool const is_hot = fullest.count > static_cast<std::uint64_t>(num_items) / 8;
      state.plan.hot_bin[d] = is_hot ? fullest.bin : -1;
      state.plan.lowest_bit[d] = d * digits::bits;
    }
  }
  simt::sync_block();
  if (thread == 0) plan_passes(shared.is_needed, input_order_detector::result(state), rules, state.plan);
}

}  // namespace mgpu::detail
