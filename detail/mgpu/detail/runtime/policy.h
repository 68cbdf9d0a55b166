// The policies are mgpu::par, mgpu::par_nosync, mgpu::host, and what can be attached to them. They are public, by
// <mgpu/execution_policy.h>.
#pragma once
#include <mgpu/detail/runtime/pool.h>
#include <mgpu/detail/runtime/thrust.h>
#include <mgpu/detail/runtime/user_scratch.h>
#include <thrust/system/detail/sequential/execution_policy.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {
template <class Scratch, class Tuning = void>
class device_policy;
}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu

// The base class of the policy is a specialisation of Thrust's own: so Thrust's algorithms take the policy, without
// the headers that define the rest of them.
THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
template <class Scratch, class Tuning>
struct execution_policy<mgpu::device_policy<Scratch, Tuning>>
    : thrust::execution_policy<mgpu::device_policy<Scratch, Tuning>> {
  using tag_type = mgpu::detail::defined_elsewhere<tag, Scratch>;
  __host__ __device__ operator tag_type() const { return {}; }
};
}  // namespace cuda_cub
THRUST_NAMESPACE_END

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Runs a call on this machine's CPU, in the calling thread. No GPU is needed, nor nvcc. It is a Thrust policy too: an
// algorithm that mgpu does not have runs as with thrust::seq.
struct host_policy : thrust::system::detail::sequential::execution_policy<host_policy> {};
inline constexpr host_policy host{};

// Runs a call on the current CUDA device. It is mgpu::par or mgpu::par_nosync, to which a stream, scratch memory and a
// tuning can be attached in any order, each by a function below. It is a Thrust policy too: thrust::sort(mgpu::par, ...)
// runs mgpu::sort, and an algorithm that mgpu does not have runs as with thrust::cuda::par on the same stream and with
// the same allocator.
template <class Scratch, class Tuning>
class device_policy : public thrust::cuda_cub::execution_policy<device_policy<Scratch, Tuning>> {
 public:
  constexpr device_policy(cudaStream_t stream, bool blocking, Scratch scratch)
      : stream_(stream), blocking_(blocking), scratch_(scratch) {}

  // Returns this policy on a stream of the current device; without it the call takes the default stream. A stream of a
  // green context may be captured once it has seen a like call: what it has room for can only be asked before.
  [[nodiscard]] device_policy on(cudaStream_t stream) const { return {stream, blocking_, scratch_}; }
  // Returns this policy on the stream of a cuda::stream_ref, or of another type that has a get() for its stream.
  template <class Stream>
  [[nodiscard]] auto on(Stream const& stream) const -> decltype(on(static_cast<cudaStream_t>(stream.get()))) {
    return on(static_cast<cudaStream_t>(stream.get()));
  }

  // Returns this policy with scratch memory from an allocator, as thrust::cuda::par(allocator) does. One that is passed
  // by reference must outlive the call. Under par_nosync the memory is returned while work that uses it may still be in
  // flight on the stream, so the allocator must reuse memory in stream order.
  template <class Allocator>
  [[nodiscard]] auto operator()(Allocator& allocator) const {
    return with_source(detail::allocator_scratch<Allocator&>(allocator));
  }
  template <class Allocator, class = std::enable_if_t<!std::is_lvalue_reference_v<Allocator>>>
  [[nodiscard]] auto operator()(Allocator&& allocator) const {
    return with_source(detail::allocator_scratch<std::remove_const_t<Allocator>>(std::move(allocator)));
  }
  template <class Allocator>
  [[nodiscard]] auto operator()(Allocator const& allocator) const {
    return with_source(detail::allocator_scratch<Allocator>(allocator));
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
    return {stream_, blocking_, scratch_};
  }

  cudaStream_t stream() const { return stream_; }
  bool blocking() const { return blocking_; }
  Scratch const& scratch() const { return scratch_; }

  // Thrust's own algorithms ask a policy for the following.
  __host__ __device__ friend cudaStream_t get_stream(device_policy const& policy) { return policy.stream_; }
  __host__ __device__ friend bool must_perform_optional_stream_synchronization(device_policy const& policy) {
    return policy.blocking_;
  }

 private:
  template <class Source>
  device_policy<Source, Tuning> with_source(Source source) const {
    return {stream_, blocking_, source};
  }

  cudaStream_t stream_;
  bool blocking_;
  Scratch scratch_;
};

namespace detail {
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
inline cudaStream_t const default_stream = cudaStreamPerThread;
#else
inline cudaStream_t const default_stream = cudaStreamLegacy;
#endif
}  // namespace detail

// Runs a call on the GPU. The call returns when the result is there.
inline device_policy<detail::pool_scratch> const par{detail::default_stream, true, {}};

// Runs a call on the GPU, in stream order. The call returns at once; neither it nor its scratch memory synchronises
// host or device, and it may be captured into a CUDA graph. Errors of work in flight appear in a later call or
// synchronisation.
inline device_policy<detail::pool_scratch> const par_nosync{detail::default_stream, false, {}};

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
