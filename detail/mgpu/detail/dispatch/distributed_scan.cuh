// Scans over the ranks of a communicator: each rank scans its items behind the prefix that it folds from the
// aggregates of the ranks before it. Nothing of this comes to the host.
#pragma once
#include <mgpu/detail/backend/distributed/rank_aggregate.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/scan_problem.h>
#include <mgpu/detail/core/transformed_iterator.h>
#include <mgpu/detail/dispatch/distributed_aggregates.cuh>
#include <mgpu/detail/dispatch/scan.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/distributed_failure.h>
#include <mgpu/detail/runtime/inner_call.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <mgpu/detail/runtime/distributed_run.h>
#include <mgpu/detail/runtime/scratch.h>
#include <cstddef>
#include <optional>

namespace mgpu::detail {

template <class Policy, class Problem, class Unary, class Op>
void scan_over_ranks(char const* name, Policy const& policy, Problem const& problem, Unary unary, Op op) {
  using T = typename Problem::T;
  using aggregates_type = aggregates_of_ranks<void, typename Problem::In, T, Unary, Op>;
  detail::run_over_ranks(name, policy, [&](distributed_call const& ranks) {
    device_call& call = ranks.local();
    bool const waits = policy.local().blocking();
    auto const scan = [&](device_call& inner, init_in_memory<T> prefix) {
      detail::scan_on_device<typename policy_tuning<Policy>::type>(
          inner,
          detail::scan_of<Problem::inclusive, T>(detail::as_items<T>(problem.in, unary), problem.out, no_values{},
                                                 problem.num_items, prefix),
          op);
    };
    scratch_layout layout;
    aggregates_type const aggregates(ranks, problem.in, problem.num_items, unary, op, layout);
    std::size_t const prefix_piece = layout.add<rank_aggregate<T>>(1);
    inner_call const scanning(call, layout, [&](device_call& inner) { scan(inner, {}); });
    std::optional<failure_flag> failure;
    if (!aggregates.allocate(layout, waits, [&] { failure.emplace(call, waits); })) return;
    auto* const prefix = call.scratch<rank_aggregate<T>>(prefix_piece);
    aggregates.fold(ranks.rank(), problem.init, &prefix->value, &prefix->state, failure->memory());
    scanning.run(call, [&](device_call& inner) { scan(inner, {&prefix->value, &prefix->state}); });
    ranks.finish(waits, [&] { failure->check(); });
  });
}

}  // namespace mgpu::detail
