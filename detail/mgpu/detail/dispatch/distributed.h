// Calls that the ranks of a communicator make together.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/dispatch/distributed_calls.h>
#include <mgpu/detail/runtime/distributed_policy.h>
#if MGPU_HAS_DEVICE
#include <mgpu/detail/dispatch/distributed_counting_sort.cuh>
#include <mgpu/detail/dispatch/distributed_reduce.cuh>
#include <mgpu/detail/dispatch/distributed_scan.cuh>
#include <mgpu/detail/dispatch/distributed_sort.cuh>
#include <mgpu/detail/dispatch/order.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <mgpu/detail/runtime/distributed_run.h>
#endif

namespace mgpu::detail {

template <class Scratch, class Tuning>
struct distributed_calls<distributed_policy<Scratch, Tuning>> {
#if MGPU_HAS_DEVICE
  using policy = distributed_policy<Scratch, Tuning>;

  // The problems have iterators that kernels use, and the functions are those that kernels call.
  template <class Problem, class Unary, class Op>
  static auto reduce(char const* name, policy const& over, Problem const& problem, Unary unary, Op op) {
    return detail::reduce_over_ranks(name, over, problem, unary, op);
  }
  template <class Problem, class Unary, class Op, class Output>
  static void reduce_into(char const* name, policy const& over, Problem const& problem, Unary unary, Op op,
                          Output out) {
    detail::reduce_into_over_ranks(name, over, problem, unary, op, out);
  }
  template <class Problem, class Unary, class Op>
  static void scan(char const* name, policy const& over, Problem const& problem, Unary unary, Op op) {
    detail::scan_over_ranks(name, over, problem, unary, op);
  }
  template <sort_order order, class Problem, class Comp>
  static void sort(char const* name, policy const& over, Problem const& problem, Comp const& comp) {
    detail::run_over_ranks(name, over, [&](distributed_call const& ranks) {
      bool const waits = over.local().blocking();
      if constexpr (is_counted_over_ranks<order, Tuning, Problem>) {
        detail::counting_sort_over_ranks<order>(ranks, problem, waits);
      } else {
        sort_over_ranks<order, Tuning, Problem, Comp>(ranks, problem, comp).call(waits);
      }
    });
  }
#endif
};

}  // namespace mgpu::detail
