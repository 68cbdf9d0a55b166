// A policy of Thrust's, or one that a user derives from it, becomes one of mgpu's here: with the scratch memory that it
// brings, by an allocator or by Thrust's customisation point, functions get_temporary_buffer and
// return_temporary_buffer that argument-dependent look-up finds. The other way round, mgpu's policies have these
// functions for Thrust.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/pair_tuple.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/policy.h>
#include <mgpu/detail/runtime/pool.h>
#include <mgpu/detail/runtime/scratch.h>
#include <mgpu/detail/runtime/thrust.h>
#include <mgpu/detail/runtime/user_scratch.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_NAMESPACE_BEGIN
struct use_default;
template <class Element, class Tag, class Reference, class Derived>
class pointer;
namespace cuda_cub {
struct par_nosync_t;
struct execute_on_stream_nosync;
}  // namespace cuda_cub
THRUST_NAMESPACE_END

namespace mgpu::detail {

// In this namespace the two names mean what look-up finds for the policy, or else the functions below. These match as
// well as those that Thrust has for any policy: where Thrust's headers are included, a call of either is ambiguous,
// so that neither counts as the user's.
namespace of_policy {

struct nothing {};
template <class T, class Derived>
nothing get_temporary_buffer(thrust::detail::execution_policy_base<Derived> const&, std::ptrdiff_t);
template <class Derived, class Pointer>
nothing return_temporary_buffer(thrust::detail::execution_policy_base<Derived> const&, Pointer, std::ptrdiff_t);
template <class Derived, class Pointer>
nothing return_temporary_buffer(thrust::detail::execution_policy_base<Derived> const&, Pointer);

template <class Policy>
auto get(Policy& policy, std::ptrdiff_t bytes) -> decltype(get_temporary_buffer<std::uint8_t>(policy, bytes)) {
  return get_temporary_buffer<std::uint8_t>(policy, bytes);
}
template <class Policy, class... Buffer>
auto give_back(Policy& policy, Buffer... buffer) -> decltype(return_temporary_buffer(policy, buffer...)) {
  return return_temporary_buffer(policy, buffer...);
}

template <class Policy, class = nothing>
constexpr bool has_get = false;
template <class Policy>
inline constexpr bool has_get<Policy, decltype(get(std::declval<Policy&>(), 0), nothing())> =
    !std::is_same_v<decltype(get(std::declval<Policy&>(), 0)), nothing>;

// Buffer is void(Pointer, std::ptrdiff_t) or void(Pointer).
template <class Policy, class Buffer, class = nothing>
constexpr bool has_give_back = false;
template <class Policy, class... Buffer>
inline constexpr bool has_give_back<
    Policy, void(Buffer...), decltype(give_back(std::declval<Policy&>(), std::declval<Buffer>()...), nothing())> =
    !std::is_same_v<decltype(give_back(std::declval<Policy&>(), std::declval<Buffer>()...)), nothing>;

// The pointer by which the memory is given back: Thrust's own kind, as Thrust does it, or the one that came if that
// kind is not defined.
template <class Policy, class Given, class = void>
struct pointer {
  using type = Given;
};
template <class Policy>
using thrust_pointer = thrust::pointer<std::uint8_t, Policy, thrust::use_default, thrust::use_default>;
template <class Policy, class Given>
struct pointer<Policy, Given, std::enable_if_t<sizeof(thrust_pointer<Policy>) != 0>> {
  using type = thrust_pointer<Policy>;
};

}  // namespace of_policy

// Tells whether the policy has these functions. Thrust itself has them for two of its policies, for which the
// library's pool does the same better.
template <class Policy>
constexpr bool has_temporary_buffers =
    of_policy::has_get<Policy> && !std::is_same_v<Policy, thrust::cuda_cub::par_nosync_t> &&
    !std::is_same_v<Policy, thrust::cuda_cub::execute_on_stream_nosync>;

// Takes memory from a policy that has_temporary_buffers.
template <class Policy>
class temporary_buffer_scratch : public usual_scratch {
  using given = decltype(of_policy::get(std::declval<Policy&>(), 0).first);
  using pointer = typename of_policy::pointer<Policy, given>::type;
  static_assert(of_policy::has_give_back<Policy, void(pointer, std::ptrdiff_t)> ||
                    of_policy::has_give_back<Policy, void(pointer)>,
                "mgpu: a policy that has get_temporary_buffer must have return_temporary_buffer, too");

 public:
  explicit temporary_buffer_scratch(Policy& policy) : policy_(&policy) {}

  void* allocate(char const* call, std::size_t bytes, cudaStream_t) {
    auto const got = of_policy::get(*policy_, static_cast<std::ptrdiff_t>(bytes));
    auto* const memory = detail::raw_pointer(got.first);
    if (got.second < static_cast<std::ptrdiff_t>(bytes)) {
      give_back(memory, bytes);
      fail_for_room(call, bytes, static_cast<std::size_t>(got.second));
    }
    return memory;
  }
  cudaError_t deallocate(void* memory, std::size_t bytes, cudaStream_t) noexcept {
    give_back(memory, bytes);
    return cudaSuccess;
  }

 private:
  void give_back(void* memory, std::size_t bytes) {
    pointer const buffer(static_cast<std::uint8_t*>(memory));
    if constexpr (of_policy::has_give_back<Policy, void(pointer, std::ptrdiff_t)>) {
      of_policy::give_back(*policy_, buffer, static_cast<std::ptrdiff_t>(bytes));
    } else {
      of_policy::give_back(*policy_, buffer);
    }
  }

  Policy* policy_;
};

template <class Policy, class = void>
constexpr bool has_allocator = false;
template <class Policy>
inline constexpr bool has_allocator<Policy, std::void_t<decltype(std::declval<Policy&>().get_allocator())>> = true;

// Makes an mgpu policy of a policy of Thrust's that names the device.
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

}  // namespace mgpu::detail

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
