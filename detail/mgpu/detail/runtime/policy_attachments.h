// A stream, scratch memory and a tuning are attached to a device policy by these functions, which are public, as
// members of mgpu::par and mgpu::par_nosync.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/user_scratch.h>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {
template <class Scratch, class Tuning = void>
class device_policy;
template <class Scratch, class Tuning = void>
class distributed_policy;
}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu

namespace mgpu::detail {

template <class T, class = void>
constexpr bool is_defined = false;
template <class T>
inline constexpr bool is_defined<T, std::enable_if_t<sizeof(T) != 0>> = true;

// The base class of device_policy<Scratch, Tuning>. Each function returns another policy and leaves this one as it
// is. The names of private members hide those of the user's in classes that derive from a policy, so they are few and
// unlikely.
template <class Scratch, class Tuning>
class policy_attachments {
 public:
  // Returns this policy on a stream of the current device; without it the call takes the default stream. A stream of a
  // green context may be captured once it has seen a like call: what it has room for can only be asked before.
  [[nodiscard]] device_policy<Scratch, Tuning> on(cudaStream_t stream) const {
    return {stream, self_().blocking(), self_().scratch()};
  }
  // Returns this policy on the stream of a cuda::stream_ref, or of another type that has a get() for its stream.
  template <class Stream>
  [[nodiscard]] auto on(Stream const& stream) const -> decltype(on(static_cast<cudaStream_t>(stream.get()))) {
    return on(static_cast<cudaStream_t>(stream.get()));
  }

  // Returns this policy with scratch memory from an allocator, as thrust::cuda::par(allocator) does. A temporary or
  // const one is copied; any other must outlive the call. Under par_nosync the memory is returned while work that uses
  // it may still be in flight on the stream, so the allocator must reuse memory in stream order.
  template <class Allocator>
  [[nodiscard]] auto operator()(Allocator&& allocator) const {
    constexpr bool is_held =
        !std::is_lvalue_reference_v<Allocator> || std::is_const_v<std::remove_reference_t<Allocator>>;
    using held = std::conditional_t<is_held, std::decay_t<Allocator>, Allocator>;
    return with_source(detail::allocator_scratch<held>(std::forward<Allocator>(allocator)));
  }
  // Returns this policy with scratch memory from a thrust::mr memory resource, which must outlive the call.
  template <class Resource>
  [[nodiscard]] auto operator()(Resource* resource) const {
    return with_source(detail::resource_scratch<Resource>(resource));
  }

  // Returns this policy with the caller's own memory for scratch; the call throws std::bad_alloc if it is too small.
  [[nodiscard]] auto with_scratch(void* memory, std::size_t bytes) const {
    return with_source(detail::buffer_scratch(memory, bytes));
  }
  // Returns this policy as a size query: the call sets `bytes` to what with_scratch must bring, and does nothing
  // else.
  [[nodiscard]] auto query_scratch(std::size_t& bytes) const { return with_source(detail::query_scratch(bytes)); }

  // Returns this policy with another tuning: a type with a static constexpr at(int arch), as in the backend's tuning.h.
  // It changes speed, and of results only how floating-point sums round.
  template <class Selector>
  [[nodiscard]] device_policy<Scratch, Selector> with_tuning(Selector) const {
    return {self_().stream(), self_().blocking(), self_().scratch()};
  }

  // Returns this policy for calls that the ranks of an NCCL communicator (an ncclComm_t), or of an mgpu::team, make
  // together, each for its own part of a range: <mgpu/distributed.h>, which the caller includes, says how. Nothing can be
  // attached to it. A team must outlive the call.
  template <class Ranks>
  [[nodiscard]] auto over(Ranks&& ranks) const {
    using policy = distributed_policy<Scratch, Tuning>;
    static_assert(is_defined<policy>, "mgpu: a policy over a communicator needs <mgpu/distributed.h>");
    return policy::over(self_(), std::forward<Ranks>(ranks));
  }

 private:
  constexpr auto const& self_() const { return static_cast<device_policy<Scratch, Tuning> const&>(*this); }
  template <class Source>
  device_policy<Source, Tuning> with_source(Source source) const {
    return {self_().stream(), self_().blocking(), source};
  }
};

}  // namespace mgpu::detail
