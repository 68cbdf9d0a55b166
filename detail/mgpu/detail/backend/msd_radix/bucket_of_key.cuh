// One thread finds the bucket of a key, or its bin.
#pragma once
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/core/radix_key.h>
#include <cstdint>

namespace mgpu::detail {

// The order of the buckets of keys is that of the keys.
template <bool descending, class Key>
class msd_bucket_of {
  using Bits = ordered_bits_t<Key>;

 public:
  // Drops `dropped` of the digits' bits: with second_bits, the function below returns bins.
  __device__ __forceinline__ msd_bucket_of(msd_radix_findings<Bits> const& found, msd_radix_digits const& digits,
                                           int dropped)
      : lowest_(found.lowest), highest_(found.highest), shift_(found.width - digits.bits() + dropped) {}

  __device__ __forceinline__ std::uint32_t operator()(Key const& key) const {
    Bits const bits = smaller(larger(detail::directed_bits<descending>(key), lowest_), highest_);
    return static_cast<std::uint32_t>(static_cast<Bits>(bits - lowest_) >> shift_);
  }

 private:
  Bits lowest_;
  Bits highest_;
  int shift_;
};

}  // namespace mgpu::detail
