// A policy for calls that the ranks of an NCCL communicator make together. It is public, by <mgpu/distributed.h>.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/distributed_team.h>
#include <mgpu/detail/runtime/policy.h>
#include <mgpu/detail/runtime/pool.h>
#include <mgpu/detail/runtime/scratch.h>
#include <nccl.h>
#include <cstddef>
#include <type_traits>

namespace mgpu::detail {

// Takes the memory that a team has when the call is made.
class team_scratch : public usual_scratch {
 public:
  explicit team_scratch(team const& by) : by_(&by) {}
  team const& by() const { return *by_; }
  void* allocate(char const* call, std::size_t bytes, cudaStream_t) {
    if (bytes > by_->bytes()) fail_for_room(call, bytes, by_->bytes());
    return by_->memory();
  }
  cudaError_t deallocate(void*, std::size_t, cudaStream_t) noexcept { return cudaSuccess; }

 private:
  team const* by_;
};

}  // namespace mgpu::detail

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Runs a call on the device of each rank of a communicator. It is made by the member over() of a device policy, which
// says for the calling rank on which stream, by which scratch memory and tuning, and whether the call waits. It is no
// Thrust policy, as Thrust would run its algorithms on each rank alone.
template <class Scratch, class Tuning>
class distributed_policy {
 public:
  distributed_policy(device_policy<Scratch, Tuning> const& local, ncclComm_t comm) : local_(local), comm_(comm) {}

  // Returns what over() does of a policy of so much.
  static distributed_policy over(device_policy<Scratch, Tuning> const& local, ncclComm_t comm) {
    return {local, comm};
  }
  static distributed_policy<detail::team_scratch, Tuning> over(device_policy<Scratch, Tuning> const& local,
                                                               team const& by) {
    static_assert(std::is_same_v<Scratch, detail::pool_scratch>,
                  "mgpu: a team brings the scratch memory of its calls, so that no other can be attached; "
                  "query_scratch() goes with over(comm)");
    return {{local.stream(), local.blocking(), detail::team_scratch(by)}, by.comm()};
  }
  template <
      class Team,
      std::enable_if_t<!std::is_lvalue_reference_v<Team> && std::is_base_of_v<team, std::remove_cv_t<Team>>, int> = 0>
  static distributed_policy over(device_policy<Scratch, Tuning> const& local, Team&& by) {
    static_assert(std::is_lvalue_reference_v<Team>, "mgpu: a team must outlive the call");
    return {local, by.comm()};
  }

  device_policy<Scratch, Tuning> const& local() const { return local_; }
  ncclComm_t comm() const { return comm_; }
  // Returns the team by which calls are made, or null if they are made over a communicator alone.
  team const* by_team() const {
    if constexpr (std::is_same_v<Scratch, detail::team_scratch>) {
      return &local_.scratch().by();
    } else {
      return nullptr;
    }
  }

 private:
  device_policy<Scratch, Tuning> local_;
  ncclComm_t comm_;
};

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
