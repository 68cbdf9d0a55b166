// A stand-in for the NCCL library, for tests without GPUs, which answers the functions of nccl.h that mgpu calls.
// Each rank of a communicator is a thread, of which one runs at a time, in an order drawn from a seed: so what stands
// below, the emulator, sees one thread after the other. Memory is the host's, and all is done at
// once, behind what is left of the stream's work.
//
// What NCCL would leave to hang or to corrupt is told: ranks that all wait, collectives that differ from rank to
// rank, a receive of another size than the send.
#pragma once
#include <nccl.h>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace test::nccl {

struct options {
  int num_ranks = 1;
  std::uint64_t seed = 1;
  int failing_rank = -1;           // this rank's call ...
  std::uint64_t failing_call = 0;  // ... of this number, from 1, fails with ncclSystemError
};

struct report {
  std::vector<std::exception_ptr> errors;  // what each rank has thrown, or null
  std::vector<std::uint64_t> calls;        // how many of NCCL's functions each rank has called
  std::uint64_t num_sends = 0;             // how many messages went from rank to rank
  std::string fault;                       // what the ranks did together that NCCL forbids; empty if nothing

  bool is_clean() const;  // no rank has thrown, and there is no fault
};

// Calls body(communicator, rank) on each rank, and returns once all have come back. If one throws, the communicator
// fails, as if that rank's process had ended: then the calls of the others fail with ncclRemoteError.
report run_ranks(options const& chosen, std::function<void(ncclComm_t, int)> const& body);

// From now on the calling rank's communicator has failed, as one whose network is gone.
void fail_communicator(ncclComm_t comm);

}  // namespace test::nccl
