// A policy for calls that the ranks of an NCCL communicator make together. It is public, by <mgpu/distributed.h>.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/policy.h>
#include <nccl.h>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Runs a call on the device of each rank of a communicator. It is made by the member over() of a device policy, which
// says for the calling rank on which stream, by which scratch memory and tuning, and whether the call waits. It is no
// Thrust policy, as Thrust would run its algorithms on each rank alone.
template <class Scratch, class Tuning>
class distributed_policy {
 public:
  distributed_policy(device_policy<Scratch, Tuning> const& local, ncclComm_t comm) : local_(local), comm_(comm) {}

  device_policy<Scratch, Tuning> const& local() const { return local_; }
  ncclComm_t comm() const { return comm_; }

 private:
  device_policy<Scratch, Tuning> local_;
  ncclComm_t comm_;
};

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
