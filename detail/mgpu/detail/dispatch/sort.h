// Chooses the backend that sorts: by key type, comparator, item size and number of items. This is the only place that
// does.
#pragma once
#include <mgpu/detail/backend/cpu/sort.h>
#include <mgpu/detail/core/arch.h>
#include <mgpu/detail/core/compares_quickly.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/sort_problem.h>
#include <mgpu/detail/dispatch/distributed_calls.h>
#include <mgpu/detail/dispatch/functional.h>
#include <mgpu/detail/dispatch/items.h>
#include <mgpu/detail/dispatch/order.h>
#include <mgpu/detail/dispatch/requirements.h>
#include <mgpu/detail/runtime/iterator.h>
#include <mgpu/detail/runtime/policy_traits.h>
#if MGPU_HAS_DEVICE
#include <mgpu/detail/backend/counting_sort/counting_sort.cuh>
#include <mgpu/detail/backend/counting_sort/tuning.h>
#include <mgpu/detail/backend/indexed_sort/sort_by_index.cuh>
#include <mgpu/detail/backend/indexed_sort/sort_values_by_index.cuh>
#include <mgpu/detail/backend/merge_cluster/merge_cluster.cuh>
#include <mgpu/detail/backend/merge_cluster/tuning.h>
#include <mgpu/detail/backend/merge_sort/merge_sort.cuh>
#include <mgpu/detail/backend/merge_sort/tuning.h>
#include <mgpu/detail/backend/msd_radix/msd_radix.cuh>
#include <mgpu/detail/backend/msd_radix/pairs.cuh>
#include <mgpu/detail/backend/msd_radix/pairs_tuning.h>
#include <mgpu/detail/backend/msd_radix/tuning.h>
#include <mgpu/detail/backend/onesweep/onesweep.cuh>
#include <mgpu/detail/backend/onesweep/tuning.h>
#include <mgpu/detail/backend/radix_cluster/radix_cluster.cuh>
#include <mgpu/detail/backend/radix_cluster/tuning.h>
#include <mgpu/detail/backend/sample_sort/sample_sort.cuh>
#include <mgpu/detail/backend/sample_sort/tuning.h>
#include <mgpu/detail/backend/two_level_sample_sort/tuning.h>
#include <mgpu/detail/backend/two_level_sample_sort/two_level_sample_sort.cuh>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/run.h>
#include <mgpu/detail/runtime/start.h>
#endif
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace mgpu::detail {

#if MGPU_HAS_DEVICE

// Calls f with a value of the narrowest index type that counts num_items.
template <class F>
void with_index_type(std::int64_t num_items, F f) {
  if (num_items <= static_cast<std::int64_t>(std::numeric_limits<std::uint32_t>::max())) {
    f(std::uint32_t{});
  } else {
    f(std::uint64_t{});
  }
}

// Tells whether, on each of the architectures, what is too much to be sorted by a sample is enough for the most
// significant digit first.
template <class MsdTuning, class SampleTuning, int... archs>
constexpr bool leave_no_gap(arch_list<archs...>) {
  return ((MsdTuning::at(archs / 10).min_items <= SampleTuning::at(archs / 10).max_items + 1) && ...);
}

// Tells whether, on each of the architectures, a sample is for so many items. A block, or a cluster, sorts fewer than
// a sample is for.
template <class SampleTuning, int... archs>
constexpr bool are_sorted_by(std::int64_t num_items, arch_list<archs...>) {
  return ((SampleTuning::at(archs / 10).max_items >= num_items) && ...);
}

// Sorts keys and values that are small enough to be moved in every pass, by the digits of the keys: a few by one
// block or cluster of blocks, some more by a sample, many bare keys, or keys with values, by the most significant
// digits first, and others by one of onesweep's tunings; or by a caller's.
template <bool descending, class Tuning, class Problem>
void sort_by_digits(device_call& call, Problem const& problem) {
  constexpr int key_bytes = bytes_of<typename Problem::Key>;
  constexpr int value_bytes = bytes_of<typename Problem::Value>;
  constexpr bool is_float = has_two_zeros<typename Problem::Key>;
  using sample_tuning = sample_sort_default_tuning<key_bytes, value_bytes>;
  using msd_tuning = msd_radix_default_tuning<key_bytes, is_float>;
  // Few bare keys come here only if they are oddly spread.
  constexpr bool are_often_few = !can_be_partitioned<Problem> || !can_be_sampled<Problem> ||
                                 !leave_no_gap<msd_tuning, sample_tuning>(compiled_archs{});
  [[maybe_unused]] auto const by_passes = [&](device_call& inner, auto const& start) {
    if constexpr (are_often_few) {
      if (problem.num_items < min_large_onesweep_items<key_bytes, value_bytes>) {
        detail::onesweep<onesweep_small_tuning<key_bytes, value_bytes>, descending>(inner, problem, start);
        return;
      }
    }
    detail::onesweep<onesweep_large_tuning<key_bytes, value_bytes>, descending>(inner, problem, start);
  };
  if constexpr (is_tuning_of<Tuning, onesweep_tuning>) {
    detail::onesweep<Tuning, descending>(call, problem);
  } else {
    if constexpr (std::is_void_v<Tuning>) {
      if constexpr (can_be_sampled<Problem>) {
        compare_bits<descending> const comp{};
        using by = sample_sort_by_bits<descending>;
        if (detail::sample_sort<sample_tuning, by>(call, problem, comp)) return;
        if constexpr (has_values<typename Problem::Value>) {  // many bare keys have a faster way
          if (detail::sample_sort<sample_sort_many_pairs_tuning, by>(call, problem, comp)) return;
        }
      }
      using cluster_tuning = radix_cluster_default_tuning<key_bytes, value_bytes, is_float>;
      // Where there are clusters there is the sample sort, which is as fast, and faster if keys are spread unevenly.
      using block_tuning = std::conditional_t<can_be_sampled<Problem>, one_block_of<cluster_tuning>, cluster_tuning>;
      if (detail::radix_cluster_sort<block_tuning, descending>(call, problem)) return;
    }
    if constexpr (can_be_partitioned<Problem>) {
      using tuning = tuning_or_default<Tuning, msd_tuning>;
      msd_radix_tuning const compiled = detail::compiled_msd_radix_tuning<tuning, descending, Problem>(call);
      if (problem.num_items >= compiled.min_items && problem.num_items <= compiled.max_items()) {
        detail::msd_radix<tuning, descending>(call, problem, by_passes);
      } else {
        by_passes(call, msd_radix_start<tuning, descending, Problem>{});
      }
    } else if constexpr (can_be_partitioned_with_values<Problem>) {
      constexpr bool keeps_keys = !is_bare_key<typename Problem::Key>;
      using tuning = msd_tuning_of_pairs<
          tuning_or_default<Tuning, msd_pairs_default_tuning<key_bytes, value_bytes, keeps_keys>>>;
      msd_radix_tuning const compiled = detail::compiled_msd_pairs_tuning<tuning, descending, Problem>(call);
      if (problem.num_items >= compiled.min_items && problem.num_items <= compiled.max_items()) {
        detail::msd_radix_pairs<tuning, descending>(call, problem, by_passes);
      } else {
        by_passes(call, msd_pairs_start<tuning, descending, Problem>{});
      }
    } else {
      by_passes(call, plain_start{});
    }
  }
}

// Sorts many items by two levels of a sample sort, and returns true, or returns false, having done nothing, where the
// tuning is not for so many, or the output is no plain memory.
template <class Tuning, class Problem, class Comp>
bool sort_by_two_levels(device_call& call, Problem const& problem, Comp const& comp) {
  if constexpr (can_be_sampled_twice<Problem>) {
    if (!detail::compiled_two_level_tuning<Tuning, Problem, Comp>(call).can_sort(problem.num_items)) return false;
    constexpr int key_bytes = bytes_of<typename Problem::Key>;
    constexpr int value_bytes = bytes_of<typename Problem::Value>;
    constexpr bool follows = may_follow_pointers<typename Problem::Key, Comp>;
    using of_sample = std::conditional_t<follows, merge_sort_latency_small_tuning<key_bytes, 0>,
                                         merge_sort_sample_tuning<key_bytes>>;
    using of_runs = std::conditional_t<follows, merge_sort_latency_large_tuning<key_bytes, value_bytes>,
                                       merge_sort_large_tuning<key_bytes, value_bytes>>;
    auto const sort_sample = [&](device_call& inner, auto const& sample, natural_runs const* runs) {
      detail::merge_sort<of_sample>(inner, sample, comp, merging_of_tiles_unless{runs});
    };
    two_level_sample_sort<Tuning, Problem, Comp, decltype(sort_sample)> otherwise(call, problem, comp, sort_sample);
    detail::merge_sort<of_runs>(call, problem, comp, otherwise);
    return true;
  }
  return false;
}

// Sorts where comparisons are likely to wait for memory: many items by two levels of a sample sort, others by merging, of
// these many by the tuning Large.
template <class Large, class Problem, class Comp>
void sort_by_following(device_call& call, Problem const& problem, Comp const& comp) {
  constexpr int key_bytes = bytes_of<typename Problem::Key>;
  constexpr int value_bytes = bytes_of<typename Problem::Value>;
  if constexpr (key_bytes + value_bytes <= 16) {
    using tuning = two_level_sample_sort_latency_tuning<key_bytes, value_bytes>;
    if (detail::sort_by_two_levels<tuning>(call, problem, comp)) return;
  }
  if (problem.num_items <= max_latency_small_items) {
    detail::merge_sort<merge_sort_latency_small_tuning<key_bytes, value_bytes>>(call, problem, comp);
  } else if (problem.num_items <= max_latency_medium_items<key_bytes>) {
    detail::merge_sort<merge_sort_latency_medium_tuning<key_bytes, value_bytes>>(call, problem, comp);
  } else {
    detail::merge_sort<Large>(call, problem, comp);
  }
}

// Sorts small items by comparing keys: few by one block or one cluster, some and many by a sample, if comparisons do
// not wait, and others by one of merge sort's tunings; or by a caller's.
template <class Tuning, class Problem, class Comp>
void sort_by_comparing(device_call& call, Problem const& problem, Comp const& comp) {
  using Key = typename Problem::Key;
  constexpr int key_bytes = bytes_of<Key>;
  constexpr int value_bytes = bytes_of<typename Problem::Value>;
  constexpr int item_bytes = key_bytes + value_bytes;
  if constexpr (is_tuning_of<Tuning, two_level_sample_sort_tuning>) {
    if (detail::sort_by_two_levels<Tuning>(call, problem, comp)) return;
    detail::merge_sort<merge_sort_large_tuning<key_bytes, value_bytes>>(call, problem, comp);
  } else if constexpr (!std::is_void_v<Tuning>) {
    detail::merge_sort<Tuning>(call, problem, comp);
  } else {
    if constexpr (item_bytes <= 16) {
      using tuning = merge_cluster_default_tuning<compares_quickly<Key, Comp>, key_bytes>;
      if (detail::merge_cluster_sort<tuning>(call, problem, comp)) return;
      if (detail::merge_sort_one_tile<merge_sort_one_tile_tuning<item_bytes>>(call, problem, comp)) return;
    }
    if constexpr (may_follow_pointers<Key, Comp>) {
      detail::sort_by_following<merge_sort_latency_large_tuning<key_bytes, value_bytes>>(call, problem, comp);
    } else {
      if constexpr (can_be_sampled<Problem, 16>) {
        using by = sample_sort_by_comparing;
        if (detail::sample_sort<sample_sort_comparing_tuning<item_bytes>, by>(call, problem, comp)) return;
        if (detail::sample_sort<sample_sort_many_comparing_tuning<item_bytes>, by>(call, problem, comp)) return;
      }
      if constexpr (item_bytes <= 16) {
        using tuning = two_level_sample_sort_default_tuning<key_bytes, value_bytes>;
        if (detail::sort_by_two_levels<tuning>(call, problem, comp)) return;
      }
      constexpr std::int64_t max_small_items = max_small_merge_sort_items<key_bytes, value_bytes>;
      constexpr bool are_sampled =
          can_be_sampled<Problem, 16> &&
          detail::are_sorted_by<sample_sort_many_comparing_tuning<item_bytes>>(max_small_items, compiled_archs{});
      if constexpr (max_small_items > 0 && !are_sampled) {
        if (problem.num_items <= max_small_items) {
          return detail::merge_sort<merge_sort_small_tuning<key_bytes, value_bytes>>(call, problem, comp);
        }
      }
      detail::merge_sort<merge_sort_large_tuning<key_bytes, value_bytes>>(call, problem, comp);
    }
  }
}

// Tells whether a caller's tuning is for a sort by comparing.
template <class Tuning>
constexpr bool is_comparing_tuning =
    is_tuning_of<Tuning, merge_sort_tuning> || is_tuning_of<Tuning, two_level_sample_sort_tuning>;

// Sorts on the device. Large items are moved once, by the order of their indices. `order` says whether comp is the
// natural order; a caller's tuning for comparing then sorts by comparing the bits that digits are taken from.
template <sort_order order, class Tuning, class Problem, class Comp>
void sort_on_device(device_call& call, Problem const& problem, Comp const& comp) {
  using Key = typename Problem::Key;
  using Value = typename Problem::Value;
  constexpr bool descending = order == sort_order::descending;
  constexpr bool by_digits = order != sort_order::none && !is_comparing_tuning<Tuning>;
  if constexpr (by_digits && can_be_counted<Key> && !has_values<Value> && std::is_void_v<Tuning>) {
    using tuning = counting_sort_default_tuning<bytes_of<Key>>;
    if (problem.num_items >= tuning::min_items) return detail::counting_sort<tuning, descending>(call, problem);
  }
  if constexpr (!is_moved_key<Key>) {
    using large = tuning_or_default<Tuning, indexed_sort_default_tuning>;
    detail::with_index_type(problem.num_items, [&](auto index) {
      detail::sort_by_index<decltype(index)>(call, problem, comp,
                                             [](device_call& inner, auto const& indices, auto const& compare_items) {
                                               if constexpr (std::is_void_v<Tuning> && sizeof(index) == 4) {
                                                 detail::sort_by_following<large>(inner, indices, compare_items);
                                               } else {
                                                 detail::merge_sort<large>(inner, indices, compare_items);
                                               }
                                             });
    });
  } else if constexpr (!is_moved_value<Value>) {
    detail::with_index_type(problem.num_items, [&](auto index) {
      detail::sort_values_by_index<decltype(index)>(call, problem, [&](device_call& inner, auto const& with_indices) {
        detail::sort_on_device<order, Tuning>(inner, with_indices, comp);
      });
    });
  } else if constexpr (by_digits) {
    detail::sort_by_digits<descending, Tuning>(call, problem);
  } else {
    detail::sort_by_comparing<Tuning>(call, problem, comp);
  }
}

#endif

// Returns the problem with the iterators that kernels use.
template <bool in_place, class... Ranges>
auto unwrap_problem(sort_problem<in_place, Ranges...> const& problem) {
  return sort_problem<in_place, decltype(detail::unwrap(std::declval<Ranges>()))...>{
      detail::unwrap(problem.keys_in), detail::unwrap(problem.values_in), detail::unwrap(problem.keys_out),
      detail::unwrap(problem.values_out), problem.num_items};
}

// Sorts stably. Under less and greater, keys that have ordered bits are sorted by these; else comp alone knows the
// order.
template <class Policy, class Problem, class Comp>
void dispatch_sort([[maybe_unused]] char const* name, [[maybe_unused]] Policy const& policy, Problem const& problem,
                   Comp comp) {
  using Key = typename Problem::Key;
  static_assert(check_output<typename Problem::KeysOut, Key const&>());
  static_assert(check_output<typename Problem::ValuesOut, typename Problem::Value const&>());
  constexpr bool by_bits = sort_backend_of<Key, Comp> == sort_backend::radix;
  constexpr sort_order order = by_bits ? natural_order<Comp, Key> : sort_order::none;
  if constexpr (!by_bits) static_assert(check_comparator<Comp, Key>());
  if constexpr (runs_on_host<Policy> && by_bits) {
    detail::host_sort_by_bits<order == sort_order::descending>(problem);
  } else if constexpr (runs_on_host<Policy>) {
    detail::host_sort(problem, comp);
  } else {
    static_assert(check_device_items<Policy, typename Problem::KeysIn, typename Problem::ValuesIn,
                                     typename Problem::KeysOut, typename Problem::ValuesOut>());
#if MGPU_HAS_DEVICE
    using unwrapped_problem = decltype(detail::unwrap_problem(problem));
    constexpr bool highest_first =
        can_be_partitioned<unwrapped_problem> || can_be_partitioned_with_values<unwrapped_problem>;
    if constexpr (by_bits && is_moved_key<Key> && highest_first) {
      static_assert(
          check_tuning<Policy, onesweep_tuning, msd_radix_tuning, merge_sort_tuning, two_level_sample_sort_tuning>());
    } else if constexpr (by_bits && is_moved_key<Key>) {
      static_assert(check_tuning<Policy, onesweep_tuning, merge_sort_tuning, two_level_sample_sort_tuning>());
    } else if constexpr (is_moved_key<Key>) {
      static_assert(check_tuning<Policy, merge_sort_tuning, two_level_sample_sort_tuning>());
    } else {
      static_assert(check_tuning<Policy, merge_sort_tuning>());
    }
    using tuning = typename policy_tuning<Policy>::type;
    auto const sort_by = [&](auto const& compare) {
      if constexpr (is_distributed<Policy>) {
        static_assert(check_distributed_sort<Problem>());
        distributed_calls<Policy>::template sort<order>(name, policy, detail::unwrap_problem(problem), compare);
      } else {
        detail::run_on_device(name, policy, problem.num_items, [&](device_call& call) {
          detail::sort_on_device<order, tuning>(call, detail::unwrap_problem(problem), compare);
        });
      }
    };
    if constexpr (by_bits) {
      sort_by(compare_bits<order == sort_order::descending>{});
    } else {
      sort_by(detail::device_function(comp));
    }
#endif
  }
}

}  // namespace mgpu::detail
