#include <emulator/sanitizers.h>
#include <emulator/scheduler.h>
#include <algorithm>
#include <exception>
#include <sstream>

namespace mgpu::emulator::impl {

namespace {
// A thread that loads so often without progress anywhere polls, whether or not it calls spin_pause().
constexpr std::uint64_t max_loads_without_progress = 4096;

// Launches take these tags in turns: an early one looks at those of the launch before, its primary.
constexpr unsigned num_tags = 64;
order_tag ended_threads[num_tags];
// What the threads of a launch have waited for before they let others start has ended when an early launch after it
// starts.
order_tag awaited[num_tags];
// Who waits for a launch that is skipped does not wait for those before it; a launch that is not early waits for all.
order_tag skipped_threads;
unsigned launches = 0;
}  // namespace

void observe_launches() {
  for (order_tag& tag : ended_threads) observe(&tag.address);
  observe(&skipped_threads.address);
}

scheduler* scheduler::current_ = nullptr;

scheduler::scheduler(device::launch_request const& request, options const& settings,
                     std::vector<std::unique_ptr<block>>& places)
    : request_(request), number_(launches++), settings_(settings), random_(settings.seed), places_(places) {
  released_.reserve(max_threads_per_block);
  counts_.launches = 1;
  counts_.shared_bytes = request.shared_bytes;
}

void scheduler::run() {
  current_ = this;
  host_.adopt_current();
  if (request_.early) {
    observe(&awaited[(number_ - 1) % num_tags].address);
  } else {
    observe_launches();
  }
  publish(&host_before_.address);
  fill_places();
  while (!resident_.empty() && failure_.empty()) {
    if (block* const chosen = choose_block()) {
      run_block(*chosen);
    } else {
      failure_ = "deadlock: no thread can run";
    }
    fill_places();
  }
  abandon_threads();
  observe(&have_arguments_.address);
  if (!has_dependents_ || !failure_.empty()) observe(&all_threads_.address);
  std::string const what = failure_.empty() ? std::string() : report();
  for (auto const& left : clusters_) {
    for (block* const b : left->blocks) b->finish();
  }
  current_ = nullptr;
  if (!what.empty()) throw error(what);
}

void scheduler::run_block(block& chosen) {
  host_.switch_to(next_in_block(chosen));
  if (!failure_.empty()) return;
  unsigned const number = chosen.home().number;
  if (chosen.live == 0) {
    retire(chosen);
  } else {
    ++cursor_;
  }
  if (settings_.blocks == block_policy::exclusive) stay_in_cluster(number);
  if (!resident_.empty()) cursor_ %= resident_.size();
}

// What the threads of a failed launch did must still be ordered before what the host does next.
void scheduler::abandon_threads() {
  for (block* const b : resident_) {
    for (thread& t : b->threads) {
      if (t.state != thread_state::ended) t.context->abandon(host_, &all_threads_.address);
    }
  }
}

std::string scheduler::report() const {
  constexpr std::size_t most_blocks = 16;
  std::ostringstream text;
  text << "emulator: " << failure_ << "\n  kernel " << kernel_name(request_.kernel) << ", " << request_.num_blocks
       << " blocks of " << request_.threads_per_block << " threads, " << request_.shared_bytes
       << " bytes of shared memory";
  if (request_.blocks_per_cluster > 1) text << ", clusters of " << request_.blocks_per_cluster;
  if (request_.early) text << ", launched early";
  text << "\n  schedule " << emulator::describe(settings_) << "\n  " << ended_ << " blocks ended, "
       << request_.num_blocks - started_ << " not started";
  for (std::size_t i = 0; i < resident_.size() && i < most_blocks; ++i) {
    text << "\n  " << resident_[i]->describe() << (starved(resident_[i]->home()) ? "; starved" : "");
  }
  if (resident_.size() > most_blocks) text << "\n  ...";
  return text.str();
}

fiber& scheduler::next_in_block(block& b) {
  ++counts_.switches;
  running_ = &b.threads[b.ready.pop()];
  return *running_->context;
}

void scheduler::give_way_in_block() {
  thread& self = *running_;
  if (self.home->ready.size() == 0 || !failure_.empty()) return give_way_to_host();
  fiber& next = next_in_block(*self.home);
  if (running_ != &self) self.context->switch_to(next);
}

void scheduler::give_way_to_host() {
  ++counts_.switches;
  running_->context->switch_to(host_);
}

void scheduler::make_ready(block& b, std::vector<unsigned>& threads) {
  if (settings_.threads == thread_order::descending) {
    std::reverse(threads.begin(), threads.end());
  } else if (settings_.threads == thread_order::shuffled) {
    for (std::size_t i = threads.size(); i > 1; --i) {
      std::swap(threads[i - 1], threads[random_.below(static_cast<unsigned>(i))]);
    }
  }
  for (unsigned const i : threads) {
    b.threads[i].state = thread_state::ready;
    b.ready.push(i);
  }
}

void scheduler::make_ready(block& b, thread_state waiting) {
  released_.clear();
  for (thread const& t : b.threads) {
    if (t.state == waiting) released_.push_back(t.position.thread);
  }
  make_ready(b, released_);
}

void scheduler::progress() {
  pauses_without_progress_ = 0;
  loads_without_progress_ = 0;
  running_->home->spinning = 0;
}

void scheduler::note_failure(std::string what, device::thread_position const& where) {
  if (!failure_.empty()) return;
  failure_ = std::move(what);
  failure_ += "; thread " + std::to_string(where.thread) + " of block " + std::to_string(where.block);
  publish(&all_threads_.address);  // the host will read the text
}

void scheduler::stop_if_failed() {
  while (!failure_.empty()) give_way_to_host();
}

void scheduler::refuse_host() { throw error("emulator: a device function was called outside of a kernel"); }

void scheduler::thread_main() {
  scheduler& self = *current_;
  thread& me = *self.running_;
  observe(&self.host_before_.address);
  try {
    self.request_.run(self.request_.arguments);
  } catch (std::exception const& e) {
    self.note_failure(std::string("exception in device code: ") + e.what());
  } catch (...) {
    self.note_failure("exception in device code");
  }
  publish(&self.all_threads_.address);
  publish(me.is_skipped ? &skipped_threads.address : &ended_threads[self.number_ % num_tags].address);
  publish(me.home->end_tag());
  self.end_thread(me);
  block& home = *me.home;
  bool const stay = home.ready.size() != 0 && self.failure_.empty();
  fiber& next = stay ? self.next_in_block(home) : self.host_;
  if (!stay) ++self.counts_.switches;
  me.context->leave_to(next);
}

void scheduler::end_thread(thread& t) {
  block& b = *t.home;
  t.state = thread_state::ended;
  --b.live;
  if (request_.early && !t.may_end) {
    note_failure("a thread of a kernel that was launched early ends without wait_for_primary()", t.position);
  }
  progress();
  warp& w = b.warp_of(t);
  w.ended |= 1u << t.position.lane;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    bool const waits = (w.arrived >> lane & 1) != 0;
    if (waits && (b.lane_of(t, lane).call.mask & w.ended) != 0) {
      note_failure(
          std::string("a lane has exited that is in the mask of ") + name_of(b.lane_of(t, lane).call.operation),
          b.lane_of(t, lane).position);
    }
  }
  // As on the device, a barrier waits for the threads that have not ended.
  if (b.live != 0 && b.at_barrier == b.live) release_barrier(b);
  end_thread_in_cluster(t);
}

