// simt.h and atomic.h see the emulator as this. There are no templates: what touches the emulator's own state is
// compiled in its own translation units, out of a race checker's sight.
#pragma once
#include <cuda_runtime_api.h>
#include <cstddef>
#include <cstdint>

namespace mgpu::emulator::device {

// Tells where the running thread stands.
struct thread_position {
  unsigned thread, block, num_blocks, threads_per_block, lane, warp, cluster_rank, blocks_per_cluster;
};
thread_position const& position();

void sync_block();

enum class warp_operation : unsigned char {
  sync,
  all,
  any,
  ballot,
  match_any,
  sum,
  bitwise_or,
  maximum,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor
};

// One lane brings this to a warp collective. All lanes of the mask must bring the same operation and type.
struct warp_call {
  warp_operation operation;
  std::uint32_t mask;
  void const* type = nullptr;  // an address that stands for the type exchanged
  void const* in = nullptr;
  void* out = nullptr;
  std::size_t size = 0;
  unsigned source = 0;  // the lane that a shuffle reads
};
void warp_collective(warp_call const& call);
// These collectives take one word and return one.
std::uint32_t warp_collective(warp_operation operation, std::uint32_t mask, std::uint32_t word);

void* shared_memory(std::size_t storage_bytes);

void arrive_cluster(bool releases);
void wait_cluster();
// Returns where block `rank` of the cluster has what the caller's block has at `mine`, of that many bytes.
void* in_cluster_block(void const* mine, std::size_t bytes, unsigned rank);

// This is on its way to the shared memory of a block, where a barrier counts its bytes.
struct word_in_flight {
  std::uint64_t* barrier;
  void* to;
  std::uint64_t word;
  std::size_t bytes;
};
// Sends it, and changes the barrier's state, out of a race checker's sight.
void send_word(word_in_flight const& word, unsigned rank, std::uint64_t (*changed)(std::uint64_t state));
// Takes a word that is on its way to the caller's block by the barrier, or returns false.
bool take_word(void const* barrier, word_in_flight& word);

// These serve a kernel that is launched early, beside the one before it. Here it runs after that one. The emulator
// checks that its threads wait, and for a race checker what the first kernel did is ordered before what they do after
// that only.
// What the primary of an early kernel has waited for is ordered before all that this kernel does.
void launch_dependents();
void wait_for_primary();
void skip_launch();

enum class access : unsigned char { load, store, shared };
void before_atomic(access kind);
void spin_pause();

// A thread has copied the kernel's arguments, which are the host's.
void has_arguments();

struct launch_request {
  void const* kernel;
  unsigned num_blocks;
  unsigned threads_per_block;
  std::size_t shared_bytes;
  unsigned blocks_per_cluster;
  bool early;
  cudaStream_t stream;
  void (*run)(void* arguments);  // one thread of the kernel
  void* arguments;
  void* (*copy)(void* arguments);  // for a launch that is late
  void (*discard)(void* copied_arguments);
};
// Runs a kernel to its end, or leaves it for later if the stream is late. What CUDA's launch would refuse is returned as its error.
cudaError_t launch(launch_request const& request);

}  // namespace mgpu::emulator::device
