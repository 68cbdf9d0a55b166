// The dispatch of an algorithm hands a call over to the ranks of a communicator by this.
#pragma once
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/index_iterators.h>
#include <mgpu/detail/core/plain_item.h>
#include <mgpu/detail/runtime/policy_traits.h>

namespace mgpu::detail {

// How ranks make calls together. <mgpu/distributed.h> alone defines it, as it alone needs NCCL; without that header
// there is no such policy.
template <class Policy>
struct distributed_calls;

template <class Policy>
constexpr auto check_one_rank() {
  static_assert(!is_distributed<Policy>,
                "mgpu: this function does not run over the ranks of a communicator: <mgpu/distributed.h> lists those "
                "that do");
  return true;
}

template <class Iterator>
constexpr bool is_counting = false;
template <class Index>
inline constexpr bool is_counting<counting_iterator<Index>> = true;

// Says in one line what keeps a sort from running over ranks.
template <class Problem>
constexpr auto check_distributed_sort() {
  static_assert(!is_counting<typename Problem::ValuesIn>,
                "mgpu: argsort and sort_with_indices do not run over the ranks of a communicator: sort_by_key with "
                "indices of your own does");
  static_assert(
      is_plain<typename Problem::Key> && is_plain<typename Problem::Value>,
      "mgpu: keys and values that go from rank to rank are copied by their bytes, so they must be trivially "
      "copyable");
  return true;
}

}  // namespace mgpu::detail
