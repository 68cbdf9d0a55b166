// The parts of the stand-in runtime share this.
#pragma once
#include <mgpu/detail/core/arch.h>
#include <emulator/device.h>
#include <emulator/runtime.h>
#include <emulator/runtime_late.h>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace mgpu::emulator::impl {

constexpr int compute_capability = MGPU_EMULATED;
constexpr std::size_t device_memory_bytes = std::size_t{16} << 30;
constexpr int always_allowed_shared_bytes = 48 * 1024;
constexpr int max_shared_bytes = 227 * 1024;
constexpr unsigned always_allowed_cluster = 8;  // blocks
constexpr unsigned max_cluster = 16;

enum class call_kind : unsigned char {
  plain,
  allocation,
  free,
  launch,
  copy,
  synchronize_stream,
  synchronize_device
};

// A call has these bits beside its kind. CUDA documents only examples of the calls that a capture forbids: here all
// are taken for such that synchronise, or that make, change or destroy what is not ordered by streams.
enum : unsigned { injectable = 1, unsafe_in_captures = 2, hidden_synchronization = 4 | unsafe_in_captures };

struct memory_pool {
  std::uint64_t release_threshold = 0;
  std::uint64_t used = 0;
  std::uint64_t reserved = 0;  // what the pool holds of the device's memory
  std::uint64_t used_high = 0;
  std::uint64_t reserved_high = 0;
};

struct allocation {
  std::size_t bytes;
  memory_pool* pool;             // null for cudaMalloc's
  std::size_t num_openings = 0;  // by other processes
};

struct stream_facts {
  unsigned long long id;  // which no other stream ever has
  unsigned largest_cluster = max_cluster;
};

// A stream is captured into a graph, until the capture ends.
struct capture {
  cudaStreamCaptureMode mode;
  std::thread::id thread;  // the thread that began it
  bool valid;
};

struct runtime_state {
  std::recursive_mutex access;
  runtime::counts counted;
  std::uint64_t failing_call = 0;     // counts down to it; 0 if no call is to fail
  cudaError_t failure = cudaSuccess;  // cudaSuccess where the kind of call decides
  std::uint64_t failing_allocation = 0;
  bool no_device = false;
  std::uint64_t busy_queries = 0;
  bool no_memory_pools = false;
  int shared_bytes_of_block = max_shared_bytes;
  cudaError_t peer_access = cudaErrorPeerAccessUnsupported;
  int linked_arch = compute_capability;
  cudaError_t last_error = cudaSuccess;

  std::map<void*, allocation> memory;
  std::size_t memory_bytes = 0;
  std::set<memory_pool*> pools;  // but the default one
  memory_pool default_pool;
  std::map<cudaStream_t, stream_facts> streams{{nullptr, {1}}, {cudaStreamLegacy, {2}}, {cudaStreamPerThread, {3}}};
  unsigned long long last_stream_id = 3;
  std::map<unsigned long long, late_work> late;  // of the late streams, by their numbers
  std::uint64_t late_seed = 0;                   // 0 if new streams are not late
  std::vector<cudaStream_t> unused_streams;      // handles that were in use before
  std::map<cudaStream_t, capture> captures;
  std::set<void*> events;
  std::map<void const*, int> shared_bytes_of_kernel;  // as setting an attribute allowed
  std::set<void const*> kernels_in_large_clusters;    // an attribute allows them these
};

runtime_state& state();

inline bool does_synchronize(call_kind kind, unsigned bits) {
  return (bits & hidden_synchronization) == hidden_synchronization || kind == call_kind::synchronize_device;
}

// Returns what a call of this kind returns without being carried out, or cudaSuccess if it is to be.
cudaError_t refuse(call_kind kind, unsigned bits);

// Makes one runtime call: it is counted, made to fail if a test wants that, and a failure is noted as the last error.
template <class Work>
cudaError_t answer(call_kind kind, unsigned bits, Work work) {
  if (does_synchronize(kind, bits)) catch_up_with_all();
  std::lock_guard<std::recursive_mutex> const lock(state().access);
  cudaError_t status = refuse(kind, bits);
  if (status == cudaSuccess) status = work();
  if (status != cudaSuccess) state().last_error = status;
  return status;
}

template <class Work>
cudaError_t answer(Work work) {
  return answer(call_kind::plain, injectable, work);
}

bool known(cudaStream_t stream);

// Invalidates the captures that forbid this thread a call that could be unsafe. Returns whether there were any.
bool invalidates_captures();
// Invalidates the capture of this stream. Returns whether there was one.
bool invalidates_capture_of(cudaStream_t stream);

// Memory that pools hold beyond their threshold goes back when the host waits for the device.
void trim_pools();

// Returns what CUDA would return instead of launching this. Throws for more shared memory than any block can have.
cudaError_t check_launch(device::launch_request const& request);

}  // namespace mgpu::emulator::impl
