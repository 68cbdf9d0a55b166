// Large items are moved in pieces, by neighbouring threads, so that memory is read and written coalesced.
#pragma once
#include <cstddef>

namespace mgpu::detail {

// A piece of an item that one thread moves: as wide as the item's alignment allows, at most 16 bytes.
template <std::size_t num_bytes>
struct alignas(num_bytes) vector_word {
  unsigned char bytes[num_bytes];
};
template <class T>
using vector_word_of = vector_word<(alignof(T) < 16 ? alignof(T) : 16)>;

}  // namespace mgpu::detail
