// The benchmarks' random numbers: counter based, so that any item of any input can be had alone, on host and device.
//
// Number `word` of item `index` is mix((index * words_per_item + word) ^ seed), where mix is the finaliser of
// splitmix64 (Steele, Lea, Flood, OOPSLA 2014) after one step of its golden-ratio counter.
#pragma once
#include <cuda_runtime_api.h>
#include <cstdint>

namespace perf {

__host__ __device__ constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr std::uint64_t words_per_item = 8;
constexpr std::uint64_t default_seed = 0x6d677075;

__host__ __device__ constexpr std::uint64_t random_word(std::uint64_t index, std::uint64_t word,
                                                        std::uint64_t seed = default_seed) {
  return mix((index * words_per_item + word) ^ (seed << 32));
}

}  // namespace perf
