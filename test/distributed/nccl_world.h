// The ranks of a communicator of the stand-in for NCCL share a world, by which the turn passes from one to the next.
#pragma once
#include <distributed/nccl_stand_in.h>
#include <nccl.h>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace test::nccl {

struct message {
  void const* from;
  std::size_t bytes;
  bool is_taken = false;
};

// The ranks of a communicator share this. Only the rank that has the turn touches it.
struct world {
  struct rank_state {
    std::function<bool()> is_ready = [] { return true; };
    std::string place = "its begin";
    bool is_done = false;
  };

  explicit world(options const& chosen)
      : settings(chosen), random(chosen.seed), ranks(static_cast<std::size_t>(chosen.num_ranks)) {}

  options settings;
  std::mt19937_64 random;
  std::mutex access;
  std::condition_variable passed_on;
  std::size_t turn = 0;
  std::vector<rank_state> ranks;
  bool has_failed = false;
  std::string fault;
  std::map<std::pair<int, int>, std::deque<message*>> sent;  // by sender and receiver
  std::uint64_t num_sends = 0;

  // The collective that is under way: how many ranks have brought their input, and how many have taken the result.
  std::string collective;
  std::vector<std::vector<char>> inputs;
  std::size_t num_arrived = 0;
  std::size_t num_left = 0;

  // Notes what the ranks did wrong. The first fault counts, as others follow from it.
  ncclResult_t tell(std::string what) {
    if (fault.empty()) fault = std::move(what);
    has_failed = true;
    return ncclInvalidUsage;
  }

  // Draws the rank that goes on, among those that need not wait.
  void pass_on() {
    std::lock_guard<std::mutex> const lock(access);
    std::vector<std::size_t> ready;
    std::string waiting;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      if (ranks[r].is_done) continue;
      if (has_failed || ranks[r].is_ready()) ready.push_back(r);
      waiting += " rank " + std::to_string(r) + " in " + ranks[r].place + ";";
    }
    if (ready.empty() && !waiting.empty()) {
      tell("deadlock:" + waiting);
      for (std::size_t r = 0; r < ranks.size(); ++r) {
        if (!ranks[r].is_done) ready.push_back(r);
      }
    }
    turn = ready.empty() ? ranks.size() : ready[random() % ready.size()];
    passed_on.notify_all();
  }
  void await_turn(std::size_t rank) {
    std::unique_lock<std::mutex> lock(access);
    passed_on.wait(lock, [&] { return turn == rank; });
  }
};

}  // namespace test::nccl
