// The policies are mgpu::par, mgpu::par_nosync, mgpu::host, and what can be attached to them. They are public, by
// <mgpu/execution_policy.h>.
#pragma once
#include <mgpu/detail/runtime/policy_attachments.h>
#include <mgpu/detail/runtime/pool.h>
#include <mgpu/detail/runtime/thrust.h>
#include <thrust/system/detail/sequential/execution_policy.h>

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
// tuning can be attached in any order, each by a function of policy_attachments. It is a Thrust policy too:
// thrust::sort(mgpu::par, ...) runs mgpu::sort, and an algorithm that mgpu does not have runs as with thrust::cuda::par
// on the same stream and with the same allocator.
template <class Scratch, class Tuning>
class device_policy : public thrust::cuda_cub::execution_policy<device_policy<Scratch, Tuning>>,
                      public detail::policy_attachments<Scratch, Tuning> {
 public:
  constexpr device_policy(cudaStream_t stream, bool blocking, Scratch scratch)
      : stream_(stream), blocking_(blocking), scratch_(scratch) {}

  cudaStream_t stream() const { return stream_; }
  bool blocking() const { return blocking_; }
  Scratch const& scratch() const { return scratch_; }

  // Thrust's own algorithms ask a policy for the following.
  __host__ __device__ friend cudaStream_t get_stream(device_policy const& policy) { return policy.stream_; }
  __host__ __device__ friend bool must_perform_optional_stream_synchronization(device_policy const& policy) {
    return policy.blocking_;
  }

 private:
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
