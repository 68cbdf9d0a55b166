// A kernel copies memory with a few blocks, beside kernels of NCCL's, from which a copy by the whole device would take
// a quarter of their speed.
#pragma once
#include <mgpu/detail/core/array.cuh>
#include <mgpu/detail/core/vector_word.h>
#include <mgpu/detail/simt/simt.cuh>
#include <cstdint>

namespace mgpu::detail {

constexpr int copy_blocks = 16;
constexpr int copy_threads = 512;
constexpr int copy_words_per_thread = 8;

// Copies num_bytes bytes between places of 16 bytes' alignment, which do not overlap. The grid has any size from a warp
// on.
template <int words_per_thread>
__global__ void __launch_bounds__(copy_threads)
    copy_kernel(unsigned char const* from, unsigned char* to, std::int64_t num_bytes) {
  using word = vector_word<16>;
  auto const* const words = reinterpret_cast<word const*>(from);
  auto* const copies = reinterpret_cast<word*>(to);
  std::int64_t const num_words = num_bytes / static_cast<std::int64_t>(sizeof(word));
  auto const threads = static_cast<int>(simt::block_count() * simt::threads_per_block());
  auto const thread = static_cast<int>(simt::block_rank() * simt::threads_per_block() + simt::thread_rank());
  std::int64_t first = thread;
  for (; first + (words_per_thread - 1) * threads < num_words; first += words_per_thread * threads) {
    uninitialized_array<word, words_per_thread> mine;
#pragma unroll
    for (int i = 0; i < words_per_thread; ++i) mine[i] = (words + first)[i * threads];
#pragma unroll
    for (int i = 0; i < words_per_thread; ++i) (copies + first)[i * threads] = mine[i];
  }
  for (; first < num_words; first += threads) copies[first] = words[first];
  std::int64_t const byte = num_words * static_cast<std::int64_t>(sizeof(word)) + thread;
  if (byte < num_bytes) to[byte] = from[byte];
}

}  // namespace mgpu::detail
