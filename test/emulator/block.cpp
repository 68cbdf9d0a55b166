#include <emulator/block.h>
#include <emulator/sanitizers.h>
#include <algorithm>
#include <cstdlib>
#include <new>
#include <sstream>

namespace mgpu::emulator::impl {

namespace {
// Sanitizers make frames larger.
constexpr std::size_t default_stack_bytes = with_asan ? 128 << 10 : 64 << 10;
}  // namespace

void ready_queue::reset(unsigned capacity) {
  ring_.resize(capacity);
  head_ = 0;
  size_ = 0;
}

void ready_queue::push(unsigned thread) {
  auto const capacity = static_cast<unsigned>(ring_.size());
  unsigned const end = head_ + size_;
  ring_[end < capacity ? end : end - capacity] = thread;
  ++size_;
}

unsigned ready_queue::pop() {
  unsigned const thread = ring_[head_];
  if (++head_ == ring_.size()) head_ = 0;
  --size_;
  return thread;
}

block::~block() { finish(); }

void block::start(device::launch_request const& request, unsigned rank, cluster& home, options const& settings,
                  void (*entry)()) {
  unseen const scope;
  unsigned const count = request.threads_per_block;
  rank_ = rank;
  occupied_ = true;
  home_ = &home;
  threads.assign(count, thread{});
  warps.assign((count + lanes_per_warp - 1) / lanes_per_warp, warp{});
  ready.reset(count);
  words.clear();
  fibers_.reserve(count, settings.stack_bytes != 0 ? settings.stack_bytes : default_stack_bytes);
  shared.allocate(request.shared_bytes, settings.shared_fill);
  std::free(tags_);
  tags_ = static_cast<order_tag*>(std::malloc((3 + 2 * count) * sizeof(order_tag)));
  if (tags_ == nullptr) throw std::bad_alloc();
  live = count;
  at_barrier = 0;
  at_cluster_barrier = 0;
  barriers = 0;
  spinning = 0;
  steps = 0;

  for (unsigned i = 0; i < count; ++i) {
    thread& t = threads[i];
    t.position = {i,
                  rank,
                  request.num_blocks,
                  count,
                  i % lanes_per_warp,
                  i / lanes_per_warp,
                  rank % request.blocks_per_cluster,
                  request.blocks_per_cluster};
    t.home = this;
    warps[t.position.warp].members |= 1u << t.position.lane;
    // A race checker takes all that use a fiber one after the other for one thread. The fibers are shifted by block,
    // so that these are not the threads of the same rank, through which blocks talk to each other.
    t.context = &fibers_.prepare((i + rank) % count, entry);
  }
}

void block::finish() {
  unseen const scope;
  occupied_ = false;
  shared.release();
  std::free(tags_);
  tags_ = nullptr;
}

char const* name_of(device::warp_operation operation) {
  static char const* const names[] = {"sync_warp", "all",         "any",          "ballot",
                                      "match_any", "sum_of_warp", "or_of_warp",   "maximum_of_warp",
                                      "shuffle",   "shuffle_up",  "shuffle_down", "shuffle_xor"};
  return names[static_cast<unsigned>(operation)];
}

namespace {
std::string standing(thread const& t) {
  switch (t.state) {
    case thread_state::ready:
      return t.spinning ? "in spin_pause" : "could run";
    case thread_state::at_barrier:
      return "at the block barrier";
    case thread_state::at_cluster_barrier:
      return "at the cluster barrier";
    case thread_state::ended:
      return "ended";
    case thread_state::in_collective:
      break;
  }
  std::ostringstream text;
  text << "in " << name_of(t.call.operation) << " with mask 0x" << std::hex << t.call.mask;
  return text.str();
}
}  // namespace

std::string block::describe() const {
  struct group {
    std::string where, threads;
    std::size_t count;
  };
  std::vector<group> groups;
  std::size_t const count = threads.size();
  for (std::size_t first = 0, last = 0; first < count; first = last) {
    std::string const where = standing(threads[first]);
    last = first + 1;
    while (last < count && standing(threads[last]) == where) ++last;
    auto const same = [&](group const& g) { return g.where == where; };
    auto found = std::find_if(groups.begin(), groups.end(), same);
    if (found == groups.end()) found = groups.insert(groups.end(), {where, "", 0});
    found->count += last - first;
    if (!found->threads.empty()) found->threads += ",";
    found->threads += std::to_string(first);
    if (last - first > 1) found->threads += "-" + std::to_string(last - 1);
  }
  std::ostringstream text;
  text << "block " << rank_ << ": ";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    text << (i == 0 ? "" : "; ") << (groups[i].count == 1 ? "thread " : "threads ") << groups[i].threads << " "
         << groups[i].where;
  }
  return text.str();
}

}  // namespace mgpu::emulator::impl
