// What depends on the architecture a kernel was compiled for, asked by the host.
#pragma once
#include <mgpu/detail/core/config.h>
#include <cstddef>
#include <type_traits>

namespace mgpu::detail {

namespace impl {
// The architectures that CUDA 13 compiles for, oldest first. A selector may tell any of them apart.
template <template <int> class Storage, int... archs>
constexpr std::size_t storage_bytes(int compiled_arch) {
  std::size_t bytes = 0;
  ((bytes = archs <= compiled_arch || bytes == 0 ? sizeof(Storage<archs>) : bytes), ...);
  return bytes;
}
}  // namespace impl

// sizeof(Storage<arch>) for the architecture that the kernel at hand was compiled for; for one not known here, of
// the newest one before it, or the oldest.
template <template <int> class Storage>
constexpr std::size_t storage_bytes(int compiled_arch) {
  return impl::storage_bytes<Storage, 75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121>(compiled_arch);
}

// Whether a tuning selector names another for small inputs.
template <class Tuning, class = void>
constexpr bool has_few = false;
template <class Tuning>
inline constexpr bool has_few<Tuning, std::void_t<typename Tuning::few>> = true;

}  // namespace mgpu::detail
