// Scratch memory may come from a policy of the user's own that has Thrust's customisation point for it: functions
// get_temporary_buffer and return_temporary_buffer, found by argument-dependent look-up.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/scratch.h>
#include <mgpu/detail/runtime/user_scratch.h>
#include <mgpu/detail/runtime/thrust.h>
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

}  // namespace mgpu::detail
