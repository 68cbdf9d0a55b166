// A call runs on the device as its policy asks: on its stream, with its scratch memory, and waiting or not.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/policy.h>
#include <mgpu/detail/runtime/scratch.h>
#include <mgpu/detail/runtime/thrust_policy.h>
#include <cstdint>

namespace mgpu::detail {

// Makes an mgpu policy of any policy that names the device; runtime/thrust_policy.h does so for Thrust's.
template <class Scratch, class Tuning>
device_policy<Scratch, Tuning> to_device_policy(device_policy<Scratch, Tuning> const& policy) {
  return policy;
}

// Runs run(call) on the device as the policy asks, and waits if it asks for that. A call without items does nothing.
template <class Policy, class Run>
void run_on_device(char const* name, Policy const& policy, std::int64_t num_items, Run run) {
  auto const resolved = detail::to_device_policy(policy);
  scratch_of source(resolved.scratch());
  named_range const range(name);
  device_call call(name, resolved.stream(), resolved.blocking(), source);
  if (num_items <= 0) return call.skip();
  run(call);
  call.finish();
}

}  // namespace mgpu::detail
