// The GPUs of the machine become ranks of a communicator, each with a thread, for benchmarks of calls over several
// GPUs.
#pragma once
#include <harness/cuda.h>
#include <mgpu/distributed.h>
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

struct rank {
  int number;
  ncclComm_t comm;
  cudaStream_t stream = nullptr;
  std::unique_ptr<mgpu::team> team{};  // is made anew for each row that needs one
  std::exception_ptr error{};
};

// These are the first GPUs of the machine. Their threads spin, so that all begin at once.
class ranks {
 public:
  // Returns those of so many GPUs, which are made once and kept, as NCCL takes long to. They keep their scratch
  // memory, too.
  static ranks& of(int count) {
    static auto* const made = new std::map<int, std::unique_ptr<ranks>>;
    auto& found = (*made)[count];
    if (found == nullptr) found.reset(new ranks(count));
    return *found;
  }

  // Calls body(rank) for all ranks at once, each in its thread with its device, and returns when all are back.
  void run(std::function<void(rank&)> body) {
    body_ = std::move(body);
    num_back_ = 0;
    ++round_;
    while (num_back_ != ranks_.size()) {
    }
    for (rank& each : ranks_) {
      if (each.error) std::rethrow_exception(std::exchange(each.error, nullptr));
    }
  }

 private:
  explicit ranks(int count) {
    std::vector<ncclComm_t> comms(count);
    check(ncclCommInitAll(comms.data(), count, nullptr), "ncclCommInitAll");
    for (int number = 0; number < count; ++number) ranks_.push_back({number, comms[number]});
    for (rank& each : ranks_) std::thread([this, &each] { serve(each); }).detach();
    run([](rank& mine) {
      check(cudaSetDevice(mine.number), "cudaSetDevice");
      check(cudaStreamCreateWithFlags(&mine.stream, cudaStreamNonBlocking), "cudaStreamCreate");
      mgpu::keep_scratch(~std::uint64_t{0});
    });
  }

  void serve(rank& mine) {
    for (std::uint64_t done = 0;; ++done) {
      while (round_ == done) std::this_thread::yield();
      try {
        body_(mine);
      } catch (...) {
        mine.error = std::current_exception();
      }
      ++num_back_;
    }
  }

  std::vector<rank> ranks_;
  std::function<void(rank&)> body_;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<std::size_t> num_back_{0};
};

}  // namespace perf
