// Here barriers and warp collectives decide who waits for whom, exchange values, and find what is forbidden.
#include <emulator/sanitizers.h>
#include <emulator/scheduler.h>
#include <algorithm>
#include <functional>
#include <limits>
#include <sstream>

namespace mgpu::emulator::impl {

namespace {

// Calls f(lane) for each lane of the mask, in order.
template <class F>
void for_each_lane(std::uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(__builtin_ctz(mask)));
}

bool has(std::uint32_t mask, unsigned lane) { return (mask >> lane & 1) != 0; }

std::string in_words(device::warp_call const& call) {
  std::ostringstream text;
  text << name_of(call.operation) << " with mask 0x" << std::hex << call.mask;
  return text.str();
}

// Copies byte by byte: a sanitizer watches memcpy, and these bytes are on the stacks of other threads.
void copy_bytes(void* to, void const* from, std::size_t count) {
  auto* const target = static_cast<unsigned char volatile*>(to);
  auto const* const source = static_cast<unsigned char const volatile*>(from);
  for (std::size_t i = 0; i < count; ++i) target[i] = source[i];
}

std::uint32_t word(device::warp_call const& call) { return *static_cast<std::uint32_t const*>(call.in); }

}  // namespace

// A thread that has come to `barrier` calls this: no other lane may wait for it elsewhere, unless after passing more
// halves of cluster barriers than the caller.
void scheduler::check_convergence(char const* barrier, unsigned cluster_halves) {
  thread const& self = *running_;
  block& b = *self.home;
  for_each_lane(b.warp_of(self).arrived, [&](unsigned lane) {
    thread const& other = b.lane_of(self, lane);
    if (has(other.call.mask, self.position.lane) && other.cluster_halves <= cluster_halves) {
      note_failure(std::string(barrier) + " barrier in divergent code: thread " +
                   std::to_string(other.position.thread) + " waits for this lane in " + in_words(other.call));
    }
  });
  stop_if_failed();
}

void scheduler::sync_block() {
  thread& self = *running_;
  block& b = *self.home;
  check_convergence("block", std::numeric_limits<unsigned>::max());
  unsigned const generation = b.barriers;
  publish(b.barrier_tag(generation));
  self.state = thread_state::at_barrier;
  ++b.steps;
  if (++b.at_barrier == b.live) release_barrier(b);
  give_way_in_block();
  observe(b.barrier_tag(generation));
}

void scheduler::release_barrier(block& b) {
  b.at_barrier = 0;
  ++b.barriers;
  ++counts_.barriers;
  progress();
  make_ready(b, thread_state::at_barrier);
}

void scheduler::warp_collective(device::warp_call const& call) {
  thread& self = *running_;
  block& b = *self.home;
  warp& w = b.warp_of(self);
  self.call = call;
  check_lanes(self, call.mask);
  bool const orders = call.operation == device::warp_operation::sync;  // shuffles and votes order no memory
  if (orders) publish(b.arrival_tag(self));
  self.state = thread_state::in_collective;
  ++b.steps;
  w.arrived |= 1u << self.position.lane;
  if (lanes_in_same_call(self) == call.mask) complete_collective(self);
  give_way_in_block();
  if (orders) observe(b.departure_tag(self));
}

// Checks what can be said of a mask without knowing what the other lanes do.
void scheduler::check_lanes(thread const& t, std::uint32_t mask) {
  block& b = *t.home;
  warp const& w = b.warp_of(t);
  auto const fail_call = [&](char const* what) { note_failure(in_words(t.call) + ": " + what); };
  if (!has(mask, t.position.lane)) fail_call("the calling lane is not in its mask");
  if ((mask & ~w.members) != 0) fail_call("the mask names lanes that the block does not have");
  if ((mask & w.ended) != 0) fail_call("the mask names lanes that have exited");
  stop_if_failed();
  if (b.at_barrier == 0 && b.at_cluster_barrier == 0) return;
  for_each_lane(mask, [&](unsigned lane) {
    thread const& other = b.lane_of(t, lane);
    bool const at_cluster_barrier = other.state == thread_state::at_cluster_barrier;
    if (other.state == thread_state::at_barrier || at_cluster_barrier) {
      note_failure(std::string(at_cluster_barrier ? "cluster" : "block") + " barrier in divergent code: thread " +
                   std::to_string(other.position.thread) + " is there, and is waited for in " + in_words(t.call));
    }
  });
  stop_if_failed();
}

