// Here the stand-in runtime has its control, the device and kernels.
#include <emulator/emulator.h>
#include <emulator/runtime_state.h>
#include <emulator/scheduler.h>
#include <algorithm>
#include <climits>
#include <cstdio>
#include <map>
#include <string>

namespace mgpu::emulator {

namespace impl {

runtime_state& state() {
  static runtime_state* const kept = new runtime_state;  // for ever: static objects of tests free memory at the end
  return *kept;
}

namespace {
// Counts down to the call that is to fail.
bool due(std::uint64_t& countdown) { return countdown != 0 && --countdown == 0; }

cudaError_t usual_failure(call_kind kind) {
  switch (kind) {
    case call_kind::allocation:
      return cudaErrorMemoryAllocation;
    case call_kind::launch:
      return cudaErrorLaunchOutOfResources;
    default:
      return cudaErrorUnknown;
  }
}

std::size_t shared_bytes_allowed(void const* kernel) {
  auto const& allowed = state().shared_bytes_of_kernel;
  auto const found = allowed.find(kernel);
  return static_cast<std::size_t>(std::max(always_allowed_shared_bytes, found == allowed.end() ? 0 : found->second));
}

cudaError_t check_cluster(void const* kernel, unsigned blocks, cudaStream_t stream) {
  if (blocks == 1) return cudaSuccess;
  if (compute_capability < 90) return cudaErrorNotSupported;
  bool const large = state().kernels_in_large_clusters.count(kernel) != 0;
  unsigned const most =
      std::min(large ? max_cluster : always_allowed_cluster, state().streams[stream].largest_cluster);
  return blocks == 0 || blocks > most ? cudaErrorInvalidClusterSize : cudaSuccess;
}
}  // namespace

cudaError_t refuse(call_kind kind, unsigned bits) {
  runtime_state& s = state();
  bool const synchronizes = does_synchronize(kind, bits);
  ++s.counted.calls;
  s.counted.allocations += kind == call_kind::allocation;
  s.counted.frees += kind == call_kind::free;
  s.counted.launches += kind == call_kind::launch;
  s.counted.copies += kind == call_kind::copy;
  s.counted.stream_synchronizations += kind == call_kind::synchronize_stream;
  s.counted.device_synchronizations += synchronizes;
  if (kind != call_kind::plain && kind != call_kind::launch) observe_launches();
  if (s.no_device) return cudaErrorInsufficientDriver;
  bool const unsafe = synchronizes || (bits & unsafe_in_captures) != 0;
  if (unsafe && invalidates_captures()) return cudaErrorStreamCaptureUnsupported;
  if ((bits & injectable) == 0) return cudaSuccess;
  ++s.counted.injectable;
  bool const call_fails = due(s.failing_call);
  if (kind == call_kind::allocation && due(s.failing_allocation)) return cudaErrorMemoryAllocation;
  if (!call_fails) return cudaSuccess;
  return s.failure != cudaSuccess ? s.failure : usual_failure(kind);
}

cudaError_t check_launch(device::launch_request const& request) {
  return answer(call_kind::launch, injectable, [&] {
    if (request.num_blocks == 0 || request.num_blocks > INT_MAX || request.threads_per_block == 0 ||
        request.threads_per_block > 1024) {
      return cudaErrorInvalidConfiguration;
    }
    if (request.shared_bytes > max_shared_bytes) {
      throw error("emulator: shared memory over the limit of " + std::to_string(max_shared_bytes) +
                  " bytes: " + std::to_string(request.shared_bytes) + " bytes");
    }
    if (request.shared_bytes > shared_bytes_allowed(request.kernel)) return cudaErrorInvalidValue;
    cudaError_t const refused = check_cluster(request.kernel, request.blocks_per_cluster, request.stream);
    if (refused != cudaSuccess) return refused;
    return request.num_blocks % request.blocks_per_cluster != 0 ? cudaErrorInvalidClusterSize : cudaSuccess;
  });
}

}  // namespace impl

namespace runtime {

counts const& counters() { return impl::state().counted; }
void fail_at(std::uint64_t k) { fail_at(k, cudaSuccess); }
void fail_at(std::uint64_t k, cudaError_t error) {
  impl::state().failing_call = k;
  impl::state().failure = error;
}
void fail_allocation_at(std::uint64_t k) { impl::state().failing_allocation = k; }
bool failure_pending() { return impl::state().failing_call != 0 || impl::state().failing_allocation != 0; }
void no_device(bool missing) { impl::state().no_device = missing; }
void busy_for(std::uint64_t queries) { impl::state().busy_queries = queries; }
void no_memory_pools(bool missing) { impl::state().no_memory_pools = missing; }
void largest_cluster(cudaStream_t stream, unsigned blocks) {
  impl::state().streams[stream] = {++impl::state().last_stream_id, blocks};
}
void linked_for(int arch) { impl::state().linked_arch = arch; }
void peer_access(cudaError_t enabled) { impl::state().peer_access = enabled; }
void shared_bytes_of_block(int most) { impl::state().shared_bytes_of_block = most; }

live_objects live() {
  impl::runtime_state const& s = impl::state();
  std::size_t openings = 0;
  for (auto const& each : s.memory) openings += each.second.num_openings;
  return {s.memory.size(), s.memory_bytes, s.streams.size() - impl::runtime_state().streams.size(), s.events.size(),
          openings};
}

void reset() {
  impl::runtime_state& s = impl::state();
  s.counted = {};
  fail_at(0);
  fail_allocation_at(0);
  s.last_error = cudaSuccess;
  s.no_device = s.no_memory_pools = false;
  s.late_seed = 0;
  s.busy_queries = 0;
  s.shared_bytes_of_block = impl::max_shared_bytes;
  s.peer_access = cudaErrorPeerAccessUnsupported;
  s.linked_arch = impl::compute_capability;
}

}  // namespace runtime
}  // namespace mgpu::emulator

