// A policy asks for the host or the device, and there for a stream, scratch memory and a tuning. Thrust's own
// policies are understood as they are.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/policy.h>
#include <mgpu/detail/runtime/scratch.h>
#include <mgpu/detail/runtime/temporary_buffer.h>
#include <mgpu/detail/runtime/thrust.h>
#include <type_traits>
#include <utility>

namespace mgpu::detail {

template <class T>
struct always_false : std::false_type {};

// --- Which policies there are.

template <class Derived>
Derived cuda_policy_of(thrust::cuda_cub::execution_policy<Derived> const&);
template <class Derived>
Derived thrust_policy_of(thrust::detail::execution_policy_base<Derived> const&);

template <class Policy, class = void>
constexpr bool is_cuda_policy = false;
template <class Policy>
inline constexpr bool is_cuda_policy<Policy, std::void_t<decltype(cuda_policy_of(std::declval<Policy const&>()))>> =
    true;

template <class Policy, class = void>
constexpr bool is_policy = false;
template <class Policy>
inline constexpr bool is_policy<Policy, std::void_t<decltype(thrust_policy_of(std::declval<Policy const&>()))>> =
    true;

// Tells whether a policy names the host: all but CUDA's do (mgpu::host, and Thrust's cpp, omp, tbb, seq).
template <class Policy>
constexpr bool runs_on_host = is_policy<Policy> && !is_cuda_policy<Policy>;

// --- No policy: the system of the iterators decides, as in Thrust.

template <class Iterator>
using system_of = typename iterator_system<Iterator>::type;

// An iterator that computes its items, such as thrust's counting iterator, leaves the choice to the others.
template <class Iterator>
constexpr bool is_iterator_of_any_system = std::is_same_v<system_of<Iterator>, thrust::any_system_tag>;
template <class Iterator>
constexpr bool is_device_iterator = [] {
  if constexpr (std::is_void_v<system_of<Iterator>> || is_iterator_of_any_system<Iterator>) {
    return false;
  } else {
    return std::is_convertible_v<system_of<Iterator>, thrust::cuda_cub::tag>;
  }
}();

// Returns par if any of the iterators is the device's, or if all leave it open; else host.
template <class... Iterators>
auto policy_of_system() {
  if constexpr ((is_device_iterator<Iterators> || ...) || (is_iterator_of_any_system<Iterators> && ...)) {
    return par;
  } else {
    return host;
  }
}

// --- What a device policy asks for.

template <class Policy>
struct policy_tuning {
  using type = void;
};
template <class Scratch, class Tuning>
struct policy_tuning<device_policy<Scratch, Tuning>> {
  using type = Tuning;
};

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
