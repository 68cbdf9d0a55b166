// One thread finds the bucket of a key, or its bin, by the key's directed bits.
#pragma once
#include <mgpu/detail/backend/msd_radix/state.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

// The order of buckets is that of the bits.
template <class Bits>
class msd_bucket_of {
 public:
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

}  // namespace mgpu::detail
