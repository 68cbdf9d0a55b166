// A backend's launches can be told on the device to do nothing, where another backend has sorted already.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>

namespace mgpu::detail {

// Skips nothing.
struct never_skip {
  __device__ constexpr bool operator()() const { return false; }
};

// Skips if the word is not zero, which an earlier launch in the stream has written. Null skips nothing.
struct skip_if {
  std::uint64_t const* is_done;
  __device__ bool operator()() const { return is_done != nullptr && *is_done != 0; }
};

}  // namespace mgpu::detail
