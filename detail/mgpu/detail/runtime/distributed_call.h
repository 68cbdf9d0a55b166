// The part of one rank in a call that all ranks of a communicator make: it talks to the others in the order of the
// call's stream.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/distributed_check.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/scratch.h>
#include <nccl.h>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {
class team;
}
}  // namespace mgpu

namespace mgpu::detail {

static_assert(NCCL_VERSION_CODE >= NCCL_VERSION(2, 18, 0), "mgpu: calls over ranks need NCCL 2.18 or newer");

class distributed_call {
 public:
  // The device_call does not wait: this does, in a way that notices when the communicator fails. If the call is made by a
  // team, the scratch memory is this one's.
  distributed_call(device_call& call, ncclComm_t comm, team const* by = nullptr)
      : call_(call), comm_(comm), team_(by) {
    int device = 0;
    check(ncclCommCuDevice(comm, &device), "ncclCommCuDevice");
    if (device != call.device()) {
      detail::fail(cudaErrorInvalidDevice, call.name(), "the communicator is another device's than the current");
    }
    check(ncclCommUserRank(comm, &rank_), "ncclCommUserRank");
    check(ncclCommCount(comm, &num_ranks_), "ncclCommCount");
  }
  distributed_call(distributed_call const&) = delete;
  distributed_call& operator=(distributed_call const&) = delete;

  device_call& local() const { return call_; }
  int rank() const { return rank_; }
  int num_ranks() const { return num_ranks_; }
  team const* by_team() const { return team_; }

  // Gets the rank's scratch memory, as device_call::allocate does, and by take() whatever else may be lacking. If there
  // is none, tell() says so to the other ranks before the exception goes on, whether or not they can be told.
  template <class Take, class Tell>
  bool allocate(scratch_layout const& layout, Take take, Tell tell) const {
    try {
      if (!call_.allocate(layout)) return false;
      take();
      return true;
    } catch (...) {
      try {
        tell();
      } catch (...) {  // the communicator has failed, too
      }
      throw;
    }
  }

  // Loads a kernel that is launched behind work of NCCL's: that may wait for another rank, and loading for that work.
  template <class... Params>
  void load(void (*kernel)(Params...)) const {
    static_cast<void>(detail::compiled_arch(call_, kernel));
  }

  // Copies memory of the device, or pinned, in the order of the stream, or of another call's.
  void copy(void* to, void const* from, std::size_t bytes) const { copy(call_, to, from, bytes); }
  void copy(device_call const& in_order_of, void* to, void const* from, std::size_t bytes) const {
    detail::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, in_order_of.stream()), call_.name(),
                  "cudaMemcpyAsync");
  }

  // Gathers `bytes` bytes of each rank, in the order of the ranks, on all of them. The memory is the device's, or
  // pinned.
  void all_gather(void const* mine, void* of_all, std::size_t bytes) const {
    check(ncclAllGather(mine, of_all, bytes, ncclUint8, comm_, call_.stream()), "ncclAllGather");
  }

  // Lets each word, in place, become the sum of what the ranks have there.
  void add_up(std::uint64_t* words, std::int64_t num_words) const {
    check(
        ncclAllReduce(words, words, static_cast<std::size_t>(num_words), ncclUint64, ncclSum, comm_, call_.stream()),
        "ncclAllReduce");
  }

  // Runs issue(), whose sends and receives are made together, so that none waits for another.
  template <class Issue>
  void exchange(Issue issue) const {
    check(ncclGroupStart(), "ncclGroupStart");
    try {
      issue();
    } catch (...) {
      static_cast<void>(ncclGroupEnd());  // the group ends in any case, and its error would only hide the first
      throw;
    }
    check(ncclGroupEnd(), "ncclGroupEnd");
  }
  void send(void const* from, std::size_t bytes, int to_rank) const {
    check(ncclSend(from, bytes, ncclUint8, to_rank, comm_, call_.stream()), "ncclSend");
  }
  void receive(void* to, std::size_t bytes, int from_rank) const {
    check(ncclRecv(to, bytes, ncclUint8, from_rank, comm_, call_.stream()), "ncclRecv");
  }

  // Waits on the host until all ranks have come here. Nothing may be in flight over the communicator. NCCL gathers what
  // they say of a split on their hosts, and that they take no part in it.
  void meet_on_host() const {
    ncclComm_t none = nullptr;
    check(ncclCommSplit(comm_, NCCL_SPLIT_NOCOLOR, 0, &none, nullptr), "ncclCommSplit");
  }

  // Waits for the stream, or another call's, or throws once the communicator has failed: what waits for another rank
  // would wait for ever, or ends without a result. If the stream ends, told() may first throw what another rank has told:
  // a rank that throws may be gone then, and the communicator fail for that.
  template <class Told>
  void wait(Told told) const {
    wait_for(call_, told);
  }
  void wait() const {
    wait([] {});
  }
  template <class Told>
  void wait_for(device_call const& call, Told told) const {
    for (;;) {
      cudaError_t const status = cudaStreamQuery(call.stream());
      bool const has_ended = status == cudaSuccess;
      if (has_ended) {
        told();
      } else if (status == cudaErrorNotReady) {
        detail::forget(status);
      } else {
        detail::fail(status, call_.name(), "cudaStreamQuery");
      }
      ask();
      if (has_ended) return;
      std::this_thread::yield();
    }
  }

  // Ends the call: waits if it is to, and gives the scratch memory back.
  template <class Told>
  void finish(bool waits, Told told) const {
    if (waits) wait(told);
    call_.finish();
  }

 private:
  // A communicator may be one that does not block: then a call's result comes later.
  void check(ncclResult_t result, char const* what) const {
    while (result == ncclInProgress) {
      std::this_thread::yield();
      result = ask();
    }
    if (result != ncclSuccess) detail::fail(result, comm_, call_.name(), what);
  }
  // Throws if the communicator has failed, and returns whether it is still busy with a call.
  ncclResult_t ask() const {
    ncclResult_t state = ncclSuccess;
    ncclResult_t const asked = ncclCommGetAsyncError(comm_, &state);
    if (asked != ncclSuccess) detail::fail(asked, comm_, call_.name(), "ncclCommGetAsyncError");
    if (state != ncclSuccess && state != ncclInProgress) {
      detail::fail(state, comm_, call_.name(), "the communicator has failed");
    }
    return state;
  }

  device_call& call_;
  ncclComm_t comm_;
  team const* team_;
  int rank_ = 0;
  int num_ranks_ = 0;
};

}  // namespace mgpu::detail
