// Exchanging values of any trivially copyable type between the lanes of a warp, four bytes at a time.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/simt.cuh>
#include <cstdint>
#include <cstring>

namespace mgpu::detail {

namespace impl {
// A value as words, in registers.
template <class T>
struct words_of {
  static constexpr int count = (sizeof(T) + 3) / 4;
  std::uint32_t words[count];

  words_of() = default;
  __device__ __forceinline__ explicit words_of(T const& value) {
    words[count - 1] = 0;  // which the value may not fill
    memcpy(words, static_cast<void const*>(&value), sizeof(T));
  }
  __device__ __forceinline__ T value() const {
    uninitialized_array<T, 1> result;
    memcpy(static_cast<void*>(&result.items[0]), words, sizeof(T));
    return result.items[0];
  }
};

template <class T, class Exchange>
__device__ __forceinline__ T exchange_words(T const& value, Exchange exchange) {
  words_of<T> all(value);
#pragma unroll
  for (int i = 0; i < words_of<T>::count; ++i) all.words[i] = exchange(all.words[i]);
  return all.value();
}
}  // namespace impl

// The value of another lane. Called by all lanes of the warp. A lane whose source lies outside the warp gets its own.
template <class T>
__device__ __forceinline__ T shuffle(T const& value, unsigned source_lane) {
  return impl::exchange_words(value,
                              [=](std::uint32_t word) { return simt::shuffle(simt::full_mask, word, source_lane); });
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

}  // namespace mgpu::detail
