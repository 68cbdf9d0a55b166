// Where and how an algorithm runs: mgpu::par, mgpu::par_nosync, mgpu::host, and what can be attached to them.
#pragma once
#include <mgpu/detail/core/products.h>
#include <mgpu/detail/host/pool.h>
#include <mgpu/detail/host/scratch.h>
#include <mgpu/detail/host/thrust.h>
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

// The policy's base class, which is a specialisation of Thrust's own: so Thrust's algorithms take the policy, without
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

// Runs on this machine's CPU, in the calling thread. No GPU is needed, nor nvcc. It is a Thrust policy too: what mgpu
// does not have runs as with thrust::seq.
struct host_policy : thrust::system::detail::sequential::execution_policy<host_policy> {};
inline constexpr host_policy host{};

// Runs on the current CUDA device. Made from mgpu::par or mgpu::par_nosync by attaching, in any order:
//   .on(stream)                a stream of the current device; without it the default stream
//   (allocator)                scratch memory from an allocator, or from a pointer to a thrust::mr memory resource,
//                              as with thrust::cuda::par(allocator). Under par_nosync the memory is returned while
//                              work that uses it may still be in flight on the stream, so the allocator must reuse
//                              memory in stream order.
//   .with_scratch(ptr, bytes)  scratch memory of the caller's own; std::bad_alloc if it is too small
//   .query_scratch(bytes)      the call sets `bytes` to what with_scratch must bring, and does nothing else
//   .with_tuning(selector)     other tuning for this call: a type with a static constexpr at(int arch), as in the
//                              backend's tuning.h. It changes speed, never results.
//
// It is a Thrust policy too: thrust::sort(mgpu::par, ...) runs mgpu::sort, and an algorithm that mgpu does not have
// runs as with thrust::cuda::par on the same stream and with the same allocator.
template <class Scratch, class Tuning>
class device_policy : public thrust::cuda_cub::execution_policy<device_policy<Scratch, Tuning>> {
 public:
  constexpr device_policy(cudaStream_t stream, bool blocking, Scratch scratch)
      : stream_(stream), blocking_(blocking), scratch_(scratch) {}

  [[nodiscard]] device_policy on(cudaStream_t stream) const { return {stream, blocking_, scratch_}; }
  // A cuda::stream_ref, and what else owns a stream and hands it out like one.
  template <class Stream>
  [[nodiscard]] auto on(Stream const& stream) const -> decltype(on(static_cast<cudaStream_t>(stream.get()))) {
    return on(static_cast<cudaStream_t>(stream.get()));
  }

  // By reference: the allocator must outlive the call.
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
  template <class Resource>
  [[nodiscard]] auto operator()(Resource* resource) const {
    return with_source(detail::resource_scratch<Resource>(resource));
  }

  [[nodiscard]] auto with_scratch(void* memory, std::size_t bytes) const {
    return with_source(detail::buffer_scratch(memory, bytes));
  }
  [[nodiscard]] auto query_scratch(std::size_t& bytes) const { return with_source(detail::query_scratch(bytes)); }

  template <class Selector>
  [[nodiscard]] device_policy<Scratch, Selector> with_tuning(Selector) const {
    return {stream_, blocking_, scratch_};
  }

  cudaStream_t stream() const { return stream_; }
  bool blocking() const { return blocking_; }
  Scratch const& scratch() const { return scratch_; }

  // What Thrust's own algorithms ask of a policy.
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

// The GPU. Returns when the result is there.
inline device_policy<detail::pool_scratch> const par{detail::default_stream, true, {}};

// The GPU, in stream order. Returns at once; no host or device synchronisation, nor any from scratch memory; may be
// captured into a CUDA graph. Errors of work in flight appear in a later call or synchronisation.
inline device_policy<detail::pool_scratch> const par_nosync{detail::default_stream, false, {}};

// Scratch memory comes from a stream-ordered pool per device, which keeps what it got for later calls, up to a bound:
// a sixteenth of the device's memory unless set here, for the current device. cudaDeviceReset destroys it, and what else
// the library remembers of the device: a process that calls it must not call mgpu on that device again. Throws
// thrust::system_error.
inline void keep_scratch(std::uint64_t bytes) { detail::scratch_pool::keep(bytes); }

// Returns what the current device's pool keeps, and no call uses, to the device. Throws thrust::system_error.
inline void release_scratch() { detail::scratch_pool::release(); }

// Temporary memory of Thrust's own algorithms under a policy with an allocator; found by argument-dependent look-up.
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