using namespace mgpu::emulator::impl;

namespace {
constexpr int multiprocessors = 4;  // few, so that a grid made to fill the device is cheap to emulate
constexpr int threads_per_multiprocessor = 2048;
constexpr int shared_bytes_per_multiprocessor = 228 * 1024;
constexpr int reserved_shared_bytes_per_block = 1024;
constexpr int blocks_per_multiprocessor = 32;

int attribute(cudaDeviceAttr which) {
  switch (which) {
    case cudaDevAttrComputeCapabilityMajor:
      return compute_capability / 10;
    case cudaDevAttrComputeCapabilityMinor:
      return compute_capability % 10;
    case cudaDevAttrMultiProcessorCount:
      return multiprocessors;
    case cudaDevAttrWarpSize:
      return 32;
    case cudaDevAttrMaxThreadsPerBlock:
      return 1024;
    case cudaDevAttrMaxBlockDimX:
      return 1024;
    case cudaDevAttrMaxGridDimX:
      return INT_MAX;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return threads_per_multiprocessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return blocks_per_multiprocessor;
    case cudaDevAttrMaxRegistersPerBlock:
      return 65536;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return always_allowed_shared_bytes;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return state().shared_bytes_of_block;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return shared_bytes_per_multiprocessor;
    case cudaDevAttrL2CacheSize:
      return 50 << 20;
    case cudaDevAttrClusterLaunch:
      return compute_capability >= 90 ? 1 : 0;
    case cudaDevAttrMemoryPoolsSupported:
      return state().no_memory_pools ? 0 : 1;
    default:
      return 0;
  }
}

int active_blocks(int threads_per_block, std::size_t shared_bytes) {
  std::size_t const by_shared =
      shared_bytes_per_multiprocessor / (shared_bytes + std::size_t{reserved_shared_bytes_per_block});
  int const by_threads = threads_per_multiprocessor / threads_per_block;
  return std::min({blocks_per_multiprocessor, by_threads, static_cast<int>(by_shared)});
}

cudaError_t set_attribute(void const* kernel, cudaFuncAttribute which, int value) {
  if (which == cudaFuncAttributeNonPortableClusterSizeAllowed) {
    if (value < 0 || value > 1) return cudaErrorInvalidValue;
    if (value == 1) state().kernels_in_large_clusters.insert(kernel);
    if (value == 0) state().kernels_in_large_clusters.erase(kernel);
    return cudaSuccess;
  }
  if (which != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || value > state().shared_bytes_of_block) return cudaErrorInvalidValue;
  state().shared_bytes_of_kernel[kernel] = value;
  return cudaSuccess;
}
}  // namespace

