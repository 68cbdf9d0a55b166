// The scheduler runs one launch at a time: it decides which blocks are in flight and which thread runs, and whether
// anything still progresses.
#pragma once
#include <emulator/block.h>
#include <emulator/device.h>
#include <emulator/emulator.h>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mgpu::emulator::impl {

class scheduler {
 public:
  scheduler(device::launch_request const& request, options const& settings,
            std::vector<std::unique_ptr<block>>& places);
  scheduler(scheduler const&) = delete;
  scheduler& operator=(scheduler const&) = delete;

  // Returns the scheduler of the launch that is going on. Throws error if there is none: somebody called a device
  // function from the host.
  static scheduler& current() {
    if (current_ == nullptr) refuse_host();
    return *current_;
  }
  // Runs all blocks. Throws error.
  void run();
  stats const& counts() const { return counts_; }

  // These are called on the fiber of the running thread.
  thread& running() { return *running_; }
  void sync_block();
  void warp_collective(device::warp_call const& call);
  void before_atomic(device::access kind);
  void spin_pause();
  void* shared_memory(std::size_t storage_bytes);
  void arrive_cluster(bool releases);
  void wait_cluster();
  void* in_cluster_block(void const* mine, std::size_t bytes, unsigned rank);
  void send_word(device::word_in_flight const& word, unsigned rank, std::uint64_t (*changed)(std::uint64_t state));
  bool take_word(void const* barrier, device::word_in_flight& word);
  void has_arguments();
  void launch_dependents();
  void wait_for_primary();
  void skip_launch();

 private:
  // These are called on the host's side.
  void fill_places();
  void start_cluster();
  void start_block(cluster& c);
  block* choose_block();
  block* next_runnable(cluster const* among);
  void run_block(block& chosen);
  void stay_in_cluster(unsigned number);
  void retire(block& ended);
  void retire(cluster& ended);
  void abandon_threads();
  std::string report() const;
  bool starved(cluster const& c) const;
  unsigned max_resident() const;  // clusters

  // These give way to another thread. A thread that wants to run again queues itself first.
  void give_way_in_block();  // to the next thread of the block, or to the host if none can run
  void give_way_to_host();   // to the host, and by it to another block
  fiber& next_in_block(block& b);
  bool draw_preemption();
  void make_ready(block& b, std::vector<unsigned>& threads);
  void make_ready(block& b, thread_state waiting);  // all that are in that state
  void progress();
  // The first defect found counts. It is noted first and acted on in a statement of its own: what the running thread
  // still holds when it stops is never freed.
  void note_failure(std::string what, device::thread_position const& where);
  void note_failure(std::string what) { note_failure(std::move(what), running_->position); }
  void stop_if_failed();

  [[noreturn]] static void refuse_host();
  static void thread_main();
  void end_thread(thread& t);
  void release_barrier(block& b);
  void release_barrier(cluster& c);
  void end_thread_in_cluster(thread const& t);
  void check_convergence(char const* barrier, unsigned cluster_halves);
  void check_lanes(thread const& t, std::uint32_t mask);
  std::uint32_t lanes_in_same_call(thread const& t);
  void complete_collective(thread& last);
  void exchange(thread const& last);

  static scheduler* current_;

  device::launch_request const& request_;
  unsigned const number_;  // how many launches there were before
  options settings_;
  random_numbers random_;
  std::vector<std::unique_ptr<block>>& places_;
  std::vector<std::unique_ptr<cluster>> clusters_;  // in flight
  std::vector<block*> resident_;
  std::vector<unsigned> released_;  // by the barrier or collective at hand
  fiber host_;
  thread* running_ = nullptr;
  std::size_t cursor_ = 0;
  unsigned started_ = 0;
  unsigned ended_ = 0;
  std::uint64_t pauses_without_progress_ = 0;
  std::uint64_t loads_without_progress_ = 0;
  std::string failure_;
  order_tag host_before_{}, have_arguments_{}, all_threads_{};
  bool has_dependents_ = false;
  stats counts_;
};

// The host learns what a launch did when that returns. What a launch did that calls launch_dependents() it learns
// when it waits for it, so that an early launch after it does not learn it from the host.
void observe_launches();

}  // namespace mgpu::emulator::impl
