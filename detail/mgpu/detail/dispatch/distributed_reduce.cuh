// Reductions over the ranks of a communicator: every rank folds the aggregates of all in the order of the ranks.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/dispatch/distributed_aggregates.cuh>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/distributed_failure.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <mgpu/detail/runtime/result_slot.h>
#include <mgpu/detail/runtime/distributed_run.h>
#include <mgpu/detail/runtime/scratch.h>
#include <cstdint>
#include <optional>

namespace mgpu::detail {

template <class Policy, class Problem, class Unary, class Op>
using aggregates_of =
    aggregates_of_ranks<typename policy_tuning<Policy>::type, typename Problem::In, typename Problem::T, Unary, Op>;

// Returns op over init and the items of all ranks, the same on each. In a size query it returns the init.
template <class Policy, class Problem, class Unary, class Op>
typename Problem::T reduce_over_ranks(char const* name, Policy const& policy, Problem const& problem, Unary unary,
                                      Op op) {
  using T = typename Problem::T;
  std::optional<T> result;
  detail::run_over_ranks(name, policy, [&](distributed_call const& ranks) {
    scratch_layout layout;
    aggregates_of<Policy, Problem, Unary, Op> const aggregates(ranks, problem.in, problem.num_items, unary, op,
                                                               layout);
    std::optional<result_slot> slot;
    std::optional<failure_flag> failure;
    auto const take_slots = [&] {
      slot.emplace(ranks.local(), sizeof(T));
      failure.emplace(ranks.local(), true);
    };
    if (!aggregates.allocate(layout, true, take_slots)) return;
    auto* const value = static_cast<T*>(slot->memory());
    aggregates.fold(ranks.num_ranks(), problem.init, value, nullptr, failure->memory());
    ranks.finish(true, [&] { failure->check(); });
    result.emplace(*value);
  });
  return result ? *result : problem.init;
}

// Writes the same to *out on each rank. It waits if the policy asks for that, and only then learns of a rank without
// memory.
template <class Policy, class Problem, class Unary, class Op, class Output>
void reduce_into_over_ranks(char const* name, Policy const& policy, Problem const& problem, Unary unary, Op op,
                            Output out) {
  detail::run_over_ranks(name, policy, [&](distributed_call const& ranks) {
    bool const waits = policy.local().blocking();
    scratch_layout layout;
    aggregates_of<Policy, Problem, Unary, Op> const aggregates(ranks, problem.in, problem.num_items, unary, op,
                                                               layout);
    std::optional<failure_flag> failure;
    if (!aggregates.allocate(layout, waits, [&] { failure.emplace(ranks.local(), waits); })) return;
    aggregates.fold(ranks.num_ranks(), problem.init, out, nullptr, failure->memory());
    ranks.finish(waits, [&] { failure->check(); });
  });
}

}  // namespace mgpu::detail
