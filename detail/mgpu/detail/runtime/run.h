// A call runs on the device as its policy asks: on its stream, with its scratch memory, and waiting or not.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/policy.h>
#include <mgpu/detail/runtime/scratch.h>
#include <mgpu/detail/runtime/temporary_buffer.h>
#include <mgpu/detail/runtime/thrust.h>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace mgpu::detail {

template <class Policy, class = void>
constexpr bool has_allocator = false;
template <class Policy>
inline constexpr bool has_allocator<Policy, std::void_t<decltype(std::declval<Policy&>().get_allocator())>> = true;

// Makes an mgpu policy of any policy that names the device.
template <class Scratch, class Tuning>
device_policy<Scratch, Tuning> to_device_policy(device_policy<Scratch, Tuning> const& policy) {
  return policy;
}
template <class Derived>
auto to_device_policy(thrust::cuda_cub::execution_policy<Derived> const& policy) {
  // Thrust's customisation points take the policy as a reference to non-const.
  auto& derived = const_cast<Derived&>(static_cast<Derived const&>(policy));
  device_policy<pool_scratch> const plain{
      get_stream(derived), must_perform_optional_stream_synchronization(derived), {}};
  if constexpr (has_allocator<Derived>) {
    return plain(derived.get_allocator());
  } else if constexpr (has_temporary_buffers<Derived>) {
    using scratch = temporary_buffer_scratch<Derived>;
    return device_policy<scratch>{plain.stream(), plain.blocking(), scratch(derived)};
  } else {
    return plain;
  }
}

// Runs run(call) on the device as the policy asks, and waits if it asks for that. A call without items does nothing.
template <class Policy, class Run>
void run_on_device(char const* name, Policy const& policy, std::int64_t num_items, Run run) {
  auto const resolved = to_device_policy(policy);
  scratch_of source(resolved.scratch());
  named_range const range(name);
  device_call call(name, resolved.stream(), resolved.blocking(), source);
  if (num_items <= 0) return call.skip();
  run(call);
  call.finish();
}

}  // namespace mgpu::detail