bool scheduler::draw_preemption() {
  return settings_.preempt_permille != 0 && random_.below(1000) < settings_.preempt_permille;
}

void scheduler::before_atomic(device::access kind) {
  thread& self = *running_;
  block& b = *self.home;
  bool const preempted = draw_preemption();
  if (kind == device::access::shared) {  // other blocks cannot see it
    if (!preempted) return;
    ++counts_.preemptions;
    b.ready.push(self.position.thread);
    return give_way_in_block();
  }
  ++counts_.atomics;
  ++b.steps;
  if (kind == device::access::store) {
    progress();
  } else if (++loads_without_progress_ > max_loads_without_progress) {
    return spin_pause();
  }
  if (!preempted && !starved(b.home())) return;
  if (preempted) ++counts_.preemptions;
  b.ready.push(self.position.thread);
  give_way_to_host();
}

void scheduler::has_arguments() { publish(&have_arguments_.address); }

void scheduler::wait_for_primary() {
  running_->may_end = true;
  if (!request_.early) return;
  observe(&ended_threads[(number_ - 1) % num_tags].address);
  if (!running_->has_let_others_start) publish(&awaited[number_ % num_tags].address);
}

void scheduler::launch_dependents() {
  running_->has_let_others_start = true;
  has_dependents_ = true;
}

void scheduler::skip_launch() {
  running_->may_end = running_->is_skipped = true;
  has_dependents_ = true;
}

void scheduler::spin_pause() {
  thread& self = *running_;
  block& b = *self.home;
  ++counts_.spins;
  ++b.steps;
  self.spinning = true;
  self.has_paused = true;
  if (++pauses_without_progress_ > settings_.spin_bound) {
    note_failure("livelock: " + std::to_string(pauses_without_progress_) + " pauses without progress");
  }
  stop_if_failed();
  b.ready.push(self.position.thread);
  ++b.spinning;
  bool leave = b.spinning >= b.ready.size();  // all that could run here spins
  if (settings_.blocks == block_policy::random) leave = leave || random_.below(4) == 0;
  if (settings_.blocks == block_policy::exclusive && request_.blocks_per_cluster == 1) leave = false;
  if (starved(b.home())) leave = true;
  if (leave) {
    b.spinning = 0;
    give_way_to_host();
  } else {
    give_way_in_block();
  }
  self.spinning = false;
}

void* scheduler::shared_memory(std::size_t storage_bytes) {
  impl::shared_memory& memory = running_->home->shared;
  if (storage_bytes != memory.bytes()) {
    note_failure("shared storage size mismatch: the kernel's storage is " + std::to_string(storage_bytes) +
                 " bytes, the launch gave " + std::to_string(memory.bytes()));
  }
  stop_if_failed();
  return memory.data();
}

}  // namespace mgpu::emulator::impl
