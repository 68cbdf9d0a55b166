// Where the items of a random sample stand.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>

namespace mgpu::detail {

// Returns the index of a sample, which is one of the items from the samples' even shares of all; a share is given in
// parts of 2^-32. Where in its share it stands is drawn, so that a period in the keys does not show.
__host__ __device__ constexpr std::uint32_t index_of_sample(std::uint32_t sample, std::uint64_t share) {
  auto const begin = static_cast<std::uint32_t>(sample * share >> 32);
  auto const end = static_cast<std::uint32_t>((sample + std::uint64_t{1}) * share >> 32);
  std::uint32_t drawn = (sample + 1) * 0x9e3779b1u;
  drawn = (drawn ^ drawn >> 15) * 0x85ebca77u;
  drawn ^= drawn >> 13;
  return begin + static_cast<std::uint32_t>(std::uint64_t{drawn} * (end - begin) >> 32);
}

}  // namespace mgpu::detail
