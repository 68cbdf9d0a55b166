// Here it is decided which blocks are in flight, and which of them runs next.
#include <emulator/sanitizers.h>
#include <emulator/scheduler.h>
#include <algorithm>

namespace mgpu::emulator::impl {

namespace {
// A fiber costs a megabyte under TSan, and a mapping for its guard page otherwise.
constexpr unsigned max_threads_in_flight = with_tsan ? 1024 : 16384;
}  // namespace

unsigned scheduler::max_resident() const {
  unsigned const size = request_.blocks_per_cluster;
  unsigned const fitting = std::max(1u, max_threads_in_flight / (request_.threads_per_block * size));
  return std::min((std::max(1u, settings_.resident) + size - 1) / size, fitting);
}

bool scheduler::starved(cluster const& c) const {
  unsigned const size = request_.blocks_per_cluster;
  if (settings_.blocks != block_policy::starve || c.number != settings_.victim / size) return false;
  block const& victim = *c.blocks[settings_.victim % size];
  bool const stops = victim.steps >= settings_.starve_after || victim.live == 0;
  return stops && ended_ - c.ended < request_.num_blocks - size;
}

void scheduler::fill_places() {
  while (started_ < request_.num_blocks && failure_.empty()) {
    // A starved cluster takes no place: the others would not all get one.
    auto const active = std::count_if(clusters_.begin(), clusters_.end(), [&](auto& c) { return !starved(*c); });
    if (active >= static_cast<std::ptrdiff_t>(max_resident())) return;
    start_cluster();
  }
}

void scheduler::start_cluster() {
  unseen const scope;
  unsigned const size = request_.blocks_per_cluster;
  unsigned const first = settings_.descending_blocks ? request_.num_blocks - 1 - started_ : started_;
  clusters_.push_back(std::make_unique<cluster>());
  cluster& c = *clusters_.back();
  c.number = first / size;
  c.blocks.resize(size);
  c.live = size * request_.threads_per_block;
  for (unsigned i = 0; i < size; ++i) start_block(c);
}

void scheduler::start_block(cluster& c) {
  auto place = std::find_if(places_.begin(), places_.end(), [](auto const& p) { return !p->occupied(); });
  if (place == places_.end()) place = places_.insert(places_.end(), std::make_unique<block>());
  unsigned const rank = settings_.descending_blocks ? request_.num_blocks - 1 - started_ : started_;
  ++started_;
  block& b = **place;
  b.start(request_, rank, c, settings_, &scheduler::thread_main);
  c.blocks[rank % request_.blocks_per_cluster] = &b;
  resident_.push_back(&b);
  ++counts_.blocks;
  make_ready(b, thread_state::ready);
}

block* scheduler::choose_block() {
  std::size_t const count = resident_.size();
  if (settings_.blocks == block_policy::random) cursor_ = random_.below(static_cast<unsigned>(count));
  if (settings_.blocks == block_policy::exclusive) {
    if (block* const next = next_runnable(&resident_[cursor_]->home())) return next;
  }
  return next_runnable(nullptr);
}

// Returns the next block that can run, from the cursor on, or null if there is none in the cluster, or, without one,
// anywhere.
block* scheduler::next_runnable(cluster const* among) {
  std::size_t const count = resident_.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t const candidate = (cursor_ + i) % count;
    block& b = *resident_[candidate];
    if (among != nullptr && &b.home() != among) continue;
    if (b.ready.size() == 0 || starved(b.home())) continue;
    cursor_ = candidate;
    return &b;
  }
  return nullptr;
}

// Moves the cursor back to the cluster, if it has moved out, unless the cluster has ended.
void scheduler::stay_in_cluster(unsigned number) {
  auto const belongs = [&](block* b) { return b->home().number == number; };
  if (cursor_ < resident_.size() && belongs(resident_[cursor_])) return;
  auto const first = std::find_if(resident_.begin(), resident_.end(), belongs);
  if (first != resident_.end()) cursor_ = static_cast<std::size_t>(first - resident_.begin());
}

void scheduler::retire(block& ended) {
  if (!ended.shared.guards_intact() && failure_.empty()) {
    failure_ = "shared memory written out of bounds by block " + std::to_string(ended.rank());
  }
  resident_.erase(std::find(resident_.begin(), resident_.end(), &ended));
  ++ended_;
  cluster& home = ended.home();
  if (++home.ended == home.blocks.size()) retire(home);
}

void scheduler::retire(cluster& ended) {
  unseen const scope;
  bool const closed = ended.blocks.size() > 1;
  for (block* const b : ended.blocks) {
    if (closed && !b->shared.untouched_since_closed() && failure_.empty()) {
      failure_ = "shared memory of block " + std::to_string(b->rank()) + " written after the block had ended";
    }
    b->finish();
  }
  clusters_.erase(std::find_if(clusters_.begin(), clusters_.end(), [&](auto& c) { return c.get() == &ended; }));
}

}  // namespace mgpu::emulator::impl
