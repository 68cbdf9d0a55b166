// A unit is what a lane moves at a time between shared and global memory. It is an item; but it is a word where items
// lie in memory side by side and are aligned to less than their size: lanes that moved such items as wholes would
// access memory with gaps, as the compiler accesses those items in words all the same.
#pragma once
#include <mgpu/detail/core/math.h>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

template <int bytes>
struct __attribute__((__may_alias__)) item_word {
  alignas(bytes) std::uint32_t parts[bytes / 4];
};

// The unit of items T that an iterator leads to.
template <class T, class Iterator>
struct item_unit {
  static constexpr int word_bytes = larger(4, static_cast<int>(alignof(T)));
  static constexpr bool is_memory = std::is_same_v<Iterator, T*> || std::is_same_v<Iterator, T const*>;
  static constexpr bool is_word =
      is_memory && alignof(T) == word_bytes && word_bytes <= 16 && (word_bytes < sizeof(T));
  using type = std::conditional_t<is_word, item_word<word_bytes>, T>;
};

// Returns a pointer to the same memory in words.
template <class Word, class T>
__device__ __forceinline__ auto as_words(T* items) {
  if constexpr (std::is_const_v<T>) {
    return reinterpret_cast<Word const*>(items);
  } else {
    return reinterpret_cast<Word*>(items);
  }
}

}  // namespace mgpu::detail
