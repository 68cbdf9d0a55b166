// Exchanging values of any trivially copyable type between the lanes of a warp, four bytes at a time.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/simt.cuh>
#include <cstdint>
#include <cstring>

namespace mgpu::detail {

namespace impl {
template <class T, class Exchange>
__device__ __forceinline__ T exchange_words(T const& value, Exchange exchange) {
  constexpr int num_words = (sizeof(T) + 3) / 4;
  std::uint32_t words[num_words];
  words[num_words - 1] = 0;  // which the value may not fill
  memcpy(words, static_cast<void const*>(&value), sizeof(T));
#pragma unroll
  for (int i = 0; i < num_words; ++i) words[i] = exchange(words[i]);
  uninitialized_array<T, 1> result;
  memcpy(static_cast<void*>(&result.items[0]), words, sizeof(T));
  return result.items[0];
}
}  // namespace impl

// The value of another lane. Called by all lanes of the warp. A lane whose source lies outside the warp gets its own.
template <class T>
__device__ __forceinline__ T shuffle(T const& value, unsigned source_lane) {
  return impl::exchange_words(
      value, [=](std::uint32_t word) { return simt::shuffle(simt::full_mask, word, source_lane); });
}
template <class T>
__device__ __forceinline__ T shuffle_up(T const& value, unsigned delta) {
  return impl::exchange_words(value,
                              [=](std::uint32_t word) { return simt::shuffle_up(simt::full_mask, word, delta); });
}
template <class T>
__device__ __forceinline__ T shuffle_down(T const& value, unsigned delta) {
  return impl::exchange_words(value,
                              [=](std::uint32_t word) { return simt::shuffle_down(simt::full_mask, word, delta); });
}
template <class T>
__device__ __forceinline__ T shuffle_xor(T const& value, unsigned lane_mask) {
  return impl::exchange_words(
      value, [=](std::uint32_t word) { return simt::shuffle_xor(simt::full_mask, word, lane_mask); });
}

}  // namespace mgpu::detail
