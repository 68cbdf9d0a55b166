// Tests of calls over ranks run their body on each rank: over the stand-in for NCCL, or on the machine's GPUs, with a
// thread for each.
#pragma once
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <random>
#include <vector>
#if defined(MGPU_EMULATED)
#include <distributed/nccl_stand_in.h>
#include <emulator/runtime.h>
#else
#include <nccl.h>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#endif

namespace test {

#if defined(MGPU_EMULATED)

inline int most_ranks() { return 8; }

// Calls body(communicator, rank) on so many ranks. What a rank throws, or all do wrong together, fails the test.
inline void run_ranks(int num_ranks, std::uint32_t seed, std::function<void(ncclComm_t, int)> const& body) {
  nccl::options chosen;
  chosen.num_ranks = num_ranks;
  chosen.seed = seed;
  mgpu::emulator::runtime::late_streams(seed);
  nccl::report const came = nccl::run_ranks(chosen, body);
  mgpu::emulator::runtime::late_streams(0);
  BOOST_TEST(came.fault == "");
  for (auto const& error : came.errors) {
    if (error) std::rethrow_exception(error);
  }
}

// Ranks need not wait for one another where one runs at a time.
inline void meet() {}

#else

inline int most_ranks() {
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);  // before the first call: loading may wait for kernels of NCCL's
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
}

// Returns communicators of the first num_ranks GPUs, which are kept, as they take long to make.
inline std::vector<ncclComm_t> const& communicators(int num_ranks) {
  static auto* const kept = new std::map<int, std::vector<ncclComm_t>>;
  auto& made = (*kept)[num_ranks];
  if (made.empty()) {
    made.resize(static_cast<std::size_t>(num_ranks));
    BOOST_REQUIRE_EQUAL(ncclCommInitAll(made.data(), num_ranks, nullptr), ncclSuccess);
  }
  return made;
}

// All ranks come to a meeting, or one has failed.
class meeting {
 public:
  void begin(int num_ranks) {
    num_ranks_ = num_ranks;
    num_here_ = 0;
    has_failed_ = false;
  }
  void fail() {
    std::lock_guard<std::mutex> const lock(access_);
    has_failed_ = true;
    changed_.notify_all();
  }
  void come() {
    std::unique_lock<std::mutex> lock(access_);
    int const mine = number_;
    if (++num_here_ == num_ranks_) {
      num_here_ = 0;
      ++number_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return number_ != mine || has_failed_; });
    if (number_ == mine) throw std::runtime_error("another rank has failed");
  }

 private:
  std::mutex access_;
  std::condition_variable changed_;
  int num_ranks_ = 0;
  int num_here_ = 0;
  int number_ = 0;
  bool has_failed_ = false;
};
inline meeting& place_to_meet() {
  static auto* const kept = new meeting;
  return *kept;
}
// Each rank calls this between what it allocates and what it calls over ranks: cudaMalloc may wait for another rank's
// kernel of NCCL's, which waits for this one.
inline void meet() { place_to_meet().come(); }

inline void run_ranks(int num_ranks, std::uint32_t, std::function<void(ncclComm_t, int)> const& body) {
  auto const& comms = communicators(num_ranks);
  place_to_meet().begin(num_ranks);
  std::vector<std::exception_ptr> errors(comms.size());
  std::vector<std::thread> threads;
  for (int rank = 0; rank < num_ranks; ++rank) {
    threads.emplace_back([&, rank] {
      auto const place = static_cast<std::size_t>(rank);
      try {
        if (cudaSetDevice(rank) != cudaSuccess) throw std::runtime_error("cudaSetDevice");
        body(comms[place], rank);
      } catch (...) {
        errors[place] = std::current_exception();
        place_to_meet().fail();
      }
    });
  }
  for (auto& each : threads) each.join();
  for (auto const& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

#endif

// As a precondition it skips a suite where there are not two GPUs.
struct can_run_ranks {
  boost::test_tools::assertion_result operator()(boost::unit_test::test_unit_id) const {
    boost::test_tools::assertion_result result(most_ranks() >= 2);
    if (!result) result.message() << "this machine has not two GPUs";
    return result;
  }
};

// Returns the numbers of ranks to try: few, and all.
inline std::vector<int> numbers_of_ranks() {
  std::vector<int> numbers;
  for (int const number : {1, 2, 3, 5, 8}) {
    if (number <= most_ranks()) numbers.push_back(number);
  }
  return numbers;
}

// Tells whether so many items a rank are tried with so many ranks. Many of them take the emulator long.
inline bool is_tried([[maybe_unused]] int num_ranks, [[maybe_unused]] std::size_t usual) {
#if defined(MGPU_EMULATED)
  return usual <= 1000 || (num_ranks == 3 && usual < 100000);
#else
  return true;
#endif
}

// The ranks' numbers of items.
using rank_counts = std::vector<std::size_t>;

inline std::size_t sum_of(rank_counts const& counts) {
  std::size_t sum = 0;
  for (std::size_t const count : counts) sum += count;
  return sum;
}

// Returns how a whole of about num_ranks * usual items may lie on the ranks: evenly, unevenly with some ranks empty,
// all on one rank; and if they are few, also in more ways such as these, one on each rank, or none at all.
inline std::vector<rank_counts> ways_to_share(int num_ranks, std::size_t usual, std::uint32_t seed) {
  auto const ranks = static_cast<std::size_t>(num_ranks);
  std::mt19937 random(seed);
  auto const uneven = [&] {
    rank_counts counts(ranks);
    for (std::size_t& count : counts) count = random() % 3 == 0 ? random() % 3 : random() % (2 * usual + 1);
    return counts;
  };
  auto const on_one = [&](std::size_t rank) {
    rank_counts counts(ranks, 0);
    counts[rank] = usual;
    return counts;
  };
  std::vector<rank_counts> ways{rank_counts(ranks, usual), uneven(), on_one(random() % ranks)};
  if (usual < 100) {
    for (auto const& more :
         {uneven(), uneven(), on_one(0), on_one(ranks - 1), rank_counts(ranks, 1), rank_counts(ranks, 0)}) {
      ways.push_back(more);
    }
  }
  return ways;
}

// Calls check(counts, seed) for all numbers of ranks, and for the ways to share so many items a rank.
template <class Check>
void for_each_sharing(std::initializer_list<std::size_t> usual_counts, Check check) {
  std::uint32_t seed = 1;
  for (int const ranks : numbers_of_ranks()) {
    for (std::size_t const usual : usual_counts) {
      if (!is_tried(ranks, usual)) continue;
      for (auto const& counts : ways_to_share(ranks, usual, seed)) {
        BOOST_TEST_CONTEXT(ranks << " ranks, about " << usual << " items each, seed " << seed) {
          check(counts, seed);
        }
        ++seed;
      }
    }
  }
}

// Returns rank `rank`'s part of a whole.
template <class T>
std::vector<T> part_of(std::vector<T> const& whole, rank_counts const& counts, int rank) {
  std::size_t begin = 0;
  for (int r = 0; r < rank; ++r) begin += counts[static_cast<std::size_t>(r)];
  auto const first = whole.begin() + static_cast<std::ptrdiff_t>(begin);
  return std::vector<T>(first, first + static_cast<std::ptrdiff_t>(counts[static_cast<std::size_t>(rank)]));
}

// Returns the ranks' parts as one.
template <class T>
std::vector<T> joined(std::vector<std::vector<T>> const& parts) {
  std::vector<T> whole;
  for (auto const& part : parts) whole.insert(whole.end(), part.begin(), part.end());
  return whole;
}

}  // namespace test
