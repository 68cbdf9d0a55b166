// Kernels are launched here and nowhere else.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/math.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/simt/launch.h>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace mgpu::detail {

// Asking the runtime takes as long as a tenth of a small call, so each thread remembers what it asked and set last.

// The facts that the thread knows of a kernel on a device.
struct kernel_facts {
  void const* kernel;
  int device;
  int arch;                  // the one it was compiled for, which need not be the device's own
  std::size_t shared_bytes;  // how many a block may have
};

// Returns what the thread knows of the kernel on the call's device, and asks the runtime if that is nothing yet.
inline kernel_facts& facts_of(device_call const& call, void const* kernel) {
  constexpr std::size_t num_kernels = 256;
  constexpr std::size_t bytes_of_any = 48 * 1024;
  thread_local kernel_facts kernels[num_kernels] = {};
  int const device = call.device();
  kernel_facts& known = kernels[reinterpret_cast<std::uintptr_t>(kernel) / 16 % num_kernels];
  if (known.kernel != kernel || known.device != device) {
    cudaFuncAttributes attributes{};
    detail::check(cudaFuncGetAttributes(&attributes, kernel), call.name(), "cudaFuncGetAttributes");
    int const arch = arch_of_code(attributes.ptxVersion, compiled_archs{});
    if (arch == 0) fail_for_linking(call.name(), attributes.ptxVersion);
    known = {kernel, device, arch, bytes_of_any};
  }
  return known;
}

// Returns the architecture the kernel was compiled for, by which its tuning was chosen.
template <class... Params>
int compiled_arch(device_call const& call, void (*kernel)(Params...)) {
  return facts_of(call, reinterpret_cast<void const*>(kernel)).arch;
}

// Returns how many multiprocessors the call's device has.
inline int num_multiprocessors(device_call const& call) {
  thread_local int device = -1;
  thread_local int count = 0;
  if (device != call.device()) {
    detail::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, call.device()), call.name(),
                  "cudaDeviceGetAttribute");
    device = call.device();
  }
  return count;
}

// Sets words to zero in stream order. Up to 4 KB travel with the command; for more the runtime launches a kernel,
// which takes 2.5 us longer on an H200. So more than 4 KB, up to 8 KB, go in two pieces.
inline void clear(device_call const& call, std::uint64_t* words, std::int64_t num_words) {
  constexpr std::int64_t words_of_command = 512;
  std::int64_t const first = num_words <= 2 * words_of_command ? smaller(num_words, words_of_command) : num_words;
  auto const set = [&](std::uint64_t* begin, std::int64_t count) {
    detail::check(cudaMemsetAsync(begin, 0, static_cast<std::size_t>(count) * sizeof(std::uint64_t), call.stream()),
                  call.name(), "cudaMemsetAsync");
  };
  set(words, first);
  if (first < num_words) set(words + first, num_words - first);
}

// The shape of a launch; `early` is explained at simt::launch_shape.
struct grid_shape {
  std::int64_t num_blocks;
  int threads_per_block;
  std::size_t shared_bytes = 0;
  int blocks_per_cluster = 1;
  bool early = false;
};

// Lets blocks of the kernel have `bytes` bytes of shared memory, or throws where the device has less.
inline void allow_shared(device_call const& call, void const* kernel, std::size_t bytes) {
  kernel_facts& known = facts_of(call, kernel);
  if (bytes <= known.shared_bytes) return;
  int most = 0;
  detail::check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, call.device()), call.name(),
                "cudaDeviceGetAttribute");
  if (bytes > static_cast<std::size_t>(most)) fail_for_shared(call.name(), known.arch, bytes, most);
  detail::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
                call.name(), "cudaFuncSetAttribute");
  known.shared_bytes = bytes;
}

// Returns how many blocks of this shape a cluster on the stream may have at most: a power of two. The stream of a green
// context has some of the multiprocessors, where there may be room for less than on the whole device, and for one block
// alone if those lie apart.
inline int ask_largest_cluster(device_call const& call, grid_shape const& shape, void const* kernel,
                               cudaStream_t stream) {
  constexpr unsigned most = 16;
  allow_shared(call, kernel, shape.shared_bytes);
  detail::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), call.name(),
                "cudaFuncSetAttribute");
  for (unsigned blocks = most; blocks > 1; blocks /= 2) {
    int fitting = 0;
    cudaError_t const status = simt::max_active_clusters(
        fitting, kernel, {blocks, static_cast<unsigned>(shape.threads_per_block), shape.shared_bytes, blocks},
        stream);
    detail::forget(status);
    if (status == cudaSuccess && fitting > 0) return static_cast<int>(blocks);
  }
  return 1;
}

