// A test sees this of the SIMT emulator: which schedule kernels run under, and what they did.
//
// A kernel launched in an emulated build runs at once, each CUDA thread a fiber, under the schedule in config().
// A defect of the kernel that the emulator finds is thrown from the launch as emulator::error.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace mgpu::emulator {

// The threads that a barrier or the start of a block sets free run on in this order.
enum class thread_order : unsigned char { ascending, descending, shuffled };

// Where blocks are launched in clusters, each cluster is treated as one block is here: its blocks start together,
// those of the cluster that runs alternate, and the victim's whole cluster stops with it.
enum class block_policy : unsigned char {
  fair,       // a block whose threads all spin hands over to the next one in flight
  random,     // as fair, but the next block is drawn
  exclusive,  // a block runs until it ends, and spinning does not help: no block progresses beside another
  starve      // one block, the victim, stops after a while until all others have ended
};

// Describes a schedule. The same options, seed included, make every launch of a kernel run the same way.
struct options {
  thread_order threads = thread_order::ascending;
  block_policy blocks = block_policy::fair;
  bool descending_blocks = false;  // start blocks from the highest number down
  unsigned resident = 8;           // blocks in flight; fewer where they have too many threads for this build, but
                                   // a whole cluster in any case
  std::uint64_t seed = 1;          // of all that is drawn
  unsigned preempt_permille = 0;   // chance that a thread is interrupted at an atomic access
  unsigned victim = 0;             // policy starve: the block that stops ...
  std::uint64_t starve_after = 0;  // ... after so many atomics, barriers, warp collectives and pauses of its threads
  std::uint64_t spin_bound = 65536;  // spin_pause() calls without progress anywhere that count as a livelock
  std::size_t stack_bytes = 0;       // of one thread; 0 for the build's default
  unsigned char shared_fill = 0xCB;  // what shared memory holds when a block starts
  unsigned char device_fill = 0xA5;  // what allocated device memory holds
};

// Returns the schedule of the launches to come.
options& config();

// Puts a schedule into words, for failure messages.
std::string describe(options const& schedule);

// Returns a schedule drawn from all, by a seed. Without may_starve it is one under which each block that has started
// keeps making progress, for kernels that rely on that.
options schedule(std::uint64_t seed, bool may_starve = true);

// Sets config() for a scope.
class with_options {
 public:
  explicit with_options(options const& chosen) : before_(config()) { config() = chosen; }
  ~with_options() { config() = before_; }
  with_options(with_options const&) = delete;
  with_options& operator=(with_options const&) = delete;

 private:
  options before_;
};

// Says how many seeds for_each_schedule uses: `wanted`, or one if the environment's MGPU_EMULATOR_SEED names it.
struct seed_range {
  std::uint64_t first;
  std::uint64_t count;
};
seed_range seeds(std::uint64_t first, std::uint64_t wanted);

// Calls run() under `count` schedules. To repeat a failure, set MGPU_EMULATOR_SEED to the seed that it reports.
template <class Run>
void for_each_schedule(std::uint64_t first_seed, std::uint64_t count, Run run, bool may_starve = true) {
  seed_range const range = seeds(first_seed, count);
  for (std::uint64_t i = 0; i < range.count; ++i) {
    with_options const scope(schedule(range.first + i, may_starve));
    run();
  }
}

struct stats {
  std::uint64_t launches = 0;
  std::uint64_t blocks = 0;
  std::uint64_t switches = 0;  // from fiber to fiber
  std::uint64_t barriers = 0;  // of a block
  std::uint64_t cluster_barriers = 0;
  std::uint64_t collectives = 0;  // of a warp: shuffles, votes, sync_warp
  std::uint64_t atomics = 0;      // accesses through the seam, but for those to shared memory
  std::uint64_t spins = 0;        // spin_pause() calls
  std::uint64_t preemptions = 0;  // at atomics
  std::size_t shared_bytes = 0;   // of one block; the most of all launches
};

stats const& last_stats();   // of the last launch
stats const& total_stats();  // of all since reset_stats()
void reset_stats();

// Returns the C++ name of the last kernel launched.
std::string last_kernel();

// A kernel did what CUDA forbids, or hangs. The text names the kernel, block, thread, schedule and seed, and says
// where each thread in flight stands.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws error if what run() returns depends on what memory held before anything was written to it.
template <class Run>
void check_fill_independence(Run run) {
  options const usual = config();
  auto const expected = run();
  auto const check = [&](options const& chosen, char const* memory) {
    with_options const scope(chosen);
    if (!(run() == expected)) {
      throw error(std::string("emulator: the result depends on ") + memory +
                  " memory that nothing wrote; last kernel " + last_kernel() + "; " + describe(chosen));
    }
  };
  for (unsigned const flipped : {0xFFu, 0x5Au}) {
    options changed = usual;
    changed.shared_fill = static_cast<unsigned char>(usual.shared_fill ^ flipped);
    check(changed, "shared");
    changed = usual;
    changed.device_fill = static_cast<unsigned char>(usual.device_fill ^ flipped);
    check(changed, "device");
  }
}

}  // namespace mgpu::emulator
