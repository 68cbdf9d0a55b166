// A key of at most 16 bytes is moved as one word.
#pragma once
#include <mgpu/detail/core/addressof.h>
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/config.h>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace mgpu::detail {

struct alignas(16) word_of_16_bytes {
  std::uint64_t low;
  std::uint64_t high;
};

// The word that holds a key. One access moves all of it: where threads write to the same place at the same time, one of
// their keys is there afterwards. (Of 16 bytes that is so on the hardware there is; PTX does not promise it.)
template <class Key>
struct word_of_key {
  static_assert(sizeof(Key) <= 16, "a word has 16 bytes at most");
  using type = std::conditional_t<
      sizeof(Key) == 1, std::uint8_t,
      std::conditional_t<sizeof(Key) == 2, std::uint16_t,
                         std::conditional_t<sizeof(Key) <= 4, std::uint32_t,
                                            std::conditional_t<sizeof(Key) <= 8, std::uint64_t, word_of_16_bytes>>>>;
  static_assert(alignof(type) == sizeof(type), "one access moves all of a word");

  // The key is passed by value: nvcc copies the bytes of an object in memory one at a time.
  static __device__ __forceinline__ type of(Key key) {
    type word{};
    memcpy(&word, static_cast<void const*>(cuda::std::addressof(key)), sizeof(Key));
    return word;
  }
  static __device__ __forceinline__ Key key(type word) {
    uninitialized_array<Key, 1> result;
    memcpy(static_cast<void*>(result.items), &word, sizeof(Key));
    return result.items[0];
  }
  // Returns one of two words without a branch. Two keys of several parts would be put in memory to choose between them.
  static __device__ __forceinline__ type choose(bool is_first, type first, type second) {
    if constexpr (sizeof(type) == 16) {
      return {is_first ? first.low : second.low, is_first ? first.high : second.high};
    } else {
      return is_first ? first : second;
    }
  }
};

}  // namespace mgpu::detail