extern "C" {

// ---- device
cudaError_t cudaGetDeviceCount(int* count) {
  return answer([&] { return *count = 1, cudaSuccess; });
}
cudaError_t cudaGetDevice(int* device) {
  return answer([&] { return *device = 0, cudaSuccess; });
}
cudaError_t cudaSetDevice(int device) {
  return answer([&] { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
  return answer([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    *value = attribute(which);
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return answer([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    *properties = {};
    std::snprintf(properties->name, sizeof(properties->name), "mgpu emulator");
    properties->major = attribute(cudaDevAttrComputeCapabilityMajor);
    properties->minor = attribute(cudaDevAttrComputeCapabilityMinor);
    properties->multiProcessorCount = multiprocessors;
    properties->warpSize = 32;
    properties->totalGlobalMem = device_memory_bytes;
    properties->sharedMemPerBlock = always_allowed_shared_bytes;
    properties->sharedMemPerBlockOptin = max_shared_bytes;
    properties->sharedMemPerMultiprocessor = shared_bytes_per_multiprocessor;
    properties->regsPerBlock = 65536;
    properties->maxThreadsPerBlock = 1024;
    properties->maxThreadsPerMultiProcessor = threads_per_multiprocessor;
    properties->maxGridSize[0] = INT_MAX;
    properties->clusterLaunch = attribute(cudaDevAttrClusterLaunch);
    return cudaSuccess;
  });
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  return answer([&] { return *version = CUDART_VERSION, cudaSuccess; });
}
cudaError_t cudaDriverGetVersion(int* version) {
  return answer([&] { return *version = CUDART_VERSION, cudaSuccess; });
}

// ---- kernels
cudaError_t cudaFuncGetName(char const** name, void const* kernel) {
  return answer([&] {
    static std::map<void const*, std::string> names;
    *name = (names[kernel] = mgpu::emulator::impl::kernel_name(kernel)).c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const* kernel) {
  return answer([&] {
    auto const& allowed = state().shared_bytes_of_kernel;
    auto const found = allowed.find(kernel);
    *attributes = {};
    attributes->maxThreadsPerBlock = 1024;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = state().linked_arch;
    attributes->maxDynamicSharedSizeBytes = found == allowed.end() ? always_allowed_shared_bytes : found->second;
    attributes->nonPortableClusterSizeAllowed = state().kernels_in_large_clusters.count(kernel) != 0;
    return cudaSuccess;
  });
}
cudaError_t cudaGetKernel(cudaKernel_t* handle, void const* kernel) {
  return answer([&] { return *handle = static_cast<cudaKernel_t>(const_cast<void*>(kernel)), cudaSuccess; });
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t handle, cudaFuncAttribute which, int value, int device) {
  return answer([&] { return device == 0 ? set_attribute(handle, which, value) : cudaErrorInvalidDevice; });
}
// This call takes back the mark of an earlier error where it succeeds, as it does on a GPU.
cudaError_t cudaFuncSetAttribute(void const* kernel, cudaFuncAttribute which, int value) {
  return answer([&] {
    cudaError_t const status = set_attribute(kernel, which, value);
    if (status == cudaSuccess) state().last_error = cudaSuccess;
    return status;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const*, int threads_per_block,
                                                          std::size_t shared_bytes) {
  return answer([&] {
    if (threads_per_block <= 0 || threads_per_block > 1024) return cudaErrorInvalidValue;
    *blocks = active_blocks(threads_per_block, shared_bytes);
    return cudaSuccess;
  });
}
// Returns at least one cluster, whatever the number of multiprocessors, where clusters of that size can be launched
// on the stream at all.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void const* kernel, cudaLaunchConfig_t const* config) {
  return answer([&] {
    if (invalidates_capture_of(config->stream)) return cudaErrorStreamCaptureUnsupported;  // or so it may be
    unsigned const threads_per_block = config->blockDim.x;
    if (threads_per_block == 0 || threads_per_block > 1024) return cudaErrorInvalidValue;
    cudaLaunchAttribute const* const begin = config->attrs;
    cudaLaunchAttribute const* const end = begin + config->numAttrs;
    auto const* const dimension =
        std::find_if(begin, end, [](auto const& given) { return given.id == cudaLaunchAttributeClusterDimension; });
    if (dimension == end) return cudaErrorInvalidClusterSize;
    unsigned const blocks_per_cluster = dimension->val.clusterDim.x;
    bool const launchable = config->dynamicSmemBytes <= shared_bytes_allowed(kernel) &&
                            check_cluster(kernel, blocks_per_cluster, config->stream) == cudaSuccess;
    int const blocks = multiprocessors * active_blocks(static_cast<int>(threads_per_block), config->dynamicSmemBytes);
    *clusters = launchable ? std::max(1, blocks / static_cast<int>(blocks_per_cluster)) : 0;
    return cudaSuccess;
  });
}

}  // extern "C"
