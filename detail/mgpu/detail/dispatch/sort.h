// Which backend sorts: by key type, comparator and item size. Allocates and launches nothing itself.
#pragma once
#include <mgpu/detail/backend/std/sort.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/dispatch/functional.h>
#include <mgpu/detail/dispatch/items.h>
#include <mgpu/detail/host/iterator.h>
#include <mgpu/detail/host/policy.h>
#if MGPU_HAS_DEVICE
#include <mgpu/detail/backend/merge_sort/indexed_sort.cuh>
#include <mgpu/detail/backend/merge_sort/merge_sort.cuh>
#include <mgpu/detail/backend/merge_sort/tuning.h>
#include <mgpu/detail/host/call.h>
#endif
#include <cstdint>
#include <limits>
#include <type_traits>

namespace mgpu::detail {

#if MGPU_HAS_DEVICE

// Calls f with the narrowest index type that counts num_items.
template <class F>
void with_index_type(std::int64_t num_items, F f) {
  if (num_items <= static_cast<std::int64_t>(std::numeric_limits<std::uint32_t>::max())) {
    f(std::uint32_t{});
  } else {
    f(std::uint64_t{});
  }
}

template <bool in_place, class Tuning, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
void device_sort(device_call& call, KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                 std::int64_t num_items, Comp comp) {
  constexpr int key_bytes = bytes_of<iterator_value_t<KeysIn>>;
  constexpr int value_bytes = bytes_of<iterator_value_t<ValuesIn>>;
  if constexpr (key_bytes > max_moved_key_bytes) {
    with_index_type(num_items, [&](auto index) {
      using Index = decltype(index);
      using tuning = tuning_or_default<Tuning, indexed_sort_default_tuning>;
      sort_by_index<tuning, Index, in_place>(call, keys_in, values_in, keys_out, values_out, num_items, comp);
    });
  } else if constexpr (value_bytes > max_moved_value_bytes) {
    with_index_type(num_items, [&](auto index) {
      using Index = decltype(index);
      using tuning = tuning_or_default<Tuning, merge_sort_default_tuning<key_bytes, sizeof(Index)>>;
      sort_values_by_index<tuning, Index, in_place>(call, keys_in, values_in, keys_out, values_out, num_items, comp);
    });
  } else {
    using tuning = tuning_or_default<Tuning, merge_sort_default_tuning<key_bytes, value_bytes>>;
    scratch_layout layout;
    merge_sort<tuning, KeysIn, ValuesIn, KeysOut, ValuesOut, Comp> const sort(call, layout, num_items);
    if (call.allocate(layout)) sort.run(call, keys_in, values_in, keys_out, values_out, comp);
  }
}

#endif

// Sorts num_items keys, stable, and takes the values along. With in_place the output iterators are the input ones.
template <bool in_place, class Policy, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
void dispatch_sort([[maybe_unused]] char const* name, [[maybe_unused]] Policy const& policy, KeysIn keys_in,
                   ValuesIn values_in, KeysOut keys_out, ValuesOut values_out, std::int64_t num_items, Comp comp) {
  if constexpr (runs_on_host<Policy>) {
    host_sort(keys_in, values_in, keys_out, values_out, num_items, comp);
  } else {
    check_device_items<Policy, KeysIn, ValuesIn>();
#if MGPU_HAS_DEVICE
    run_on_device(name, policy, num_items, [&](device_call& call) {
      device_sort<in_place, typename policy_tuning<Policy>::type>(call, unwrap(keys_in), unwrap(values_in),
                                                                  unwrap(keys_out), unwrap(values_out), num_items,
                                                                  device_function(comp));
    });
#endif
  }
}

}  // namespace mgpu::detail
