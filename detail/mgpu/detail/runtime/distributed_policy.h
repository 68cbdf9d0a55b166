// A policy for calls that the ranks of an NCCL communicator make together. It is public, by <mgpu/distributed.h>.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/distributed_team.h>
#include <mgpu/detail/runtime/policy.h>
#include <mgpu/detail/runtime/pool.h>
#include <mgpu/detail/runtime/user_scratch.h>
#include <nccl.h>
#include <type_traits>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Runs a call on the device of each rank of a communicator. It is made by the member over() of a device policy, which
// says for the calling rank on which stream, by which scratch memory and tuning, and whether the call waits. It is no
// Thrust policy, as Thrust would run its algorithms on each rank alone.
template <class Scratch, class Tuning>
class distributed_policy {
 public:
  distributed_policy(device_policy<Scratch, Tuning> const& local, ncclComm_t comm, team const* by = nullptr)
      : local_(local), comm_(comm), team_(by) {}

  // Returns what over() does of a policy of so much.
  static distributed_policy over(device_policy<Scratch, Tuning> const& local, ncclComm_t comm) {
    return {local, comm};
  }
  static distributed_policy<detail::buffer_scratch, Tuning> over(device_policy<Scratch, Tuning> const& local,
                                                                 team const& by) {
    static_assert(std::is_same_v<Scratch, detail::pool_scratch>,
                  "mgpu: a team brings the scratch memory of its calls, so that no other can be attached; "
                  "query_scratch() goes with over(comm)");
    return {local.with_scratch(by.memory(), by.bytes()), by.comm(), &by};
  }
  template <class Team, class = std::enable_if_t<std::is_same_v<Team, team>>>
  static distributed_policy over(device_policy<Scratch, Tuning> const& local, Team&& by) {
    static_assert(!std::is_same_v<Team, team>, "mgpu: a team must outlive the call");
    return {local, by.comm()};
  }

  device_policy<Scratch, Tuning> const& local() const { return local_; }
  ncclComm_t comm() const { return comm_; }
  team const* by_team() const { return team_; }

 private:
  device_policy<Scratch, Tuning> local_;
  ncclComm_t comm_;
  team const* team_;
};

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
