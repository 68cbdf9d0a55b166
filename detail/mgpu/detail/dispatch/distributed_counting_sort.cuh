// Sorts of integers of few bits over the ranks of a communicator: no key goes from rank to rank, but all count their keys
// of each value, add the counts up, and write their slices of the whole.
#pragma once
#include <mgpu/detail/backend/counting_sort/counting_sort.cuh>
#include <mgpu/detail/backend/counting_sort/counting_sort_kernel.cuh>
#include <mgpu/detail/backend/counting_sort/slice_kernel.cuh>
#include <mgpu/detail/backend/counting_sort/tuning.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/core/radix_key.h>
#include <mgpu/detail/dispatch/distributed_announcement.h>
#include <mgpu/detail/dispatch/order.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/launch.h>
#include <mgpu/detail/runtime/scratch.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mgpu::detail {

// Says whether ranks count keys. They do for any number of them, as that takes one exchange, of the counts.
template <sort_order order, class Tuning, class Problem>
constexpr bool is_counted_over_ranks = order != sort_order::none&& std::is_void_v<Tuning> &&
                                       !has_values<typename Problem::Value> && can_be_counted<typename Problem::Key>;

// The part of one rank, which waits at its end if that is asked for.
template <sort_order order, class Problem>
void counting_sort_over_ranks(distributed_call const& ranks, Problem const& problem, bool waits) {
  using Key = typename Problem::Key;
  using tuning = counting_sort_default_tuning<static_cast<int>(sizeof(Key))>;
  using state_type = counting_sort_state<radix_traits<Key>::bits>;
  constexpr bool descending = order == sort_order::descending;
  constexpr int threads = 1024;
  device_call& call = ranks.local();
  scratch_layout layout;
  std::size_t const state_piece = layout.add<state_type>(1);
  announced_sort const announced(ranks, layout, 0, no_survey{}, [&] {
    return sort_announcement{problem.num_items, 0, 0, static_cast<int>(sizeof(Key)), 0};
  });
  if (announced.is_size_query()) return;

  auto const slice_kernel = counting_sort_slice_kernel<radix_traits<Key>::bits, threads>;
  ranks.load(slice_kernel);
  ranks.load(counting_sort_write_kernel<tuning, descending, Key, typename Problem::KeysOut>);
  auto* const state = call.scratch<state_type>(state_piece);
  detail::count_keys<tuning, descending>(call, problem.keys_in, problem.num_items, state);
  ranks.add_up(state->counts, state->num_values);
  std::uint64_t before = 0;
  for (int rank = 0; rank < ranks.rank(); ++rank) {
    before += static_cast<std::uint64_t>(announced.of_ranks()[static_cast<std::size_t>(rank)].num_items);
  }
  if (problem.num_items > 0) {
    detail::launch(call, {1, threads, sizeof(std::uint64_t[threads_per_warp])}, slice_kernel, state, before);
    detail::write_counted_keys<tuning, descending, Key>(call, problem.keys_out, problem.num_items, state);
  }
  ranks.finish(waits, [] {});
}

}  // namespace mgpu::detail
