// Which backend scans. Allocates and launches nothing itself.
#pragma once
#include <mgpu/detail/backend/std/scan.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/dispatch/functional.h>
#include <mgpu/detail/dispatch/items.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/host/iterator.h>
#include <mgpu/detail/host/policy.h>
#if MGPU_HAS_DEVICE
#include <mgpu/detail/backend/scan/scan.cuh>
#include <mgpu/detail/backend/scan/tuning.h>
#include <mgpu/detail/host/call.h>
#endif
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Scans what `unary` makes of num_items items, accumulating in T. Init is T, or no_value. A total that is no_values
// is not wanted. Without items nothing is written but a total that there is an init for.
template <bool inclusive, class T, class Policy, class In, class Out, class Total, class Unary, class Init, class Op>
void dispatch_scan([[maybe_unused]] char const* name, [[maybe_unused]] Policy const& policy, In in, Out out,
                   Total total, std::int64_t num_items, Unary unary, Init init, Op op) {
  check_unary<Unary, In, T>();
  check_operator<Op, T, T const&>();
  check_output<Out, T const&>();
  if constexpr (has_values<iterator_value_t<Total>>) check_output<Total, T const&>();
  constexpr bool total_of_none = has_values<Init> && has_values<iterator_value_t<Total>>;
  if constexpr (runs_on_host<Policy>) {
    if (num_items > 0) {
      detail::host_scan<inclusive, T>(in, out, total, num_items, unary, init, op);
    } else if constexpr (total_of_none) {
      *total = init;
    }
  } else {
    static_assert(is_plain_item<T>,
                  "mgpu: on the device, what is accumulated must be trivially copyable, or a pair or tuple of such "
                  "(std's only with "
                  "C++20 and --expt-relaxed-constexpr)");
    check_device_compiler<Policy>();
#if MGPU_HAS_DEVICE
    using tuning = tuning_or_default<typename policy_tuning<Policy>::type, scan_default_tuning<sizeof(T)>>;
    std::int64_t const num_outputs = total_of_none ? num_items + 1 : num_items;
    detail::run_on_device(name, policy, num_outputs, [&](device_call& call) {
      detail::scan<inclusive, tuning, T>(
          call, detail::as_items<T>(detail::unwrap(in), detail::device_function(unary)), detail::unwrap(out),
          detail::unwrap(total), num_items, init, detail::device_function(op));
    });
#endif
  }
}

}  // namespace mgpu::detail
