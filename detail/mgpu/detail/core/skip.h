// A backend's launches can be told on the device to do nothing, where another backend has sorted already, or to do what
// that one has left over.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstdint>

namespace mgpu::detail {

// Skips nothing.
struct never_skip {
  template <int arch, int threads_per_block>
  struct storage {};
  __device__ constexpr bool operator()() const { return false; }
  __device__ constexpr bool is_finishing() const { return false; }
  template <class Storage>
  __device__ void finish(Storage& /*shared*/) const {}
};

// Skips where another backend has sorted, as earlier launches in the stream have found. Nulls skip nothing.
struct skip_if {
  template <int arch, int threads_per_block>
  struct storage {};
  std::uint64_t const* is_done = nullptr;
  std::uint32_t const* num_left_over = nullptr;  // what the first kernel still finishes
  __device__ bool operator()() const { return is_done != nullptr && *is_done != 0; }
  __device__ bool is_finishing() const { return *num_left_over != 0; }
  template <class Storage>
  __device__ void finish(Storage& /*shared*/) const {}
};

}  // namespace mgpu::detail
