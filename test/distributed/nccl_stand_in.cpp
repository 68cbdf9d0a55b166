// Here the stand-in for NCCL answers its functions.
#include <distributed/nccl_stand_in.h>
#include <distributed/nccl_world.h>
#include <emulator/runtime.h>
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

using test::nccl::message;
using test::nccl::options;
using test::nccl::world;

struct ncclComm {
  world* shared;
  int rank;
  std::uint64_t calls = 0;
  std::string last_error = "none";
};

namespace {

// An operation within a group: the stream whose work comes before it, what it does when the group ends, and what a send
// does before any of the group waits.
struct operation {
  cudaStream_t stream;
  std::function<void()> post;
  std::function<ncclResult_t()> finish;
};

thread_local ncclComm* own = nullptr;
thread_local int group_depth = 0;
thread_local std::vector<operation> group;

ncclResult_t fail(ncclComm& comm, ncclResult_t result, char const* what) {
  comm.last_error = what;
  return result;
}

// Begins each function: counts the call, and tells whether it fails.
ncclResult_t begin_call() {
  options const& chosen = own->shared->settings;
  bool const is_planted = ++own->calls == chosen.failing_call && own->rank == chosen.failing_rank;
  if (is_planted) return fail(*own, ncclSystemError, "a planted failure");
  return own->shared->has_failed ? fail(*own, ncclRemoteError, "the communicator has failed") : ncclSuccess;
}

// Lets others run until is_ready(), or until the communicator has failed. What is ready by then is done all the same.
ncclResult_t wait(ncclComm& comm, std::string place, std::function<bool()> is_ready) {
  auto& state = comm.shared->ranks[static_cast<std::size_t>(comm.rank)];
  state.place = std::move(place);
  state.is_ready = std::move(is_ready);
  comm.shared->pass_on();
  comm.shared->await_turn(static_cast<std::size_t>(comm.rank));
  return state.is_ready() ? ncclSuccess : fail(comm, ncclRemoteError, "the communicator has failed");
}

// Runs operations that were issued together: no send waits for its receive before all receives have run.
ncclResult_t run(std::vector<operation> const& together) {
  for (operation const& each : together) mgpu::emulator::runtime::catch_up(each.stream);
  for (operation const& each : together) {
    if (each.post) each.post();
  }
  for (bool const are_sends : {false, true}) {
    for (operation const& each : together) {
      if (static_cast<bool>(each.post) != are_sends) continue;
      if (ncclResult_t const result = each.finish(); result != ncclSuccess) return result;
    }
  }
  return ncclSuccess;
}
ncclResult_t issue(operation each) {
  if (group_depth == 0) return run({std::move(each)});
  group.push_back(std::move(each));
  return ncclSuccess;
}

std::size_t bytes_of(std::size_t count, ncclDataType_t type) {
  switch (type) {
    case ncclInt8:
    case ncclUint8:
      return count;
    case ncclFloat16:
    case ncclBfloat16:
      return 2 * count;
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32:
      return 4 * count;
    default:
      return 8 * count;
  }
}

// A collective of all ranks, each of which brings so many bytes; then use(inputs) takes what it needs of them.
ncclResult_t collect(ncclComm& comm, std::string const& name, void const* mine, std::size_t bytes,
                     std::function<void(std::vector<std::vector<char>> const&)> const& use) {
  world& shared = *comm.shared;
  auto const rank = static_cast<std::size_t>(comm.rank);
  std::string const what = name + " of " + std::to_string(bytes) + " bytes";
  if (ncclResult_t const result = wait(comm, what, [&] { return shared.num_left == 0; }); result != ncclSuccess) {
    return result;
  }
  if (shared.num_arrived == 0) {
    shared.collective = what;
    shared.inputs.assign(shared.ranks.size(), {});
  }
  if (shared.collective != what) {
    return shared.tell("rank " + std::to_string(comm.rank) + " calls " + what + " where others call " +
                       shared.collective);
  }
  auto const* const begin = static_cast<char const*>(mine);
  shared.inputs[rank].assign(begin, begin + bytes);
  ++shared.num_arrived;
  auto const all_are_here = [&] { return shared.num_arrived == shared.ranks.size(); };
  if (ncclResult_t const result = wait(comm, what, all_are_here); result != ncclSuccess) return result;
  if (bytes > 0) use(shared.inputs);
  if (++shared.num_left == shared.ranks.size()) shared.num_arrived = shared.num_left = 0;
  return ncclSuccess;
}

ncclResult_t gather(ncclComm& comm, void const* mine, void* of_all, std::size_t bytes) {
  return collect(comm, "ncclAllGather", mine, bytes, [=](auto const& inputs) {
    for (std::size_t r = 0; r < inputs.size(); ++r) {
      std::memcpy(static_cast<char*>(of_all) + r * bytes, inputs[r].data(), bytes);
    }
  });
}

ncclResult_t add_up(ncclComm& comm, void const* mine, void* sums, std::size_t count) {
  return collect(comm, "ncclAllReduce", mine, count * sizeof(std::uint64_t), [=](auto const& inputs) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t sum = 0;
      for (auto const& input : inputs) {
        std::uint64_t word = 0;
        std::memcpy(&word, input.data() + i * sizeof(word), sizeof(word));
        sum += word;
      }
      std::memcpy(static_cast<char*>(sums) + i * sizeof(sum), &sum, sizeof(sum));
    }
  });
}