// Returns the lanes that wait where `t` does. Two lanes that name each other in different calls wait for ever.
std::uint32_t scheduler::lanes_in_same_call(thread const& t) {
  block& b = *t.home;
  std::uint32_t const here = b.warp_of(t).arrived & t.call.mask;
  std::uint32_t const others = here & ~(1u << t.position.lane);
  if (here != t.call.mask) {
    // The last lane to come looks at all others. An earlier one looks at one of them, which will do: to look at all
    // at each arrival would be 32 times the work.
    if (others == 0) return 0;
    device::warp_call const& other = b.lane_of(t, static_cast<unsigned>(__builtin_ctz(others))).call;
    if (other.mask == t.call.mask && other.operation == t.call.operation) return 0;
  }
  std::uint32_t same = 0;
  for_each_lane(here, [&](unsigned lane) {
    thread const& other = b.lane_of(t, lane);
    bool const alike =
        other.call.mask == t.call.mask && other.call.operation == t.call.operation && other.call.type == t.call.type;
    if (alike) {
      same |= 1u << lane;
    } else if (has(other.call.mask, t.position.lane)) {
      bool const only_type = other.call.operation == t.call.operation && other.call.mask == t.call.mask;
      note_failure("divergent warp collective: this lane is in " + in_words(t.call) + ", thread " +
                   std::to_string(other.position.thread) + ", which it waits for, in " + in_words(other.call) +
                   (only_type ? " of another type" : ""));
    }
  });
  stop_if_failed();
  return same;
}

void scheduler::complete_collective(thread& last) {
  block& b = *last.home;
  std::uint32_t const mask = last.call.mask;
  exchange(last);
  stop_if_failed();
  if (last.call.operation == device::warp_operation::sync) {
    // The words are gathered here and handed out by lane, so that a lane that leaves late does not see what others
    // publish at their next sync_warp.
    for_each_lane(mask, [&](unsigned lane) { observe(b.arrival_tag(b.lane_of(last, lane))); });
    for_each_lane(mask, [&](unsigned lane) { publish(b.departure_tag(b.lane_of(last, lane))); });
  }
  released_.clear();
  for_each_lane(mask, [&](unsigned lane) { released_.push_back(b.lane_of(last, lane).position.thread); });
  b.warp_of(last).arrived &= ~mask;
  ++counts_.collectives;
  bool polls = true;  // a vote of lanes that have all paused since the one before is a turn of a loop that waits
  for_each_lane(mask, [&](unsigned lane) {
    bool& has_paused = b.lane_of(last, lane).has_paused;
    polls = polls && has_paused;
    has_paused = false;
  });
  if (!polls) progress();
  make_ready(b, released_);
}

void scheduler::exchange(thread const& last) {
  using device::warp_operation;
  block& b = *last.home;
  std::uint32_t const mask = last.call.mask;
  auto const call_of = [&](unsigned lane) -> device::warp_call const& { return b.lane_of(last, lane).call; };
  auto const answer = [&](unsigned lane, std::uint32_t bits) {
    *static_cast<std::uint32_t*>(call_of(lane).out) = bits;
  };
  auto const lanes_where = [&](auto predicate) {
    std::uint32_t bits = 0;
    for_each_lane(mask, [&](unsigned lane) { bits |= predicate(word(call_of(lane))) ? 1u << lane : 0u; });
    return bits;
  };
  auto const answer_all = [&](std::uint32_t bits) {
    for_each_lane(mask, [&](unsigned lane) { answer(lane, bits); });
  };
  auto const combined = [&](auto operation) {
    std::uint32_t bits = 0;
    for_each_lane(mask, [&](unsigned lane) { bits = operation(bits, word(call_of(lane))); });
    return bits;
  };
  auto const is_true = [](std::uint32_t value) { return value != 0; };

  switch (last.call.operation) {
    case warp_operation::sync:
      return;
    case warp_operation::all:
      return answer_all(lanes_where(is_true) == mask);
    case warp_operation::any:
      return answer_all(lanes_where(is_true) != 0);
    case warp_operation::ballot:
      return answer_all(lanes_where(is_true));
    case warp_operation::match_any:
      return for_each_lane(mask, [&](unsigned lane) {
        std::uint32_t const mine = word(call_of(lane));
        answer(lane, lanes_where([&](std::uint32_t value) { return value == mine; }));
      });
    case warp_operation::sum:
      return answer_all(combined(std::plus<>()));
    case warp_operation::bitwise_or:
      return answer_all(combined(std::bit_or<>()));
    case warp_operation::maximum:
      return answer_all(combined([](std::uint32_t a, std::uint32_t b) { return std::max(a, b); }));
    case warp_operation::shuffle:
    case warp_operation::shuffle_up:
    case warp_operation::shuffle_down:
    case warp_operation::shuffle_xor:
      return for_each_lane(mask, [&](unsigned lane) {
        device::warp_call const& reader = call_of(lane);
        if (!has(mask, reader.source)) {  // undefined on the device
          note_failure(in_words(reader) + ": lane " + std::to_string(lane) + " reads from lane " +
                       std::to_string(reader.source) + ", outside the mask");
          return;
        }
        copy_bytes(reader.out, call_of(reader.source).in, reader.size);
      });
  }
}

}  // namespace mgpu::emulator::impl
