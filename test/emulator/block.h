// Here is the state of the blocks in flight: their threads, warps and shared memory.
#pragma once
#include <emulator/device.h>
#include <emulator/emulator.h>
#include <emulator/fiber.h>
#include <emulator/shared_memory.h>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mgpu::emulator::impl {

constexpr unsigned lanes_per_warp = 32;
constexpr unsigned max_threads_per_block = 1024;

// Draws all random numbers, by splitmix64. The code is our own, so that a seed means the same with every standard
// library.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  unsigned below(unsigned bound) { return static_cast<unsigned>((*this)() % bound); }

 private:
  std::uint64_t state_;
};

// This tag is for publish() and observe(), and has memory of its own so that a fresh one knows nothing of earlier
// blocks.
struct order_tag {
  char address;
};

class block;

// The blocks of a cluster are in flight together. Without clusters each block is one of its own.
struct cluster {
  // As with the barriers of a block, one barrier publishes to one tag and the next to the other.
  void* barrier_tag(unsigned generation) { return &tags[generation % 2].address; }
  // A block ends after all that threads of others did in its shared memory before they arrived, however they arrived. A
  // kernel sees to it that what they loaded there has been used by then, which is not checked.
  void* arrival_tag() { return &tags[2].address; }

  unsigned number = 0;
  std::vector<block*> blocks;  // in the order of their ranks; places are kept until all have ended
  unsigned ended = 0;          // how many blocks have ended
  unsigned live = 0;           // threads that have not ended
  unsigned arrived = 0;        // how many live threads are at the barrier
  unsigned barriers = 0;       // passed so far
  order_tag tags[3];
};

enum class thread_state : unsigned char { ready, at_barrier, at_cluster_barrier, in_collective, ended };

struct thread {
  fiber* context = nullptr;
  device::thread_position position{};
  block* home = nullptr;
  thread_state state = thread_state::ready;
  bool spinning = false;    // it is ready, and in spin_pause()
  bool has_paused = false;  // it has, since its last warp collective
  bool may_end = false;     // it has waited for the primary, or is skipped
  bool is_skipped = false;
  bool has_let_others_start = false;
  unsigned cluster_halves = 0;  // arrivals at cluster barriers and returns from waiting there, in turns
  device::warp_call call;       // what it brings, in state in_collective
};

struct warp {
  std::uint32_t members = 0;  // lanes that exist
  std::uint32_t arrived = 0;  // lanes that wait in a collective
  std::uint32_t ended = 0;
};

// Queues the threads of a block that can run, in the order in which they will.
class ready_queue {
 public:
  void reset(unsigned capacity);
  unsigned size() const { return size_; }
  void push(unsigned thread);
  unsigned pop();

 private:
  std::vector<unsigned> ring_;
  unsigned head_ = 0;
  unsigned size_ = 0;
};

// This is a place for one block in flight, used again for the next.
class block {
 public:
  block() = default;
  ~block();

  void start(device::launch_request const& request, unsigned rank, cluster& home, options const& settings,
             void (*entry)());
  // Frees what belongs to the block that ended here.
  void finish();

  unsigned rank() const { return rank_; }
  bool occupied() const { return occupied_; }
  cluster& home() const { return *home_; }
  warp& warp_of(thread const& t) { return warps[t.position.warp]; }
  thread& lane_of(thread const& t, unsigned lane) { return threads[t.position.warp * lanes_per_warp + lane]; }
  // Says where each thread stands, those that stand alike together.
  std::string describe() const;

  // Barrier k publishes to one tag and barrier k + 1 to the other, as a thread may reach the next before another has
  // left the last.
  void* barrier_tag(unsigned generation) { return &tags_[generation % 2].address; }
  void* end_tag() { return &tags_[2].address; }
  void* arrival_tag(thread const& t) { return &tags_[3 + 2 * t.position.thread].address; }
  void* departure_tag(thread const& t) { return &tags_[4 + 2 * t.position.thread].address; }

  std::vector<thread> threads;
  std::vector<warp> warps;
  ready_queue ready;
  shared_memory shared;
  std::vector<device::word_in_flight> words;  // that others of the cluster store here
  unsigned live = 0;                          // threads that have not ended
  unsigned at_barrier = 0;                    // threads
  unsigned at_cluster_barrier = 0;
  unsigned barriers = 0;    // passed so far
  unsigned spinning = 0;    // how often it paused since it last did something else
  std::uint64_t steps = 0;  // atomics, barriers, warp collectives and pauses of all threads

 private:
  unsigned rank_ = 0;
  bool occupied_ = false;
  cluster* home_ = nullptr;
  fiber_pool fibers_;
  order_tag* tags_ = nullptr;
};

char const* name_of(device::warp_operation operation);
// Returns a kernel's C++ name, from the program's symbol table.
std::string kernel_name(void const* kernel);

}  // namespace mgpu::emulator::impl
