// A reduction whose result goes through an iterator, in stream order. What <mgpu/reduce.h> says of reductions holds
// for it.
#pragma once
#include <mgpu/detail/core/functional.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/core/no_transform.h>
#include <mgpu/detail/core/reduce_problem.h>
#include <mgpu/detail/dispatch/reduce_into.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#include <mgpu/execution_policy.h>
#include <type_traits>
#include <utility>

namespace mgpu {
inline namespace MGPU_ABI_NAMESPACE {

// Writes init and then the items of [first, last), combined in order by op (plus, if none is given), to *out, on the
// policy's device, in stream order, or host. Under par it returns when the result is there, under par_nosync at once.
template <class Policy, class Input, class Output, class T = detail::iterator_value_t<Input>,
          class Op = cuda::std::plus<>, class = std::enable_if_t<detail::is_policy<Policy>>>
void reduce_into(Policy const& policy, Input first, Input last, Output out, T init = T(), Op op = {}) {
  static_assert(detail::check_iterators<Input, Output>());
  detail::dispatch_reduce_into("mgpu::reduce_into", policy,
                               detail::reduce_problem{first, detail::num_items_in(first, last), std::move(init)},
                               detail::no_transform{}, op, out);
}
// Writes init and then the items of [first, last), combined in order by op (plus, if none is given), to *out, on the
// device or the host, as the iterators say. It returns when the result is there.
template <class Input, class Output, class T = detail::iterator_value_t<Input>, class Op = cuda::std::plus<>,
          class = std::enable_if_t<!detail::is_policy<Input>>>
void reduce_into(Input first, Input last, Output out, T init = T(), Op op = {}) {
  mgpu::reduce_into(detail::policy_of_system<Input, Output>(), first, last, out, std::move(init), op);
}

}  // namespace MGPU_ABI_NAMESPACE
}  // namespace mgpu
