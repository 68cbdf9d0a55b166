// Which backend sorts: by key type, comparator and item size. Allocates and launches nothing itself.
#pragma once
#include <mgpu/detail/backend/std/sort.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/iterator.h>
#include <mgpu/detail/dispatch/functional.h>
#include <mgpu/detail/dispatch/items.h>
#include <mgpu/detail/dispatch/order.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/host/iterator.h>
#include <mgpu/detail/host/policy.h>
#if MGPU_HAS_DEVICE
#include <mgpu/detail/backend/counting_sort/counting_sort.cuh>
#include <mgpu/detail/backend/counting_sort/tuning.h>
#include <mgpu/detail/backend/merge_sort/indexed_sort.cuh>
#include <mgpu/detail/backend/merge_sort/merge_sort.cuh>
#include <mgpu/detail/backend/merge_sort/tuning.h>
#include <mgpu/detail/backend/onesweep/radix_sort.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/host/call.h>
#endif
#include <cstdint>
#include <limits>
#include <type_traits>

namespace mgpu::detail {

#if MGPU_HAS_DEVICE

// Of what travels with a key: the value, or for a large one its index (which has 8 bytes beyond 2^32 items).
template <class Values>
constexpr bool has_large_values = bytes_of<iterator_value_t<Values>> > max_moved_value_bytes;
template <class Values>
constexpr int moved_value_bytes = has_large_values<Values> ? 4 : bytes_of<iterator_value_t<Values>>;

// The order of the bits that digits are taken from, as a comparator.
template <bool descending>
struct compare_bits {
  template <class Key>
  __host__ __device__ bool operator()(Key const& a, Key const& b) const {
    return descending ? detail::ordered_bits(b) < detail::ordered_bits(a)
                      : detail::ordered_bits(a) < detail::ordered_bits(b);
  }
};

// Whether the caller brought a tuning, and of which backend.
template <class Tuning, class Of>
constexpr bool is_tuning_of = std::is_same_v<std::decay_t<decltype(Tuning::at(0))>, Of>;
template <class Of>
inline constexpr bool is_tuning_of<void, Of> = false;

// Calls f with the narrowest index type that counts num_items.
template <class F>
void with_index_type(std::int64_t num_items, F f) {
  if (num_items <= static_cast<std::int64_t>(std::numeric_limits<std::uint32_t>::max())) {
    f(std::uint32_t{});
  } else {
    f(std::uint64_t{});
  }
}

// Sorts keys that are moved, and moves the values along or, large ones, once.
template <bool in_place, class Sorter, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
void sort_moving_keys(device_call& call, Sorter const& sorter, KeysIn keys_in, ValuesIn values_in, KeysOut keys_out,
                      ValuesOut values_out, std::int64_t num_items) {
  if constexpr (has_large_values<ValuesIn>) {
    detail::with_index_type(num_items, [&](auto index) {
      using Index = decltype(index);
      detail::sort_values_by_index<Index, in_place>(call, sorter, keys_in, values_in, keys_out, values_out,
                                                    num_items);
    });
  } else {
    scratch_layout layout;
    typename Sorter::template plan<KeysIn, ValuesIn, KeysOut, ValuesOut> const plan(call, layout, num_items);
    if (call.allocate(layout)) sorter.run(plan, call, keys_in, values_in, keys_out, values_out);
  }
}

// By comparisons, in n log n steps.
template <bool in_place, class Tuning, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
void sort_by_merging(device_call& call, KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                     std::int64_t num_items, Comp comp) {
  constexpr int key_bytes = bytes_of<iterator_value_t<KeysIn>>;
  if constexpr (key_bytes > max_moved_key_bytes) {
    detail::with_index_type(num_items, [&](auto index) {
      using Index = decltype(index);
      using tuning = tuning_or_default<Tuning, indexed_sort_default_tuning>;
      detail::sort_by_index<tuning, Index, in_place>(call, keys_in, values_in, keys_out, values_out, num_items, comp);
    });
  } else {
    using tuning = tuning_or_default<Tuning, merge_sort_default_tuning<key_bytes, moved_value_bytes<ValuesIn>>>;
    if constexpr (has_few<tuning>) {
      if (num_items <= tuning::few_items) {
        return detail::sort_by_merging<in_place, typename tuning::few>(call, keys_in, values_in, keys_out, values_out,
                                                                       num_items, comp);
      }
    }
    detail::sort_moving_keys<in_place>(call, merge_sorter<tuning, Comp>{comp}, keys_in, values_in, keys_out,
                                       values_out, num_items);
  }
}

// By digits. Many keys of few values are counted; keys that are too large to be moved often are merged, in the order of
// the same bits.
template <bool in_place, bool descending, class Tuning, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
void sort_by_digits(device_call& call, KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                    std::int64_t num_items) {
  static_assert(!is_tuning_of<Tuning, radix_block_tuning>,
                "mgpu: with_tuning: one block sorts no more than its tile; such a tuning is another's `few`");
  using Key = iterator_value_t<KeysIn>;
  constexpr int key_bytes = bytes_of<Key>;
  if constexpr (can_be_counted<Key> && !has_values<iterator_value_t<ValuesIn>>) {
    using counting_tuning = counting_sort_default_tuning<key_bytes>;
    if (num_items >= counting_tuning::min_items) {
      return detail::counting_sort<counting_tuning, descending>(call, keys_in, keys_out, num_items);
    }
  }
  if constexpr (key_bytes > max_moved_key_bytes) {
    detail::sort_by_merging<in_place, void>(call, keys_in, values_in, keys_out, values_out, num_items,
                                            compare_bits<descending>{});
  } else {
    detail::sort_moving_keys<in_place>(call, radix_sorter<Tuning, descending>{in_place}, keys_in, values_in, keys_out,
                                       values_out, num_items);
  }
}

template <bool in_place, class Tuning, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
void device_sort(device_call& call, KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out,
                 std::int64_t num_items, Comp comp) {
  using Key = iterator_value_t<KeysIn>;
  if constexpr (sort_backend_of<Key, Comp> == sort_backend::radix && !is_tuning_of<Tuning, merge_sort_tuning>) {
    constexpr bool descending = natural_order<Comp, Key> == sort_order::descending;
    detail::sort_by_digits<in_place, descending, Tuning>(call, keys_in, values_in, keys_out, values_out, num_items);
  } else {
    detail::sort_by_merging<in_place, Tuning>(call, keys_in, values_in, keys_out, values_out, num_items, comp);
  }
}

#endif

// Sorts num_items keys, stable, and takes the values along. With in_place the output iterators are the input ones.
template <bool in_place, class Policy, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Comp>
void dispatch_sort([[maybe_unused]] char const* name, [[maybe_unused]] Policy const& policy, KeysIn keys_in,
                   ValuesIn values_in, KeysOut keys_out, ValuesOut values_out, std::int64_t num_items, Comp comp) {
  using key = iterator_value_t<KeysIn>;
  check_output<KeysOut, key const&>();
  check_output<ValuesOut, iterator_value_t<ValuesIn> const&>();
  constexpr bool by_bits = sort_backend_of<key, Comp> == sort_backend::radix;  // without the comparator
  if constexpr (!by_bits) check_comparator<Comp, key>();
  if constexpr (runs_on_host<Policy> && by_bits) {
    constexpr bool descending = natural_order<Comp, key> == sort_order::descending;
    detail::host_sort_by_bits<descending>(keys_in, values_in, keys_out, values_out, num_items);
  } else if constexpr (runs_on_host<Policy>) {
    detail::host_sort(keys_in, values_in, keys_out, values_out, num_items, comp);
  } else {
    check_device_items<Policy, KeysIn, ValuesIn>();
#if MGPU_HAS_DEVICE
    detail::run_on_device(name, policy, num_items, [&](device_call& call) {
      detail::device_sort<in_place, typename policy_tuning<Policy>::type>(
          call, detail::unwrap(keys_in), detail::unwrap(values_in), detail::unwrap(keys_out),
          detail::unwrap(values_out), num_items, detail::device_function(comp));
    });
#endif
  }
}

}  // namespace mgpu::detail
