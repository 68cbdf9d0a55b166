// Thrust's own algorithms, under a policy of mgpu's with an allocator, take their temporary memory from it, too.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/pair_tuple.h>
#include <mgpu/detail/runtime/policy.h>
#include <mgpu/detail/runtime/thrust.h>
#include <mgpu/detail/runtime/user_scratch.h>
#include <cstddef>
#include <type_traits>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Get and return the temporary memory of Thrust's own algorithms under a policy with an allocator; Thrust finds them
// by argument-dependent look-up.
template <class T, class Scratch, class Tuning, class = std::enable_if_t<detail::is_user_allocator<Scratch>>>
cuda::std::pair<T*, std::ptrdiff_t> get_temporary_buffer(device_policy<Scratch, Tuning>& policy,
                                                         std::ptrdiff_t num_items) {
  Scratch source = policy.scratch();
  std::size_t const bytes = static_cast<std::size_t>(num_items) * sizeof(T);
  return {static_cast<T*>(source.allocate("thrust", bytes, policy.stream())), num_items};
}
template <class Pointer, class Scratch, class Tuning, class = std::enable_if_t<detail::is_user_allocator<Scratch>>>
void return_temporary_buffer(device_policy<Scratch, Tuning>& policy, Pointer memory, std::ptrdiff_t num_items) {
  Scratch source = policy.scratch();
  auto* const items = detail::raw_pointer(memory);
  source.deallocate(items, static_cast<std::size_t>(num_items) * sizeof(*items), policy.stream());
}

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