ncclResult_t receive(ncclComm& comm, void* to, std::size_t bytes, int from_rank) {
  world& shared = *comm.shared;
  auto& queue = shared.sent[{from_rank, comm.rank}];
  std::string const what = "ncclRecv from rank " + std::to_string(from_rank);
  if (ncclResult_t const result = wait(comm, what, [&] { return !queue.empty(); }); result != ncclSuccess) {
    return result;
  }
  // Where the communicator has failed, the sender may be gone with what it sent.
  if (shared.has_failed) return fail(comm, ncclRemoteError, "the communicator has failed");
  message& incoming = *queue.front();
  queue.pop_front();
  if (incoming.bytes != bytes) {
    return shared.tell("rank " + std::to_string(from_rank) + " sends " + std::to_string(incoming.bytes) +
                       " bytes, and rank " + std::to_string(comm.rank) + " receives " + std::to_string(bytes));
  }
  if (bytes > 0) std::memcpy(to, incoming.from, bytes);
  incoming.is_taken = true;
  return ncclSuccess;
}

}  // namespace

namespace test::nccl {

bool report::is_clean() const {
  return fault.empty() &&
         std::none_of(errors.begin(), errors.end(), [](auto const& error) { return error != nullptr; });
}

report run_ranks(options const& chosen, std::function<void(ncclComm_t, int)> const& body) {
  world shared(chosen);
  report made;
  made.errors.resize(shared.ranks.size());
  made.calls.resize(shared.ranks.size());
  std::vector<std::thread> threads;
  shared.pass_on();
  for (int rank = 0; rank < chosen.num_ranks; ++rank) {
    threads.emplace_back([&, rank] {
      auto const place = static_cast<std::size_t>(rank);
      ncclComm comm{&shared, rank};
      own = &comm;
      shared.await_turn(place);
      try {
        body(&comm, rank);
      } catch (...) {
        made.errors[place] = std::current_exception();
        shared.has_failed = true;
      }
      made.calls[place] = comm.calls;
      shared.ranks[place].is_done = true;
      shared.pass_on();
    });
  }
  for (std::thread& each : threads) each.join();
  made.num_sends = shared.num_sends;
  made.fault = shared.fault;
  return made;
}

void fail_communicator(ncclComm_t comm) { comm->shared->has_failed = true; }

}  // namespace test::nccl

extern "C" {

char const* ncclGetErrorString(ncclResult_t result) {
  return result == ncclSuccess ? "no error" : result == ncclRemoteError ? "remote error" : "an error";
}
char const* ncclGetLastError(ncclComm_t comm) { return comm->last_error.c_str(); }

// This is asked for a communicator that may have failed, so that it does not fail for that.
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* state) {
  *state = comm->shared->has_failed ? ncclRemoteError : ncclSuccess;
  return ncclSuccess;
}
ncclResult_t ncclCommCount(ncclComm_t const comm, int* count) {
  *count = comm->shared->settings.num_ranks;
  return begin_call();
}
ncclResult_t ncclCommUserRank(ncclComm_t const comm, int* rank) {
  *rank = comm->rank;
  return begin_call();
}
ncclResult_t ncclCommCuDevice(ncclComm_t const, int* device) {
  *device = 0;
  return begin_call();
}

// Ranks that take no part in a split only meet.
ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int, ncclComm_t* made, ncclConfig_t*) {
  if (ncclResult_t const result = begin_call(); result != ncclSuccess) return result;
  *made = nullptr;
  if (color != NCCL_SPLIT_NOCOLOR) return ncclInvalidUsage;
  return collect(*comm, "ncclCommSplit", nullptr, 0, {});
}

ncclResult_t ncclGroupStart() {
  if (ncclResult_t const result = begin_call(); result != ncclSuccess) return result;
  ++group_depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  ncclResult_t const begun = begin_call();
  if (--group_depth > 0) return begun;
  std::vector<operation> const together = std::exchange(group, {});
  return begun == ncclSuccess ? run(together) : begun;
}

ncclResult_t ncclSend(void const* from, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  if (ncclResult_t const result = begin_call(); result != ncclSuccess) return result;
  auto const outgoing = std::make_shared<message>(message{from, bytes_of(count, type)});
  std::string const what = "ncclSend to rank " + std::to_string(peer);
  return issue({stream,
                [=] {
                  comm->shared->sent[{comm->rank, peer}].push_back(outgoing.get());
                  ++comm->shared->num_sends;
                },
                [=] { return wait(*comm, what, [=] { return outgoing->is_taken; }); }});
}
ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  if (ncclResult_t const result = begin_call(); result != ncclSuccess) return result;
  return issue({stream, {}, [=] { return receive(*comm, to, bytes_of(count, type), peer); }});
}
ncclResult_t ncclAllGather(void const* mine, void* of_all, std::size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream) {
  if (ncclResult_t const result = begin_call(); result != ncclSuccess) return result;
  return issue({stream, {}, [=] { return gather(*comm, mine, of_all, bytes_of(count, type)); }});
}

// This adds up words of 64 bits, and refuses others.
ncclResult_t ncclAllReduce(void const* mine, void* sums, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
  if (ncclResult_t const result = begin_call(); result != ncclSuccess) return result;
  if (type != ncclUint64 || operation != ncclSum)
    return comm->shared->tell("ncclAllReduce of other than sums of words");
  return issue({stream, {}, [=] { return add_up(*comm, mine, sums, count); }});
}

}  // extern "C"
