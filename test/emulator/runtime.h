// A test controls the stand-in for the CUDA runtime by this, and learns what was called and what leaks.
//
// Device memory is heap memory of exactly the size asked for, filled with options::device_fill. Everything is done at
// once, what is captured into a graph too, but for the work of late streams; events and graphs are just handles. There is
// one device, of compute capability MGPU_EMULATED.
#pragma once
#include <cuda_runtime_api.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::emulator::runtime {

struct counts {
  std::uint64_t calls = 0;  // how often all runtime functions were called but those that only name or read an error
  std::uint64_t injectable = 0;  // how many of these fail_at counts: all that a program can react to, so no frees
  std::uint64_t allocations = 0;
  std::uint64_t frees = 0;
  std::uint64_t launches = 0;
  std::uint64_t copies = 0;  // memsets included
  std::uint64_t stream_synchronizations = 0;
  std::uint64_t device_synchronizations = 0;  // with those that are hidden in cudaMalloc, cudaFree, cudaMemcpy
};
counts const& counters();

// The k-th injectable call from now fails, once; 0 takes that back. Without an error each kind of call has its own:
// launches cudaErrorLaunchOutOfResources, allocations cudaErrorMemoryAllocation, all else cudaErrorUnknown.
void fail_at(std::uint64_t k);
void fail_at(std::uint64_t k, cudaError_t error);
// The k-th allocation from now fails with cudaErrorMemoryAllocation.
void fail_allocation_at(std::uint64_t k);
// Tells whether a failure that was asked for is still to come.
bool failure_pending();

// The machine has no driver: every call fails with cudaErrorInsufficientDriver, which stays.
void no_device(bool missing);
// So many calls of cudaStreamQuery from now on find their stream busy.
void busy_for(std::uint64_t queries);
// The seed draws which of the streams that are made from now on are late: their work is done when something waits for it.
// So work that nothing orders happens in the wrong order. 0 makes none late any more.
void late_streams(std::uint64_t seed);
// Does what is left of the stream's work, as one does that waits for it.
void catch_up(cudaStream_t stream);
// The device has no stream-ordered memory pools.
void no_memory_pools(bool missing);
// Letting the device into the memory of another one returns this; none can be let in by cudaErrorPeerAccessUnsupported,
// which holds until a test says else.
void peer_access(cudaError_t enabled);
// The device's blocks have no more shared memory than so many bytes, where 227 KB are usual.
void shared_bytes_of_block(int most);
// Kernels were linked for that architecture by link-time optimisation, which is what their attributes tell then.
void linked_for(int arch);
// From now on the stream is that of a green context, in whose part of the device there is no room for clusters of more
// than so many blocks. One that always exists, such as the legacy stream, is so while that context is the current one.
void largest_cluster(cudaStream_t stream, unsigned blocks);

struct live_objects {
  std::size_t allocations = 0;
  std::size_t bytes = 0;
  std::size_t streams = 0;
  std::size_t events = 0;
  std::size_t openings = 0;  // of memory by other processes
};
live_objects live();

// Sets all back: counts, failures, the last error and the modes above. Memory, streams, events and pools live on.
void reset();

}  // namespace mgpu::emulator::runtime
