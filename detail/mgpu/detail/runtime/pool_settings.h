// How much memory the scratch pool of the current device keeps between calls.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/pool.h>
#include <cstdint>

namespace mgpu::detail {

// Sets how many bytes of unused memory the pool keeps. It works during capture.
inline void keep_pool_memory(char const* call, std::uint64_t bytes) {
  relaxed_capture_mode const scope(call);
  if (cudaMemPool_t const pool = scratch_pool::of_current_device(call)) {
    detail::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), call,
                  "cudaMemPoolSetAttribute");
  }
}

// Gives what the pool keeps unused back to the device. It works during capture.
inline void release_pool_memory(char const* call) {
  relaxed_capture_mode const scope(call);
  if (cudaMemPool_t const pool = scratch_pool::of_current_device(call)) {
    detail::check(cudaMemPoolTrimTo(pool, 0), call, "cudaMemPoolTrimTo");
  }
}

}  // namespace mgpu::detail
