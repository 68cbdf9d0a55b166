// A call runs over the ranks of a communicator as the calling rank's policy asks.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/distributed_policy.h>
#include <mgpu/detail/runtime/scratch.h>

namespace mgpu::detail {

// Runs run(ranks) with this rank's part of the call.
template <class Scratch, class Tuning, class Run>
void run_over_ranks(char const* name, distributed_policy<Scratch, Tuning> const& policy, Run run) {
  scratch_of source(policy.local().scratch());
  named_range const range(name);
  device_call call(name, policy.local().stream(), false, source);
  distributed_call const ranks(call, policy.comm(), policy.by_team());
  run(ranks);
}

}  // namespace mgpu::detail