// Returns the same for the call's stream, remembered by its handle and its id: the handle may have been another stream's
// before, or stand for a stream of the current context. A stream that is captured may not be asked for its id: then what
// was last learnt of the handle counts, or else what holds for the whole device.
inline int largest_cluster(device_call const& call, grid_shape const& shape, void const* kernel) {
  struct cluster_facts {
    void const* kernel;
    int device;
    int largest;
    cudaStream_t stream;
    unsigned long long id;
  };
  constexpr std::size_t num_facts = 256;
  thread_local cluster_facts facts[num_facts] = {};
  cudaStream_t const stream = call.stream();
  std::size_t const hash =
      reinterpret_cast<std::uintptr_t>(kernel) / 16 + reinterpret_cast<std::uintptr_t>(stream) / 64;
  cluster_facts& known = facts[hash % num_facts];
  bool const is_known = known.kernel == kernel && known.device == call.device() && known.stream == stream;

  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  detail::check(cudaStreamIsCapturing(stream, &status), call.name(), "cudaStreamIsCapturing");
  if (status != cudaStreamCaptureStatusNone) {
    return is_known ? known.largest : ask_largest_cluster(call, shape, kernel, nullptr);
  }
  unsigned long long id = 0;
  detail::check(cudaStreamGetId(stream, &id), call.name(), "cudaStreamGetId");
  if (!is_known || known.id != id) {
    known = {kernel, call.device(), ask_largest_cluster(call, shape, kernel, stream), stream, id};
  }
  return known.largest;
}

// Returns how many blocks of this shape a cluster may have, at most `wanted`.
template <class... Params>
int blocks_per_cluster(device_call const& call, grid_shape const& shape, void (*kernel)(Params...), int wanted) {
  if (wanted <= 1) return wanted;
  return smaller(wanted, largest_cluster(call, shape, reinterpret_cast<void const*>(kernel)));
}

// Makes the kernel ready for a launch of this shape, and returns the shape as simt/ takes it.
MGPU_NOINLINE inline simt::launch_shape prepare_launch(device_call const& call, grid_shape const& shape,
                                                       void const* kernel) {
  allow_shared(call, kernel, shape.shared_bytes);
  if (shape.num_blocks > std::numeric_limits<std::int32_t>::max()) {
    detail::check(cudaErrorInvalidConfiguration, call.name(), "kernel launch");
  }
  return {static_cast<unsigned>(shape.num_blocks), static_cast<unsigned>(shape.threads_per_block), shape.shared_bytes,
          static_cast<unsigned>(shape.blocks_per_cluster), shape.early};
}

#if defined(MGPU_SYNC_LAUNCHES)
// Waits for the kernel, so that what went wrong in it is told with its name; but not while the stream is captured, when
// nothing runs.
inline void wait_for_kernel(device_call const& call, void const* kernel) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  detail::check(cudaStreamIsCapturing(call.stream(), &status), call.name(), "cudaStreamIsCapturing");
  if (status != cudaStreamCaptureStatusNone) return;
  cudaError_t const result = cudaStreamSynchronize(call.stream());
  if (result == cudaSuccess) return;
  char const* name = nullptr;
  if (cudaFuncGetName(&name, kernel) != cudaSuccess) name = "a kernel";
  detail::check(result, call.name(), name);
}
#else
inline void wait_for_kernel(device_call const&, void const*) {}
#endif

// Launches a kernel on the call's stream, or throws.
template <class... Params, class... Args>
void launch(device_call const& call, grid_shape const& shape, void (*kernel)(Params...), Args const&... args) {
  simt::launch_shape const prepared = prepare_launch(call, shape, reinterpret_cast<void const*>(kernel));
  detail::check(simt::enqueue(kernel, prepared, call.stream(), args...), call.name(), "kernel launch");
  detail::wait_for_kernel(call, reinterpret_cast<void const*>(kernel));
}

}  // namespace mgpu::detail
