// A scan runs on the host, or on the device by one of two tunings. This is the only place that chooses.
#pragma once
#include <mgpu/detail/backend/cpu/scan.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_transform.h>
#include <mgpu/detail/core/plain_item.h>
#include <mgpu/detail/core/scan_problem.h>
#include <mgpu/detail/core/transformed_iterator.h>
#include <mgpu/detail/dispatch/distributed_calls.h>
#include <mgpu/detail/dispatch/functional.h>
#include <mgpu/detail/dispatch/item_images.h>
#include <mgpu/detail/dispatch/operator_requirements.h>
#include <mgpu/detail/dispatch/operators.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#if MGPU_HAS_DEVICE
#include <mgpu/detail/backend/scan/scan.cuh>
#include <mgpu/detail/backend/scan/tuning.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/kernel_facts.h>
#include <mgpu/detail/runtime/run.h>
#endif
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

#if MGPU_HAS_DEVICE
// Scans on the device by the caller's tuning, or by the one for small or large inputs.
template <class Tuning, class Problem, class Op>
void scan_on_device(device_call& call, Problem const& problem, Op const& op) {
  if (problem.num_items == 0) {
    if constexpr (Problem::has_init && Problem::has_total) {
      detail::scan_total_of_none(call, problem.total, problem.init);
    }
  } else if constexpr (!std::is_void_v<Tuning>) {
    detail::scan<Tuning>(call, problem, op);
  } else {
    constexpr int bytes = sizeof(typename Problem::T);
    using small_tuning = scan_small_tuning<bytes>;
    int const arch = detail::compiled_arch(call, scan_kernel<small_tuning, Problem, Op>);
    if (problem.num_items <= small_tuning::max_items(arch)) return detail::scan<small_tuning>(call, problem, op);
    detail::scan<scan_large_tuning<bytes>>(call, problem, op);
  }
}
#endif

// Scans unary(item) of the items. Without items nothing is written but a total where there is an init.
template <class Policy, class Problem, class Unary, class Op>
void dispatch_scan([[maybe_unused]] char const* name, [[maybe_unused]] Policy const& policy, Problem const& problem,
                   Unary unary, Op op) {
  static_assert(check_scan<Policy, Problem, Unary, Op>());
  constexpr bool total_of_none = Problem::has_init && Problem::has_total;
  if constexpr (runs_on_host<Policy>) {
    if (problem.num_items > 0) {
      detail::host_scan(problem, unary, op);
    } else if constexpr (total_of_none) {
      *problem.total = problem.init;
    }
  } else if constexpr (!is_plain<typename Problem::T>) {
    detail::dispatch_scan(name, policy, detail::on_images(problem, unary), no_transform{},
                          detail::operator_on_images<typename Problem::T>(op));
  } else {
#if MGPU_HAS_DEVICE
    static_assert(check_tuning<Policy, scan_tuning>());
    using T = typename Problem::T;
    auto const in = detail::unwrap(problem.in);
    auto const scan_from = [&](auto items) {
      return detail::scan_of<Problem::inclusive, T>(items, detail::unwrap(problem.out), detail::unwrap(problem.total),
                                                    problem.num_items, problem.init);
    };
    if constexpr (is_distributed<Policy>) {
      if constexpr (Problem::has_total) static_assert(check_one_rank<Policy>());
      distributed_calls<Policy>::scan(name, policy, scan_from(in), detail::device_function(unary),
                                      detail::device_function(op));
    } else {
      std::int64_t const num_outputs = total_of_none ? problem.num_items + 1 : problem.num_items;
      detail::run_on_device(name, policy, num_outputs, [&](device_call& call) {
        detail::scan_on_device<typename policy_tuning<Policy>::type>(
            call, scan_from(detail::as_items<T>(in, detail::device_function(unary))), detail::device_function(op));
      });
    }
#endif
  }
}

}  // namespace mgpu::detail
