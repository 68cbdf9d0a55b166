// This header has the policies, which say where and how an algorithm runs (mgpu::par, mgpu::par_nosync, mgpu::host,
// and what can be attached to them), and the functions for the scratch memory that the library keeps.
#pragma once
#include <mgpu/detail/runtime/policy.h>
#include <mgpu/detail/runtime/pool_settings.h>
#include <mgpu/detail/runtime/thrust_policy.h>
#include <cstdint>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Sets how many bytes of unused scratch memory the current device's stream-ordered pool keeps for later calls: a
// sixteenth of the device's memory if this is never called. It takes effect at once, returns nothing, may be called
// while streams are captured, and throws thrust::system_error.
//
// cudaDeviceReset destroys the pool, and whatever else the library remembers of the device: a process that calls it
// must not call mgpu on that device again.
inline void keep_scratch(std::uint64_t bytes) { detail::keep_pool_memory("mgpu::keep_scratch", bytes); }

// Gives the memory that the current device's pool keeps, and no call uses, back to the device. It takes effect at
// once, returns nothing, may be called while streams are captured, and throws thrust::system_error.
inline void release_scratch() { detail::release_pool_memory("mgpu::release_scratch"); }

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
