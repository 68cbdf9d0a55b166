// The GPUs of the machine become ranks of a communicator, each with a thread, for benchmarks of calls over several GPUs.
#pragma once
#include <harness/cuda.h>
#include <mgpu/distributed.h>
#include <mgpu/execution_policy.h>
#include <nccl.h>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace perf {

inline void check(ncclResult_t result, char const* what) {
  if (result != ncclSuccess) throw std::runtime_error(std::string(what) + ": " + ncclGetErrorString(result));
}

// A rank on its device, whose stream and communicator are kept. It has one team at a time, which a row makes for its calls.
class rank_of_gpus {
 public:
  explicit rank_of_gpus(ncclComm_t comm) : comm_(comm) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }

  // Calls call(policy) for the policy over the communicator.
  template <class Call>
  void over_comm(Call call) const {
    call(local().over(comm_));
  }
  // Makes the team that call(policy) needs; all ranks do so together.
  template <class Call>
  void make_team(Call call) {
    std::size_t bytes = 0;
    call(local().query_scratch(bytes).over(comm_));
    if (team_) team_->close();
    team_ = std::make_unique<mgpu::team>(comm_, bytes);
  }
  template <class Call>
  void by_team(Call call) const {
    call(local().over(*team_));
  }

 private:
  decltype(mgpu::par.on(cudaStream_t{})) local() const { return mgpu::par.on(stream_); }

  ncclComm_t comm_;
  cudaStream_t stream_ = nullptr;
  std::unique_ptr<mgpu::team> team_;
};

// The first GPUs of the machine. Their threads spin, so that all begin at once.
class ranks {
 public:
  // Returns those of so many GPUs, which are made once and kept, as NCCL takes long to. They keep their scratch memory, too.
  static ranks& of(int count) {
    static auto* const made = new std::map<int, std::unique_ptr<ranks>>;
    auto& found = (*made)[count];
    if (found == nullptr) found.reset(new ranks(count));
    return *found;
  }

  int count() const { return static_cast<int>(comms_.size()); }

  // Calls body() with the rank's device for the current one.
  template <class Body>
  void on_device(int rank, Body body) const {
    check(cudaSetDevice(rank), "cudaSetDevice");
    body();
    check(cudaSetDevice(0), "cudaSetDevice");
  }

  // Calls body(number, rank) on all ranks at once, and returns when all are back.
  void run(std::function<void(int, rank_of_gpus&)> body) {
    body_ = std::move(body);
    num_back_ = 0;
    ++round_;
    while (num_back_ != count()) {
    }
    for (std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(std::exchange(error, nullptr));
    }
  }

 private:
  explicit ranks(int count) : comms_(static_cast<std::size_t>(count)), errors_(comms_.size()) {
    check(ncclCommInitAll(comms_.data(), count, nullptr), "ncclCommInitAll");
    for (int rank = 0; rank < count; ++rank) {
      std::thread([this, rank] { serve(rank); }).detach();
    }
  }
  void serve(int rank) {
    auto const place = static_cast<std::size_t>(rank);
    check(cudaSetDevice(rank), "cudaSetDevice");
    mgpu::keep_scratch(~std::uint64_t{0});
    rank_of_gpus mine(comms_[place]);
    for (std::uint64_t done = 0;; ++done) {
      while (round_ == done) std::this_thread::yield();
      try {
        body_(rank, mine);
      } catch (...) {
        errors_[place] = std::current_exception();
      }
      ++num_back_;
    }
  }

  std::vector<ncclComm_t> comms_;
  std::vector<std::exception_ptr> errors_;
  std::function<void(int, rank_of_gpus&)> body_;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<int> num_back_{0};
};

}  // namespace perf
