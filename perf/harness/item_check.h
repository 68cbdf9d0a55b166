// What makes an output right, item by item, on host and device: it is in order, stable, and the same multiset of items.
#pragma once
#include <harness/types.h>
#include <cuda_runtime_api.h>
#include <cstring>
#include <type_traits>

namespace perf {

template <class T>
__host__ __device__ u64 hash_of_bytes(T const& item) {
  u64 hash = 0;
  if constexpr (sizeof(T) % 4 == 0) {
    u32 words[sizeof(T) / 4];
    memcpy(words, &item, sizeof(T));
    for (u32 const word : words) hash = mix(hash ^ word);
  } else if constexpr (!std::is_same_v<T, none>) {
    hash = mix(static_cast<u64>(item));
  }
  return hash;
}

// Sums of these over all items, modulo 2^64, are equal for equal multisets of items, and hardly for others.
template <class Key, class Value>
__host__ __device__ u64 hash_of_item(Key const& key, Value const& value) {
  return mix(hash_of_bytes(key) + 3 * hash_of_bytes(value));
}

// Returns whether two neighbours of an output are in order, which among equals is the order of the input.
template <class Key, class Value>
__host__ __device__ bool in_order(Key const& key, [[maybe_unused]] Value const& value, Key const& next_key,
                                  [[maybe_unused]] Value const& next_value) {
  if (comes_before(key, next_key)) return true;
  if (comes_before(next_key, key)) return false;
  if constexpr (std::is_same_v<Key, s16>) {
    if (key.id >= next_key.id) return false;
  }
  if constexpr (!std::is_same_v<Value, none>) {
    if (index_of(value) >= index_of(next_value)) return false;
  }
  return true;
}

}  // namespace perf
