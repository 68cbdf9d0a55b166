// Global memory is set to zero before a kernel counts in it.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <cstdint>

namespace mgpu::detail {

// Sets words to zero in stream order. Up to 4 KB travel with the command; for more the runtime launches a kernel,
// which takes 2.5 us longer on an H200. So more than 4 KB, up to 8 KB, go in two pieces.
inline void clear(device_call const& call, std::uint64_t* words, std::int64_t num_words) {
  constexpr std::int64_t words_of_command = 512;
  std::int64_t const first = num_words <= 2 * words_of_command ? smaller(num_words, words_of_command) : num_words;
  auto const set = [&](std::uint64_t* begin, std::int64_t count) {
    detail::check(cudaMemsetAsync(begin, 0, static_cast<std::size_t>(count) * sizeof(std::uint64_t), call.stream()),
                  call.name(), "cudaMemsetAsync");
  };
  set(words, first);
  if (first < num_words) set(words + first, num_words - first);
}

}  // namespace mgpu::detail
