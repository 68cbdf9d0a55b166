// Small numbers in few registers.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <cstdint>

namespace mgpu::detail {

// Numbers below 2^16, two to a word. Set once each, in order.
template <int count>
class packed_numbers {
 public:
  __device__ __forceinline__ void set(int i, std::uint32_t number) {
    if (i % 2 == 0) {
      words_[i / 2] = number;
    } else {
      words_[i / 2] |= number << 16;
    }
  }
  __device__ __forceinline__ std::uint32_t operator[](int i) const {
    return i % 2 == 0 ? words_[i / 2] & 0xFFFF : words_[i / 2] >> 16;
  }

 private:
  std::uint32_t words_[divide_up(count, 2)];
};

}  // namespace mgpu::detail
