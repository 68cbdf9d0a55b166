// What depends on the architecture that code is compiled for: device code asks for its own, the host for that of a
// kernel.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstddef>

namespace mgpu::detail {

// Returns the architecture that this code is compiled for, as ten times the compute capability (90 for 9.0). In
// nvcc's host pass, where no launch depends on it, it is 0.
__host__ __device__ constexpr int current_arch() {
#if defined(__CUDA_ARCH__)
  return __CUDA_ARCH__ / 10;
#elif defined(MGPU_EMULATED)
  return MGPU_EMULATED;
#else
  return 0;
#endif
}

// Returns how many bytes of shared memory a block may have on every device that runs code compiled for that
// architecture: code for 8.0 runs on 8.6 and 8.9, too.
__host__ __device__ constexpr int max_shared_bytes(int arch) {
  int const kilobytes = arch < 80 ? 64 : arch < 90 || arch >= 120 ? 99 : 227;
  return kilobytes * 1024;
}
// Returns whether tiles may be as large as on the chips of data centres.
__host__ __device__ constexpr bool has_large_blocks(int arch) { return max_shared_bytes(arch) > 200 * 1024; }

// A list of architectures, oldest first, as nvcc lists them: each is ten times what current_arch() returns there.
template <int... archs>
struct arch_list {};

// The architectures that this file is compiled for.
#if defined(__CUDA_ARCH_LIST__)
using compiled_archs = arch_list<__CUDA_ARCH_LIST__>;
#else
using compiled_archs = arch_list<10 * current_arch()>;
#endif

// Returns the architecture of the list that a kernel was compiled for, as current_arch() tells it, or 0 where it
// cannot be known. `of_attributes` is what the kernel's attributes tell. After link-time optimisation (-dlto) that is
// the architecture that was linked for instead: then there is no doubt only where the file is compiled for a single
// one.
template <int... archs>
constexpr int arch_of_code(int of_attributes, arch_list<archs...>) {
  if (sizeof...(archs) == 1) return (archs + ...) / 10;
  return ((archs / 10 == of_attributes) || ...) ? of_attributes : 0;
}

// Returns sizeof(Storage<arch>) for an architecture, which is one of those listed.
template <template <int> class Storage, int... archs>
constexpr std::size_t storage_bytes(int arch, arch_list<archs...>) {
  std::size_t bytes = 0;
  ((bytes = archs / 10 == arch ? sizeof(Storage<archs / 10>) : bytes), ...);
  return bytes;
}
template <template <int> class Storage>
constexpr std::size_t storage_bytes(int arch) {
  return storage_bytes<Storage>(arch, compiled_archs{});
}

}  // namespace mgpu::detail
