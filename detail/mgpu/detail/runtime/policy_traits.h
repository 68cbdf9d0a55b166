// A policy asks for the host or the device, and there perhaps for a tuning. Thrust's own policies are understood as
// they are.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/policy.h>
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

// Tells whether a policy asks for the ranks of a communicator.
template <class Policy>
constexpr bool is_distributed = false;
template <class Scratch, class Tuning>
inline constexpr bool is_distributed<distributed_policy<Scratch, Tuning>> = true;
template <class Scratch, class Tuning>
inline constexpr bool is_cuda_policy<distributed_policy<Scratch, Tuning>, void> = true;
template <class Scratch, class Tuning>
inline constexpr bool is_policy<distributed_policy<Scratch, Tuning>, void> = true;

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
template <class Scratch, class Tuning>
struct policy_tuning<distributed_policy<Scratch, Tuning>> {
  using type = Tuning;
};

}  // namespace mgpu::detail
