// What the parts of the stand-in runtime share.
#pragma once
#include <emulator/device.h>
#include <emulator/runtime.h>
#include <map>
#include <mutex>
#include <set>

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

// Bits beside the kind.
enum : unsigned { injectable = 1, hidden_synchronization = 2 };

struct memory_pool {
  std::uint64_t release_threshold = 0;
  std::uint64_t used = 0;
  std::uint64_t reserved = 0;  // what the pool holds of the device's memory
  std::uint64_t used_high = 0;
  std::uint64_t reserved_high = 0;
};

struct allocation {
  std::size_t bytes;
  memory_pool* pool;  // null for cudaMalloc's
};

struct runtime_state {
  std::recursive_mutex access;
  runtime::counts counted;
  std::uint64_t failing_call = 0;     // counted down; 0: none
  cudaError_t failure = cudaSuccess;  // cudaSuccess: by the kind of call
  std::uint64_t failing_allocation = 0;
  bool no_device = false;
  bool no_memory_pools = false;
  bool capturing = false;
  int shared_bytes_of_block = max_shared_bytes;
  cudaError_t last_error = cudaSuccess;

  std::map<void*, allocation> memory;
  std::size_t memory_bytes = 0;
  std::set<memory_pool*> pools;  // but the default one
  memory_pool default_pool;
  std::set<void*> streams;
  std::set<void*> events;
  std::map<void const*, int> shared_bytes_of_kernel;  // as cudaFuncSetAttribute allowed
  std::set<void const*> kernels_in_large_clusters;    // likewise
};

runtime_state& state();

// What a call of this kind returns without being carried out; cudaSuccess if it is to be.
cudaError_t refuse(call_kind kind, unsigned bits);

// One runtime call: counted, made to fail if a test wants that, and a failure noted as the last error.
template <class Work>
cudaError_t answer(call_kind kind, unsigned bits, Work work) {
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

// Memory that pools hold beyond their threshold goes back when the host waits for the device.
void trim_pools();

// What CUDA would return instead of launching this. Throws for more shared memory than any block can have.
cudaError_t check_launch(device::launch_request const& request);

}  // namespace mgpu::emulator::impl
