// One thread keeps small integers in few registers.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

// Holds `count` integers of at most `bits` bits, four or two to a word. Each is set once, in order.
template <int count, int bits>
class packed_numbers {
  static_assert(bits <= 16);
  static constexpr int width = bits <= 8 ? 8 : 16;
  static constexpr int per_word = 32 / width;

 public:
  __device__ __forceinline__ void set(int i, std::uint32_t number) {
    if (i % per_word == 0) {
      words_[i / per_word] = number;
    } else {
      words_[i / per_word] |= number << i % per_word * width;
    }
  }
  __device__ __forceinline__ std::uint32_t operator[](int i) const {
    return words_[i / per_word] >> i % per_word * width & ((1u << width) - 1);
  }
  // Makes the integers be unpacked anew from here on, instead of staying unpacked in registers.
  __device__ __forceinline__ void forget() {
#pragma unroll
    for (std::uint32_t& word : words_) simt::forget(word);
  }

 private:
  std::uint32_t words_[divide_up(count, per_word)];
};

}  // namespace mgpu::detail
