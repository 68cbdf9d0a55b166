// What depends on the architecture a kernel was compiled for, asked by the host.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstddef>
#include <type_traits>

namespace mgpu::detail {

// Architectures, oldest first, as nvcc lists them: ten times what current_arch() tells.
template <int... archs>
struct arch_list {};

// Those that the file at hand is compiled for, or may be.
#if defined(__CUDA_ARCH_LIST__)
using compiled_archs = arch_list<__CUDA_ARCH_LIST__>;
#else
using compiled_archs = arch_list<750, 800, 860, 870, 880, 890, 900, 1000, 1030, 1100, 1200, 1210>;
#endif

// sizeof(Storage<arch>) for the architecture that the kernel at hand was compiled for; for one not listed, of the
// newest one before it, or the oldest.
template <template <int> class Storage, int... archs>
constexpr std::size_t storage_bytes(int compiled_arch, arch_list<archs...>) {
  std::size_t bytes = 0;
  ((bytes = archs / 10 <= compiled_arch || bytes == 0 ? sizeof(Storage<archs / 10>) : bytes), ...);
  return bytes;
}
template <template <int> class Storage>
constexpr std::size_t storage_bytes(int compiled_arch) {
  return storage_bytes<Storage>(compiled_arch, compiled_archs{});
}

// Whether a tuning selector names another for small inputs.
template <class Tuning, class = void>
constexpr bool has_few = false;
template <class Tuning>
inline constexpr bool has_few<Tuning, std::void_t<typename Tuning::few>> = true;

}  // namespace mgpu::detail
