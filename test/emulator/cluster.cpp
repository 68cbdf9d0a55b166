// Here are the barrier of a cluster, and the way into another block's shared memory.
#include <emulator/sanitizers.h>
#include <emulator/scheduler.h>
#include <algorithm>

namespace mgpu::emulator::impl {

namespace {
bool has_to_wait(thread const& t) { return t.cluster_halves % 2 != 0; }
}  // namespace

// The scheduler may interrupt the thread here, as at an atomic: what a kernel does between the two halves of the
// barrier must also be right when others have gone on by then.
void scheduler::arrive_cluster(bool releases) {
  thread& self = *running_;
  block& b = *self.home;
  cluster& c = b.home();
  check_convergence("cluster", self.cluster_halves);
  if (has_to_wait(self)) note_failure("a thread arrives at the cluster barrier again without having waited");
  stop_if_failed();
  ++self.cluster_halves;
  if (releases) publish(c.barrier_tag(c.barriers));
  publish(c.arrival_tag());
  ++b.steps;
  progress();
  if (++c.arrived == c.live) release_barrier(c);
  bool const preempted = draw_preemption();
  if (!preempted && !starved(c)) return;
  if (preempted) ++counts_.preemptions;
  b.ready.push(self.position.thread);
  give_way_to_host();
}

void scheduler::wait_cluster() {
  thread& self = *running_;
  block& b = *self.home;
  cluster& c = b.home();
  check_convergence("cluster", self.cluster_halves);
  if (!has_to_wait(self)) note_failure("a thread waits at the cluster barrier without having arrived");
  stop_if_failed();
  unsigned const generation = self.cluster_halves / 2;
  if (generation == c.barriers) {
    self.state = thread_state::at_cluster_barrier;
    ++b.at_cluster_barrier;
  } else {
    b.ready.push(self.position.thread);  // behind those that it has set free
  }
  give_way_in_block();
  observe(c.barrier_tag(generation));
  ++self.cluster_halves;
}

void scheduler::release_barrier(cluster& c) {
  c.arrived = 0;
  ++c.barriers;
  ++counts_.cluster_barriers;
  progress();
  for (block* const b : c.blocks) {
    b->at_cluster_barrier = 0;
    make_ready(*b, thread_state::at_cluster_barrier);
  }
}

// As on the device, the barrier waits for the threads that have not ended.
void scheduler::end_thread_in_cluster(thread const& t) {
  block& b = *t.home;
  cluster& c = b.home();
  --c.live;
  if (has_to_wait(t)) note_failure("a thread ends without having waited at the cluster barrier where it arrived");
  if (c.live != 0 && c.arrived == c.live) release_barrier(c);
  if (b.live == 0 && c.blocks.size() > 1) {
    observe(b.end_tag());
    observe(c.arrival_tag());
    b.shared.close();
    if (!b.words.empty())
      note_failure("the block ends before words have arrived that others store in it", t.position);
  }
}

void* scheduler::in_cluster_block(void const* mine, std::size_t bytes, unsigned rank) {
  thread const& self = *running_;
  block& b = *self.home;
  cluster& c = b.home();
  auto const fail = [&](std::string const& what) { note_failure("in_cluster_block: " + what); };
  if (rank >= c.blocks.size()) {
    fail("no block " + std::to_string(rank) + " in a cluster of " + std::to_string(c.blocks.size()));
  }
  stop_if_failed();
  block& target = *c.blocks[rank];
  std::size_t const offset =
      reinterpret_cast<std::uintptr_t>(mine) - reinterpret_cast<std::uintptr_t>(b.shared.data());
  bool const inside = offset <= b.shared.bytes() && bytes <= b.shared.bytes() - offset;
  if (!inside) fail("what is asked for is not in the caller's shared memory");
  if (&target != &b && self.cluster_halves < 2) {
    fail("block " + std::to_string(target.rank()) + " need not have started before wait_cluster()");
  }
  if (target.live == 0) fail("block " + std::to_string(target.rank()) + " has ended");
  stop_if_failed();
  return target.shared.data() + offset;
}

void scheduler::send_word(device::word_in_flight const& word, unsigned rank,
                          std::uint64_t (*changed)(std::uint64_t state)) {
  unseen const scope;
  running_->home->home().blocks[rank]->words.push_back(word);
  *word.barrier = changed(*word.barrier);
}

bool scheduler::take_word(void const* barrier, device::word_in_flight& word) {
  unseen const scope;
  auto& words = running_->home->words;
  auto const found =
      std::find_if(words.begin(), words.end(), [&](auto const& each) { return each.barrier == barrier; });
  if (found == words.end()) return false;
  word = *found;
  words.erase(found);
  return true;
}

}  // namespace mgpu::emulator::impl
