// Here are schedules, counts, and the way in from the seam.
#include <emulator/device.h>
#include <emulator/emulator.h>
#include <emulator/runtime_state.h>
#include <emulator/sanitizers.h>
#include <emulator/scheduler.h>
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <sstream>

namespace mgpu::emulator {

options& config() {
  static options chosen;
  return chosen;
}

std::string describe(options const& schedule) {
  static char const* const orders[] = {"ascending", "descending", "shuffled"};
  static char const* const policies[] = {"fair", "random", "exclusive", "starve"};
  options const usual;
  std::ostringstream text;
  text << "seed " << schedule.seed << ": threads " << orders[static_cast<unsigned>(schedule.threads)] << ", blocks "
       << policies[static_cast<unsigned>(schedule.blocks)];
  if (schedule.blocks == block_policy::starve) {
    text << " (block " << schedule.victim << " after " << schedule.starve_after << " steps)";
  }
  if (schedule.descending_blocks) text << ", started from the last";
  text << ", " << schedule.resident << " resident";
  if (schedule.preempt_permille != 0) text << ", pre-empted at " << schedule.preempt_permille << " of 1000 atomics";
  if (schedule.spin_bound != usual.spin_bound) text << ", spin bound " << schedule.spin_bound;
  if (schedule.stack_bytes != usual.stack_bytes) text << ", stacks of " << schedule.stack_bytes << " bytes";
  if (schedule.shared_fill != usual.shared_fill)
    text << ", shared memory filled with " << unsigned{schedule.shared_fill};
  if (schedule.device_fill != usual.device_fill)
    text << ", device memory filled with " << unsigned{schedule.device_fill};
  return text.str();
}

options schedule(std::uint64_t seed, bool may_starve) {
  constexpr unsigned most_resident = 8;
  constexpr unsigned most_victims = 12;  // launches of tests are small
  constexpr unsigned most_steps = 60;
  impl::random_numbers random(seed);
  options drawn;
  drawn.seed = seed;
  drawn.threads = static_cast<thread_order>(random.below(3));
  drawn.blocks = static_cast<block_policy>(random.below(may_starve ? 4 : 2));
  drawn.descending_blocks = random.below(2) != 0;
  drawn.resident = 1 + random.below(most_resident);
  drawn.preempt_permille = random.below(2) != 0 ? random.below(300) : 0;
  if (drawn.blocks == block_policy::starve) {
    drawn.victim = random.below(most_victims);
    drawn.starve_after = 1 + random.below(most_steps);
  }
  return drawn;
}

seed_range seeds(std::uint64_t first, std::uint64_t wanted) {
  if (char const* const only = std::getenv("MGPU_EMULATOR_SEED")) return {std::strtoull(only, nullptr, 10), 1};
  return {first, wanted};
}

namespace {

struct history {
  stats last, total;
  void const* kernel = nullptr;
} past;

void remember(void const* kernel, stats const& launch) {
  past.kernel = kernel;
  past.last = launch;
  past.total.launches += launch.launches;
  past.total.blocks += launch.blocks;
  past.total.switches += launch.switches;
  past.total.barriers += launch.barriers;
  past.total.cluster_barriers += launch.cluster_barriers;
  past.total.collectives += launch.collectives;
  past.total.atomics += launch.atomics;
  past.total.spins += launch.spins;
  past.total.preemptions += launch.preemptions;
  past.total.shared_bytes = std::max(past.total.shared_bytes, launch.shared_bytes);
}

// Returns places for blocks, with their stacks, which serve one launch after the other. Under a race checker, threads that
// use one stack are ordered, so that a few launches that may be under way at a time have places of their own.
std::vector<std::unique_ptr<impl::block>>& block_places() {
#if defined(MGPU_EMULATOR_TSAN)
  constexpr unsigned num_sets = 4;
#else
  constexpr unsigned num_sets = 1;
#endif
  static std::vector<std::unique_ptr<impl::block>> places[num_sets];
  static unsigned set = 0;
  set = (set + 1) % num_sets;
  return places[set];
}

}  // namespace

stats const& last_stats() { return past.last; }
stats const& total_stats() { return past.total; }
void reset_stats() { past = {}; }
std::string last_kernel() { return impl::kernel_name(past.kernel); }

namespace device {

thread_position const& position() { return impl::scheduler::current().running().position; }
void sync_block() { impl::scheduler::current().sync_block(); }
void warp_collective(warp_call const& call) { impl::scheduler::current().warp_collective(call); }

std::uint32_t warp_collective(warp_operation operation, std::uint32_t mask, std::uint32_t word) {
  std::uint32_t result = 0;
  warp_call call{operation, mask};
  call.in = &word;
  call.out = &result;
  warp_collective(call);
  return result;
}

void* shared_memory(std::size_t storage_bytes) { return impl::scheduler::current().shared_memory(storage_bytes); }
void arrive_cluster(bool releases) { impl::scheduler::current().arrive_cluster(releases); }
void wait_cluster() { impl::scheduler::current().wait_cluster(); }
void* in_cluster_block(void const* mine, std::size_t bytes, unsigned rank) {
  return impl::scheduler::current().in_cluster_block(mine, bytes, rank);
}
void send_word(word_in_flight const& word, unsigned rank, std::uint64_t (*changed)(std::uint64_t state)) {
  impl::scheduler::current().send_word(word, rank, changed);
}
bool take_word(void const* barrier, word_in_flight& word) {
  return impl::scheduler::current().take_word(barrier, word);
}
void has_arguments() { impl::scheduler::current().has_arguments(); }
void launch_dependents() { impl::scheduler::current().launch_dependents(); }
void skip_launch() { impl::scheduler::current().skip_launch(); }
void wait_for_primary() { impl::scheduler::current().wait_for_primary(); }
void before_atomic(access kind) { impl::scheduler::current().before_atomic(kind); }
void spin_pause() { impl::scheduler::current().spin_pause(); }

namespace {
void run(launch_request const& request) {
  // Several host threads may launch. The mutex is recursive, as a test framework jumps out of a kernel that crashes.
  static std::recursive_mutex one_at_a_time;
  std::lock_guard<std::recursive_mutex> const lock(one_at_a_time);
  impl::scheduler launched(request, config(), block_places());
  past.kernel = request.kernel;
  try {
    launched.run();
  } catch (...) {
    remember(request.kernel, launched.counts());
    throw;
  }
  remember(request.kernel, launched.counts());
}
}  // namespace

cudaError_t launch(launch_request const& request) {
  cudaError_t const refused = impl::check_launch(request);
  if (refused != cudaSuccess) return refused;
  if (impl::is_late(request.stream)) {
    launch_request late = request;
    std::shared_ptr<void> const arguments(request.copy(request.arguments), request.discard);
    late.arguments = arguments.get();
    if (impl::defer(request.stream, [late, arguments] { run(late); })) return cudaSuccess;
  }
  run(request);
  return cudaSuccess;
}

}  // namespace device
}  // namespace mgpu::emulator
