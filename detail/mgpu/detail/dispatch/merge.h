// A merge runs on the host, or on the device, where keys are moved or merged by index. This is the only place that
// chooses.
#pragma once
#include <mgpu/detail/backend/cpu/sort.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/merge_problem.h>
#include <mgpu/detail/core/no_transform.h>
#include <mgpu/detail/core/transformed_iterator.h>
#include <mgpu/detail/dispatch/distributed_calls.h>
#include <mgpu/detail/dispatch/functional.h>
#include <mgpu/detail/dispatch/items.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#if MGPU_HAS_DEVICE
#include <mgpu/detail/backend/merge/merge.cuh>
#include <mgpu/detail/backend/merge/merge_by_index.cuh>
#include <mgpu/detail/backend/merge/tuning.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/run.h>
#endif
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

#if MGPU_HAS_DEVICE
// Merges on the device: large keys by index, others directly.
template <class Tuning, class Problem, class Comp>
void merge_on_device(device_call& call, Problem const& problem, Comp const& comp) {
  constexpr int key_bytes = bytes_of<typename Problem::Key>;
  constexpr int value_bytes = bytes_of<typename Problem::Value>;
  if constexpr (!is_moved_key<typename Problem::Key>) {
    detail::merge_by_index<tuning_or_default<Tuning, merge_default_tuning<8, value_bytes>>>(call, problem, comp);
  } else {
    detail::merge<tuning_or_default<Tuning, merge_default_tuning<key_bytes, value_bytes>>>(call, problem, comp);
  }
}
#endif

// Merges two sorted ranges of keys, stable, and takes the values along. Items of b are converted to the types of
// those of a.
template <class Policy, class Problem, class Comp>
void dispatch_merge([[maybe_unused]] char const* name, [[maybe_unused]] Policy const& policy, Problem const& problem,
                    Comp comp) {
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  static_assert(check_one_rank<Policy>());
  static_assert(check_conversion<reference_t<typename Problem::KeysB>, Key>());
  static_assert(check_conversion<reference_t<typename Problem::ValuesB>, Value>());
  static_assert(check_output<typename Problem::KeysOut, Key const&>());
  static_assert(check_output<typename Problem::ValuesOut, Value const&>());
  static_assert(check_comparator<Comp, Key>());
  if constexpr (runs_on_host<Policy>) {
    detail::host_merge(problem, comp);
  } else {
    static_assert(
        check_device_items<Policy, typename Problem::KeysA, typename Problem::ValuesA, typename Problem::KeysB,
                           typename Problem::ValuesB, typename Problem::KeysOut, typename Problem::ValuesOut>());
#if MGPU_HAS_DEVICE
    static_assert(check_tuning<Policy, merge_tuning>());
    detail::run_on_device(name, policy, problem.num_items(), [&](device_call& call) {
      detail::merge_on_device<typename policy_tuning<Policy>::type>(
          call,
          merge_problem{detail::unwrap(problem.keys_a), detail::unwrap(problem.values_a), problem.a_count,
                        detail::as_items<Key>(detail::unwrap(problem.keys_b), no_transform{}),
                        detail::as_items<Value>(detail::unwrap(problem.values_b), no_transform{}), problem.b_count,
                        detail::unwrap(problem.keys_out), detail::unwrap(problem.values_out)},
          detail::device_function(comp));
    });
#endif
  }
}

}  // namespace mgpu::detail
