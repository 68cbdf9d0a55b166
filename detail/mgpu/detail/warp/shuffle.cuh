// The lanes of a warp exchange values of any trivially copyable type, four bytes at a time.
#pragma once
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>
#include <cstring>

namespace mgpu::detail {

namespace impl {
// Returns the value whose words are those of `value`, each passed through exchange(word). Values of more than 256 bytes
// do not fit into registers anyway, and compilers take minutes to unroll a loop over their words wherever it stands.
template <class T, class Exchange>
__device__ __forceinline__ T exchange_words(T const& value, Exchange exchange) {
  constexpr int num_words = (sizeof(T) + 3) / 4;
  [[maybe_unused]] constexpr int at_once = num_words <= 64 ? 64 : 1;
  std::uint32_t words[num_words];
  words[num_words - 1] = 0;  // the value may not fill the last word
  memcpy(words, static_cast<void const*>(cuda::std::addressof(value)), sizeof(T));
#pragma unroll at_once
  for (int i = 0; i < num_words; ++i) words[i] = exchange(words[i]);
  uninitialized_array<T, 1> result;
  memcpy(static_cast<void*>(result.items), words, sizeof(T));
  return result.items[0];
}
}  // namespace impl

// Returns how many of a warp's five steps are unrolled. Those of large values are long by themselves, and to compile.
__host__ __device__ constexpr int unrolled_steps(std::size_t size) { return size < 64 ? 5 : 1; }

// Each of these functions returns the value of another lane: of lane `source`, or of the lane `delta` below or
// above. They are called by all lanes of the warp. A lane whose source lies outside the warp gets its own value.
template <class T>
__device__ __forceinline__ T shuffle(T const& value, unsigned source) {
  return impl::exchange_words(value, [=](unsigned word) { return simt::shuffle(simt::full_mask, word, source); });
}
template <class T>
__device__ __forceinline__ T shuffle_up(T const& value, unsigned delta) {
  return impl::exchange_words(value, [=](unsigned word) { return simt::shuffle_up(simt::full_mask, word, delta); });
}
template <class T>
__device__ __forceinline__ T shuffle_down(T const& value, unsigned delta) {
  return impl::exchange_words(value, [=](unsigned word) { return simt::shuffle_down(simt::full_mask, word, delta); });
}

}  // namespace mgpu::detail
