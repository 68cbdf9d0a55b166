// A multiprocessor uses as cache what it does not use as shared memory. It may keep as much shared memory as an earlier
// kernel had, of whichever call, unless a kernel asks for less.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <cstddef>

namespace mgpu::detail {

// Asks for no more shared memory than so many blocks of the kernel need, of `bytes` each. To be called before the kernel
// is launched, which remembers `bytes`: it is asked for once.
inline void keep_cache(device_call const& call, void const* kernel, std::size_t bytes, int blocks_per_sm) {
  constexpr std::size_t bytes_of_system = 1024;  // of each block
  kernel_facts const& known = facts_of(call, kernel);
  if (bytes <= known.shared_bytes) return;
  std::size_t const most = static_cast<std::size_t>(max_shared_bytes(known.arch)) + bytes_of_system;
  std::size_t const percent =
      divide_up(100 * (bytes + bytes_of_system) * static_cast<std::size_t>(blocks_per_sm), most);
  set_attribute(call, kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                static_cast<int>(smaller<std::size_t>(percent, 100)));
}

}  // namespace mgpu::detail
