// Which backend merges. Allocates and launches nothing itself.
#pragma once
#include <mgpu/detail/backend/std/sort.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/dispatch/functional.h>
#include <mgpu/detail/dispatch/items.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/host/iterator.h>
#include <mgpu/detail/host/policy.h>
#if MGPU_HAS_DEVICE
#include <mgpu/detail/backend/merge/merge.cuh>
#include <mgpu/detail/backend/merge/tuning.h>
#include <mgpu/detail/host/call.h>
#endif
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

#if MGPU_HAS_DEVICE
template <class Tuning, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut, class ValuesOut,
          class Comp>
void device_merge(device_call& call, KeysA keys_a, ValuesA values_a, std::int64_t a_count, KeysB keys_b,
                  ValuesB values_b, std::int64_t b_count, KeysOut keys_out, ValuesOut values_out, Comp comp) {
  constexpr int value_bytes = bytes_of<iterator_value_t<ValuesA>>;
  constexpr int key_bytes = bytes_of<iterator_value_t<KeysA>>;
  if constexpr (key_bytes > max_moved_key_bytes) {
    using tuning = tuning_or_default<Tuning, merge_default_tuning<8, value_bytes>>;
    detail::merge_by_index<tuning>(call, keys_a, values_a, a_count, keys_b, values_b, b_count, keys_out, values_out,
                                   comp);
  } else {
    using tuning = tuning_or_default<Tuning, merge_default_tuning<key_bytes, value_bytes>>;
    detail::merge<tuning>(call, keys_a, values_a, a_count, keys_b, values_b, b_count, keys_out, values_out, comp);
  }
}
#endif

// Merges two sorted ranges of keys, stable, and takes the values along. Items of b become such as a has.
template <class Policy, class KeysA, class ValuesA, class KeysB, class ValuesB, class KeysOut, class ValuesOut,
          class Comp>
void dispatch_merge([[maybe_unused]] char const* name, [[maybe_unused]] Policy const& policy, KeysA keys_a,
                    ValuesA values_a, std::int64_t a_count, KeysB keys_b, ValuesB values_b, std::int64_t b_count,
                    KeysOut keys_out, ValuesOut values_out, Comp comp) {
  using key = iterator_value_t<KeysA>;
  using value = iterator_value_t<ValuesA>;
  check_conversion<reference_t<KeysB>, key>();
  check_conversion<reference_t<ValuesB>, value>();
  check_output<KeysOut, key const&>();
  check_output<ValuesOut, value const&>();
  check_comparator<Comp, key>();
  if constexpr (runs_on_host<Policy>) {
    detail::host_merge(keys_a, values_a, a_count, keys_b, values_b, b_count, keys_out, values_out, comp);
  } else {
    check_device_items<Policy, KeysA, ValuesA>();
#if MGPU_HAS_DEVICE
    detail::run_on_device(name, policy, a_count + b_count, [&](device_call& call) {
      detail::device_merge<typename policy_tuning<Policy>::type>(
          call, detail::unwrap(keys_a), detail::unwrap(values_a), a_count,
          detail::as_items<key>(detail::unwrap(keys_b), no_transform{}),
          detail::as_items<value>(detail::unwrap(values_b), no_transform{}), b_count, detail::unwrap(keys_out),
          detail::unwrap(values_out), detail::device_function(comp));
    });
#endif
  }
}

}  // namespace mgpu::detail
