// One thread finds the bucket of a key, or its bin, by the key's directed bits: buckets have equal widths, or equal shares
// of the quantiles of keys.
#pragma once
#include <mgpu/detail/backend/msd_radix/quantiles.cuh>
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// The order of buckets is that of the bits.
template <class Bits>
class msd_bucket_of {
 public:
  static constexpr bool is_costly = false;
  // Drops `dropped` of the digits' bits: with second_bits, the function below returns bins.
  __device__ __forceinline__ msd_bucket_of(msd_radix_findings<Bits> const& found, msd_radix_digits const& digits,
                                           int dropped)
      : lowest_(found.lowest), highest_(found.highest), shift_(found.width - digits.bits() + dropped) {}

  __device__ __forceinline__ std::uint32_t operator()(Bits bits) const {
    return static_cast<std::uint32_t>(static_cast<Bits>(smaller(larger(bits, lowest_), highest_) - lowest_) >>
                                      shift_);
  }

 private:
  Bits lowest_;
  Bits highest_;
  int shift_;
};

// Returns buckets, or bins, of equal shares of the quantiles of keys.
template <int segment_bits>
class msd_bucket_of_quantile {
 public:
  static constexpr bool is_costly = true;
  __device__ __forceinline__ msd_bucket_of_quantile(quantile_of<segment_bits> const& quantile, int width,
                                                    msd_radix_digits const& digits, int dropped)
      : quantile_(quantile), width_(width), shift_(detail::quantile_bits(digits) - digits.bits() + dropped) {}

  template <class Bits>
  __device__ __forceinline__ std::uint32_t operator()(Bits bits) const {
    return quantile_(detail::highest_bits(bits, width_)) >> shift_;
  }

 private:
  quantile_of<segment_bits> quantile_;
  int width_;
  int shift_;
};

// The memory of a block that finds buckets.
template <class Tuning>
struct msd_radix_finder {
  template <int arch, bool has_quantiles = Tuning::at(arch).has_quantiles()>
  struct storage {};
  template <int arch>
  struct storage<arch, true> {
    std::uint32_t segments[quantile_table(Tuning::at(arch)).num_segments];
    std::uint32_t cells[quantile_table(Tuning::at(arch)).max_cells];
  };
};

// Calls f(bucket_of), once, with what finds the bucket of bits, less `dropped` bits. Called by all threads of a block; may
// have a barrier.
template <class Tuning, class Shared, class Bits, class F>
__device__ __forceinline__ void find_buckets(Shared& shared, msd_radix_state<Bits> const& state,
                                             msd_radix_digits const& digits, int dropped, F f) {
  constexpr msd_radix_tuning tuning = Tuning::at(current_arch());
  if constexpr (tuning.has_quantiles()) {
    if (state.found->num_cells != 0) {
      constexpr int segment_bits = quantile_table(tuning).segment_bits;
      unsigned const thread = simt::thread_rank();
      unsigned const threads = simt::threads_per_block();
      for (unsigned i = thread; i < 1u << segment_bits; i += threads) shared.segments[i] = state.segments[i];
      for (unsigned i = thread; i < state.found->num_cells; i += threads) shared.cells[i] = state.cells[i];
      simt::sync_block();
      quantile_of<segment_bits> const quantile(shared.segments, shared.cells, detail::quantile_bits(digits));
      return f(msd_bucket_of_quantile<segment_bits>(quantile, state.found->width, digits, dropped));
    }
  }
  f(msd_bucket_of<Bits>(*state.found, digits, dropped));
}

}  // namespace mgpu::detail
